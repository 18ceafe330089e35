"""The rewriter part of the toy language."""
