"""Recipes of ``kind: round-trip``: two translators, gender-fair text there and back, merged, filtered, mixed, trained."""
