"""German: the gender star and the other gender-fair forms."""
