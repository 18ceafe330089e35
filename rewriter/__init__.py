"""The toolkit: rewriter."""
