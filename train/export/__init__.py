"""Export of trained models, and the way back to float weights."""
