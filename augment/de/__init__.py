"""German: pairs of gendered and gender-fair text."""
