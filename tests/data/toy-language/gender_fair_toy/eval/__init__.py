"""The eval part of the toy language."""
