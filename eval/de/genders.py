"""German words of one gender beside those of the table ``swap.tsv``, for telling which way a twin is turned.

*sie* and *ihr* tell something where a twin puts them in the place of others, or others in theirs; nowhere else.
"""

import re

FEMININE = frozenset("sie ihr ihre ihrer ihrem ihren ihres ihrerseits deren".split())
MASCULINE = frozenset("er ihm ihn sein seine seiner seinem seinen seines dessen".split())
#: ending of words of women
ENDING = re.compile(r"[^\W\d_]{2,}in(?:nen)?")
