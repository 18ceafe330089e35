"""English: parse view, forward and backward rules."""
