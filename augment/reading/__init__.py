"""Sentences chosen for reading, sheets for readers, and their answers read back."""
