"""The lexicons part of the toy language."""
