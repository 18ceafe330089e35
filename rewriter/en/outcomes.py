"""What may become of a candidate: the outcomes that the encoder's head tells apart, in its order."""

OUTCOMES = ("keep", "change", "object", "possessive", "standalone", "is", "has")
KEEP, CHANGE, OBJECT, POSSESSIVE, STANDALONE, IS, HAS = range(len(OUTCOMES))
