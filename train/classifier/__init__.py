"""Training of sequence classifiers: any model of transformers, over seeds, resumable."""
