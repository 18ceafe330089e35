"""Encoders: a small one of our own, one that starts from a pretrained one, and the text they learn from."""
