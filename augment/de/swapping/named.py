"""Who is named: persons with a title or a name, and pronouns that mean one."""

from __future__ import annotations

from augment.de.swapping.lexicon import SwapLexicon
from augment.de.swapping.mention import Mention
from augment.de.swapping.reader import Part
from augment.de.swapping.surroundings import NAME, PERSON, words_around, words_before
from rewriter.de.lexicon import genders


def is_named(part: Part, mention: Mention, lexicon: SwapLexicon) -> bool:
    """Return True if a mention means somebody whose name stands in sight.

    A noun beside a name is named; a pronoun if the last person of its gender before it, or behind it, is.

    Args:
        part: its sentence.
        mention: the mention.
        lexicon: says which words are persons.
    """
    if mention.kind in ("title", "name"):
        return True
    if mention.phrase is not None:
        return any(_is_name(part, at) for at in (mention.token + 1, mention.start - 1)) or _has_title(part, mention)
    words = [*words_before(part.before, lexicon), *words_around(part.sentence, part.mentions)]
    persons = [w for w in words if w.sort == NAME or (w.sort == PERSON and w.gender == mention.gender)]
    before = [w for w in persons if w.token < mention.token]
    nearest = before[-1] if before else persons[0] if persons else None
    return nearest is not None and (nearest.sort == NAME or _is_named_at(part, nearest.token))


def _is_named_at(part: Part, token: int) -> bool:
    return _is_name(part, token + 1) or any(m.kind in ("title", "name") and m.token == token for m in part.mentions)


def _is_name(part: Part, index: int) -> bool:
    sentence = part.sentence
    return sentence.is_capital(index) and index > 0 and sentence.surface(index) not in genders()


def _has_title(part: Part, mention: Mention) -> bool:
    return any(m.kind == "title" and m.token == mention.start - 1 for m in part.mentions)
