"""What trainings share: checkpoints, several processes, progress, figures in a file, options of the updates."""
