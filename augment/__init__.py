"""Making data: parallel pairs, filtering, mixing."""
