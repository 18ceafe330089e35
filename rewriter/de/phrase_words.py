"""Closed classes of words by which noun phrases are found."""

from __future__ import annotations

from functools import cache

from lexicons.loader import read_table

#: words that are no attributive adjectives although they end like some, and that end the walk to the left
FUNCTION = frozenset(
    """
    aber alle allen aller als anstatt auch außen außer beinahe bevor bisher bitte dabei dagegen daher daneben danke
    darunter darüber das deiner dem den denen denjenigen denn der deren derer des dessen deswegen die dieser doch
    dorthin draußen drinnen durfte durften dürfen eben ehe einander eine einem einen einer eines ende entweder er
    etwa euer ferner früher gar gegen gegenüber gen gerne gestern habe haben hatte hatten herunter heute hier
    hingegen hinter hinunter ihnen ihr ihrer immer indessen infolge innen ja je jede jedem jeden jeder jener keine
    keinem keinen keiner konnte konnten können könnte könnten lange leider mal mancher mehr meiner mitte mitten
    musste mussten möchte möchten mögen müssen müsste nachher nahe neben noch nur nämliche oben oder ohne samt schon
    schwer sehe seien sein seiner seither selber sie sogar solcher sollen sollte sollten sondern sonst sowie später
    statt trotz ungeachtet ungefähre unser unten unter vorher waren weder wegen weiter welcher wenn wer werde werden
    wessen wie wieder wir woher wollen wollte wollten wurde wurden während wäre wären würde würden zumindest
    zusammen zwischen über
    """.split()
)
#: words for numbers above one
NUMERALS = frozenset("zwei drei vier fünf sechs sieben acht neun zehn elf zwölf hundert tausend paar dutzend".split())
#: adverbs that stand before a nominalised adjective
DEGREES = frozenset(
    """
    schwer leicht sehr psychisch seelisch geistig körperlich chronisch unheilbar
    frisch politisch neu mutmaßlich
    """.split()
)
#: preterites with which speech is told
SAYING = frozenset(
    """
    antwortete äußerte behauptete bemerkte berichtete betonte bestätigte ergänzte erklärte erläuterte erwiderte
    erzählte forderte fragte fügte klagte kommentierte kritisierte kündigte lobte mahnte meinte sagte teilte
    versicherte verkündete warnte
    """.split()
)
#: what is no first part of a sentence by itself
NO_FIELD = frozenset(
    """
    sehr ganz gut frisch neu so zu hoch schlecht schwer als wie und oder aber sowie für mit ohne bei von an in auf
    - – ( „ » * : •
    """.split()
)


@cache
def grammar_words(language: str) -> frozenset[str]:
    """Return the commonest words of grammar that of English (``en``) and German (``de``) one language has only."""
    return frozenset(row["word"] for row in read_table("de", "grammar_words") if row["language"] == language)
