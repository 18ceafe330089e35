"""Recipes of ``kind: round-trip``: translators, trips there and back, merging, filtering, mixing, training."""
