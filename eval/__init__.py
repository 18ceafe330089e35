"""Making figures: WER with significance, and reports."""
