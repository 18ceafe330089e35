"""The rewriter as a step of pipelines that others built; each module is imported only where its library is."""
