"""File formats of corpora: plain text, JSON lines, CSV and TSV, Parquet; see :mod:`rewriter.formats.base`."""
