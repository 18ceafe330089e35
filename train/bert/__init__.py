"""BERT from the beginning: WordPiece vocabulary, packed corpus, masked language model, GAP-CDS fine-tuning."""
