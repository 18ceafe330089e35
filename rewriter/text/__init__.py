"""Places and patterns in a text: offsets, spans, line breaks, one pattern for many words."""
