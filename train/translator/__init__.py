"""Training of small translation models for round trips: sentence pairs, vocabulary, model, export, BLEU."""
