"""What a language is: its interface, candidates and tokens, and how texts of it are told from others."""
