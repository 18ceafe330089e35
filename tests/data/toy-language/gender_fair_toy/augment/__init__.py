"""The augment part of the toy language."""
