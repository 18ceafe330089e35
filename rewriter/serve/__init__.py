"""The rewriter over HTTP: an interface for programs and one page for people (extra ``serve``)."""
