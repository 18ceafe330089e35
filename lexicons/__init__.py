"""Facts: word tables per language, behind one loader."""
