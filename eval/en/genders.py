"""English words of one gender beside those of the table ``swap.tsv``, for telling which way a twin is turned."""

FEMININE = frozenset("she her hers herself".split())
MASCULINE = frozenset("he him his himself".split())
#: ending of words of women; None where there is none that tells
ENDING = None
