"""Cases of phrases without a determiner in short texts: headlines and the labels of programs."""

from __future__ import annotations

import re

from rewriter.de.certain_cases import is_verb
from rewriter.de.phrase import Phrase
from rewriter.de.sentence import Sentence

_INFINITIVE = re.compile(r"[a-zäöüß]{3,}(?:en|ern|eln)")
#: letters of the longest label, in words
_LONGEST_LABEL = 7


def is_of_order(sentence: Sentence, phrase: Phrase) -> bool:
    """Tell whether a phrase is the object of an infinitive that ends a label (*Neue Besucherin anlegen*).

    Args:
        sentence: that holds the phrase.
        phrase: without a determiner.
    """
    last = len(sentence.norms) - 1
    while last > 0 and not sentence.norms[last].isalpha():
        last -= 1
    if phrase.determiner >= 0 or phrase.start or not phrase.adjectives or last != phrase.head + 1:
        return False
    if len(sentence.norms) > _LONGEST_LABEL or sentence.tokens[last].shape:
        return False
    return _INFINITIVE.fullmatch(sentence.norms[last]) is not None and sentence.norms[last] not in _FINITE


def is_bare_object(sentence: Sentence, phrase: Phrase) -> bool:
    """Tell whether a phrase with an adjective in *-en* and no determiner stands right behind a verb in the singular.

    *Polizei nimmt mutmaßlichen Betrüger fest*: an object in the accusative.

    Args:
        sentence: that holds the phrase.
        phrase: any.
    """
    if phrase.determiner >= 0 or phrase.word.noun is None or not phrase.adjectives or not phrase.start:
        return False
    ends = all(sentence.norms[i].endswith("en") for i in phrase.adjectives)
    return ends and phrase.adjectives[0] == phrase.start and is_verb(sentence, phrase.start - 1)


#: plurals that look like infinitives
_FINITE = frozenset("haben sind waren werden wurden hatten können müssen sollen wollen dürfen".split())
