"""What balancing and rewriting a corpus do to a BERT that is pretrained on it (after Becker 2022, chapter 4)."""
