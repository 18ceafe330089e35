"""A small causal language model from plain text: for singulars by prompting, and for scoring merged sources."""
