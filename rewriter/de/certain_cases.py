"""Cases that the place of a German phrase rules out: no genitive can stand here, this feminine is no subject.

Rules of the clause without a parser. They speak only where another reading would be very rare; what they leave open the
model decides.
"""

from __future__ import annotations

import re
from functools import cache

from lexicons.loader import read_table
from rewriter.de.lexicon import PLUR, bit, genders
from rewriter.de.phrase import Phrase
from rewriter.de.phrase_words import CLAUSE_ENDS
from rewriter.de.sentence import Sentence

NOMINATIVE, ACCUSATIVE, DATIVE, GENITIVE = (bit(1, case) for case in range(4))
_DATIVE_PLURAL = bit(2, 2)
#: parts of verbs that take a dative (*winkt ihnen zu*, *stellt sich ihnen vor*)
_DATIVE_PARTS = frozenset("zu bei nach entgegen hinterher sich vor".split())
#: participles that stand for persons of all genders, mostly for several
FAIR_PARTICIPLES = ("arbeitend", "nehmend", "studierend", "lernend", "lehrend")
#: how verbs begin that take a dative, and the parts with which they take an accusative alone
_WITH_OBJECT = (
    (("sprach", "sprech", "sprich"), frozenset({"frei", "an", "schuldig"})),
    (("nahm", "nehm", "nimm"), frozenset({"fest", "auf", "mit", "ernst", "gefangen"})),
)
_GENITIVES = bit(0, 3) | bit(1, 3) | bit(2, 3)
#: pronouns that are nothing but subjects
SUBJECTS = frozenset({"ich", "du", "er", "wir", "man"})
COPULAS = frozenset(
    """
    bin bist ist sind war waren warst wird werde wirst werden wurde wurden wurdest bleibt bleibe bleiben blieb heißt
    hieß sei wäre wären gewesen geworden sein
    """.split()
)
_BEING = frozenset("ist war sind waren bleibt blieb sei wäre".split())
#: words without a capital before which a genitive may stand
_TAKES_GENITIVE = frozenset(
    """
    alle aller beide beider derjenige diejenige diejenigen dieser eine einem einen einer eines einige einiger erste
    ersten erster etliche irgendeine irgendeiner jede jedem jeden jeder jedes keine keinem keinen keiner keines letzte
    letzten letzter manche manchem manchen mancher mehrere mehrerer meiste meisten sämtliche solche viele vielen vieler
    welche welchem welchen welcher welches wenige weniger wenigen wer wem wen zahlreiche zweite zweiten zweiter bar
    bedürftig bewusst fähig gewahr gewiss habhaft kundig ledig mächtig müde schuldig sicher überdrüssig verdächtig voll
    wert würdig älteste ältesten beste besten bester größte größten jüngste jüngsten namens zwecks ist sind war waren
    seitens einschließlich ausschließlich abzüglich zuzüglich hinsichtlich bezüglich ungeachtet unbeschadet auch nur
    insbesondere besonders gerade selbst eben links rechts diesseits jenseits oberhalb unterhalb innerhalb außerhalb
    unweit beiderseits abseits nördlich südlich östlich westlich inmitten anlässlich infolge zugunsten zulasten anhand
    aufgrund kraft mangels statt anstatt
    """.split()
)
_GENITIVE_VERBS = tuple(
    """
    bedarf bedurf bedürf gedenk gedach bezichtig beschuldig enthob entheb erinner erfreu bedien bemächtig annahm annimmt
    angenomm annehm harr entledig rühm schäm
    """.split()
)
#: stems of determiners whose masculine accusative has *-en*
_OBJECTS = frozenset("ein kein mein dein sein ihr unser eur dies jen jed manch welch".split())
_TIMES = frozenset(
    """
    Tag Abend Morgen Mittag Vormittag Nachmittag Monat Sommer Winter Herbst Montag Dienstag Mittwoch Donnerstag Freitag
    Samstag Sonntag Januar Februar März April Mai Juni Juli August September Oktober November Dezember Moment Augenblick
    Zeitraum Meter Kilometer
    """.split()
)
#: what stands behind its dative
_POSTPOSITIONS = frozenset("gegenüber zufolge zuliebe".split())
_SUBORDINATING = frozenset(
    "weil dass daß wenn ob obwohl nachdem bevor ehe falls sobald solange indem damit sodass seitdem".split()
)
_SENTENCE_MARKS = frozenset('. ! ? : ; … “ » " ( – — - * •'.split())
_NO_VERBS = frozenset(
    """
    nicht oft erst jetzt selbst zuletzt bereit seit fast meist sonst laut samt statt dort mit heute letzte dritte bitte
    mitte heut
    """.split()
)
#: with them a clause has no subject in the third person
_IMPERATIVES = frozenset(
    """
    frag frage hab hol hole lass nimm ruf rufe schick schicke sieh such suche zeig zeige grüß grüße hör triff vergiss
    kenn kenne seh sehe besuch besuche bring bringe lies schau
    """.split()
)
#: those of verbs with a dative that are nouns, too, or look like other forms
_DATIVE_IMPERATIVES = frozenset("folge folg danke dank hilf hilft antworte glaube glaub vertraue".split())
#: nominatives that an object may stand before (*Die Ärztin mag niemand*)
_ANYBODY = frozenset("niemand jemand keiner jeder alle viele einer wer".split())
_JOINING = frozenset("und sowie oder , / & noch bzw".split())


#: stems of verbs that take a dative
DATIVE_VERBS = re.compile(
    r"(?:über|zu|vor|nach|bei|wider|ent|aus|ab|an|mit|zurück|weiter)?(?:ge)?(?:"
    r"geb(?!or|aut|ild|und|rau|är|et)|gab|gib|schenk|zeig|helf|half|hilf|holf|dank|antwort|glaub|folg|(?<=zu)hör|gefall|gefiel|gefäll|vertrau|"
    r"gratulier|begegn|sagt?e?n?$|erzähl|erklär|bring|brach|schick|leih|lieh|schrieb|schreib|erlaub|verbiet|verbot|stimm|"
    r"verzeih|verzieh|ähnel|fehl|gelang|passier|reich|empfehl|empfahl|empfohl|empfiehl|versprech|versprach|versproch|"
    r"versprich|sprech|sprach|sprich|liefer|teil|droh|nütz|schad|schmeck|diktier|wünsch|biet|bot|widm|überließ|gönn|"
    r"verdank|berichte|näher|gehör|nehm|nahm|nimm|nomm|wid)"
)


@cache
def _numbers() -> dict[str, str]:
    """Return finite verb forms -> number of their subject."""
    return {row["form"]: row["number"] for row in read_table("de", "verb_forms")}


def without_genitive(sentence: Sentence, phrase: Phrase, mask: int) -> int:
    """Return the mask of a phrase without the genitive where nothing before it can have one, or without the dative.

    *gratulierte der Dirigentin* (no noun before it), *Es ist das Recht jeder Bürgerin* (no dative).

    Args:
        sentence: that holds the phrase.
        phrase: with a determiner, and no preposition before it.
        mask: what its words leave.
    """
    at, kept = phrase.start - 1, mask & ~_GENITIVES
    if not kept or kept == mask or len(sentence.tokens) == phrase.head + 1 - phrase.start:
        return mask
    if at == 0 and sentence.norms[0] in _DATIVE_IMPERATIVES and sentence.norms[-1] == "!":
        return kept  # Folge der Fotografin!
    if at < 0 or not sentence.tokens[phrase.head].shape:
        return kept if at < 0 else mask
    if sentence.norm(phrase.head + 1) in _POSTPOSITIONS and not sentence.tokens[at].shape:
        return kept  # saßen der Malerin gegenüber
    token, norm = sentence.tokens[at], sentence.norms[at]
    clause = sentence.clause_of(phrase)
    if token.shape and (at or sentence.words[0] is not None or sentence.surface(0) in genders()):
        is_genitive = any(sentence.norms[i] in _BEING for i in clause) or _is_before_verb(sentence, phrase)
        return mask & ~DATIVE if is_genitive and mask & GENITIVE else mask
    if not norm.isalpha() or norm in _TAKES_GENITIVE or norm in CLAUSE_ENDS or sentence.is_number(norm):
        return mask
    if any(sentence.norms[i].startswith(_GENITIVE_VERBS) for i in clause):
        return mask
    return kept


def _is_before_verb(sentence: Sentence, phrase: Phrase) -> bool:
    """Tell whether a sentence begins with a noun and this phrase, and its verb follows."""
    first = sentence.norms[0]
    if first in _SUBORDINATING or first in _IMPERATIVES or not is_verb(sentence, phrase.head + 1):
        return False
    return not any(is_verb(sentence, i) or sentence.norms[i] in CLAUSE_ENDS for i in range(1, phrase.start))


def is_verb(sentence: Sentence, index: int) -> bool:
    """Tell whether a token is a finite verb in the third person singular, as far as its form tells.

    Args:
        sentence: that holds it.
        index: its place.
    """
    if index >= len(sentence.tokens) or sentence.tokens[index].shape:
        return False
    norm = sentence.norms[index]
    number = _numbers().get(norm)
    return number == "singular" or (
        number is None and len(norm) > 3 and norm.endswith(("t", "te")) and norm not in _NO_VERBS
    )


def opens_clause(sentence: Sentence, index: int) -> bool:
    """Tell whether *während, bis, seit* begin a clause, whose verb is its last word, and govern nothing."""
    norms, end = sentence.norms, index + 1
    if norms[index] not in ("während", "bis", "seit") or (index and norms[index - 1] not in CLAUSE_ENDS):
        return False
    while end < len(norms) and norms[end] not in CLAUSE_ENDS:
        end += 1
    return norms[end - 1] in _numbers() or is_verb(sentence, end - 1)


def is_predicate(sentence: Sentence, phrase: Phrase) -> bool:
    """Tell whether *um, ohne, für* govern nothing: *um Köchin zu werden*, *ohne Ärztin zu sein*, *was für eine*."""
    at, before = phrase.head + 1, sentence.norms[phrase.start - 1]
    if before == "für":
        return (
            phrase.reading is not None
            and phrase.reading.stem == "ein"
            and "was" in sentence.norms[max(0, phrase.start - 4) : phrase.start - 1]
        )
    while at + 1 < len(sentence.norms) and sentence.norms[at] != "zu" and sentence.norms[at] not in CLAUSE_ENDS:
        at += 1
    return sentence.norm(at) == "zu" and sentence.norm(at + 1) in ("sein", "werden", "bleiben")


def without_plural(sentence: Sentence, phrase: Phrase, mask: int) -> int:
    """Return the mask of a phrase without the plural where only a dative could be one and nothing takes a dative.

    *Die Polizei sucht den Zeugen*; but: *Er half den Zeugen*.

    Args:
        sentence: that holds the phrase.
        phrase: with no preposition before it.
        mask: what its words leave.
    """
    is_whole = len(sentence.tokens) == phrase.head + 1 - phrase.start
    if mask & PLUR != _DATIVE_PLURAL or not mask & ~PLUR or phrase.determiner < 0 or is_whole:
        return mask
    word = phrase.word.nominalised
    if word is not None and word.stem.endswith(FAIR_PARTICIPLES):
        return mask  # Den Mitarbeitenden wurde gekündigt
    clause = sentence.clause_of(phrase)
    if any(sentence.norms[i] == "es" for i in clause):
        return mask  # Den Verletzten geht es gut
    verbs = [sentence.norms[i] for i in clause if not sentence.tokens[i].shape or i == 0]
    if any(norm.startswith(begins) and verbs[-1] in parts for norm in verbs for begins, parts in _WITH_OBJECT):
        return mask & ~PLUR  # sprach den Angeklagten frei
    return mask if any(DATIVE_VERBS.match(norm) or norm in _DATIVE_PARTS for norm in verbs) else mask & ~PLUR


def excluded_case(sentence: Sentence, phrase: Phrase) -> int:
    """Return the case, nominative or accusative, that a feminine phrase cannot or hardly can have, 0 for neither.

    Args:
        sentence: that holds the phrase.
        phrase: a feminine with a determiner that may be nominative or accusative.
    """
    clause = sentence.clause_of(phrase)
    if sentence.norm(phrase.start - 1) in ("um", "ohne") and is_predicate(sentence, phrase):
        return ACCUSATIVE
    if _has_other_subject(sentence, clause):
        return NOMINATIVE
    if not _is_joined(sentence, phrase) and _is_no_subject(sentence, phrase, clause):
        return NOMINATIVE
    if _has_nominative(sentence, clause):
        return 0
    if _has_object(sentence, clause) or _opens_clause(sentence, phrase):
        return ACCUSATIVE
    return 0


def _has_other_subject(sentence: Sentence, clause: list[int]) -> bool:
    """Tell whether a clause has its subject elsewhere (Man kennt die Ärztin), so that a phrase is none."""
    norms = sentence.norms
    if any(norms[i] in COPULAS for i in clause):
        return False
    return any(norms[i] in SUBJECTS or (_begins(sentence, i) and _is_masculine(sentence, i)) for i in clause)


def _begins(sentence: Sentence, index: int) -> bool:
    return index == 0 or sentence.norms[index - 1] in CLAUSE_ENDS


def _is_masculine(sentence: Sentence, index: int) -> bool:
    """Tell whether a masculine noun stands behind *der*: a nominative."""
    if sentence.norms[index] != "der":
        return False
    at = index + 1
    while sentence.is_adjective(at):
        at += 1
    return at < len(sentence.tokens) and genders().get(sentence.surface(at)) == "m"


def _has_nominative(sentence: Sentence, clause: list[int]) -> bool:
    """Tell whether something else in a clause may be its subject."""
    return any(sentence.norms[i] in _ANYBODY or _is_masculine(sentence, i) for i in clause)


def _is_joined(sentence: Sentence, phrase: Phrase) -> bool:
    return sentence.norm(phrase.start - 1) in _JOINING or sentence.norm(phrase.head + 1) in _JOINING


def _is_no_subject(sentence: Sentence, phrase: Phrase, clause: list[int]) -> bool:
    """Tell whether the verbs of a clause say that its subject is not in the third person singular."""
    if not clause or any(sentence.norms[i] in COPULAS for i in clause):
        return False
    found = {_numbers().get(sentence.norms[i], "") for i in clause if not sentence.tokens[i].shape or i == 0}
    if "singular" in found:
        return False
    if found & {"second", "first"} or sentence.norms[clause[0]] in _IMPERATIVES:
        return True
    # haben die Ärztin gefragt; but: die Ärztin versucht zu gewinnen
    return "plural" in (_numbers().get(sentence.norm(phrase.start - 1)), _numbers().get(sentence.norm(phrase.head + 1)))


def _has_object(sentence: Sentence, clause: list[int]) -> bool:
    """Tell whether a clause has a masculine accusative (... die Ärztin ihren Ausweis), so that a phrase is none."""
    for i in clause:
        norm = sentence.norms[i]
        if norm != "den" and not (norm.endswith("en") and norm[:-2] in _OBJECTS):
            continue
        at = i + 1
        while sentence.is_adjective(at):
            at += 1
        noun = sentence.surface(at) if at < len(sentence.tokens) else ""
        is_governed = sentence.norm(i - 1) in sentence.closed.prepositions
        if not is_governed and genders().get(noun) == "m" and noun not in _TIMES and not noun.endswith("n"):
            return True
    return False


def _opens_clause(sentence: Sentence, phrase: Phrase) -> bool:
    """Tell whether a phrase is the first of its clause, before a verb in the singular or behind a conjunction.

    *Die Ärztin kam*, *weil die Ärztin* ...: a nominative as good as always where nothing else can be one.
    """
    before, at = sentence.norm(phrase.start - 1), phrase.head + 1
    if before in _SUBORDINATING:
        return True
    return (not phrase.start or before in _SENTENCE_MARKS) and is_verb(sentence, at)
