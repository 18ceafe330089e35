"""German swapping: candidates (mentions of persons), reading by the network, writing by rules."""
