"""English words of one gender beside those of the table ``swap.tsv``, for telling which way a twin is turned."""

from rewriter.en.closed_words import FEMININE_PRONOUNS, MASCULINE_PRONOUNS

FEMININE = FEMININE_PRONOUNS
MASCULINE = MASCULINE_PRONOUNS
#: ending of words of women; None where there is none that tells
ENDING = None
