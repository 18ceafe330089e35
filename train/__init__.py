"""Making models: parsers, tokenizers, rewriters, export, and the stage runner."""
