"""Fuzzing: what random and damaged input must never do, one target per way into the toolkit."""
