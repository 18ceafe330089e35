"""Reading sets: real sentences, drawn before any output was seen, with targets by reading; stored without the text."""
