"""A toy language: its parts are subpackages with the names of the toolkit's packages."""
