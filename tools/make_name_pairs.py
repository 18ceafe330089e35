"""Makes ``en/name_pairs.tsv`` from ``en/given_names.tsv``: names of women and of men paired by how frequent they are.

Run it as ``python -m tools.make_name_pairs``. The pairing follows Hall Maudslay et al. 2019 ("It's All in the Name:
Mitigating Gender Bias with Name-Based Counterfactual Data Substitution", section 3.2), which matches names by frequency
and by how surely they are a woman's or a man's; here the second is a threshold, the first the rank.
"""

from __future__ import annotations

from lexicons.loader import read_table
from tools import LEXICONS

#: a name belongs to a gender that bears it at least this often for once by the other; all others stay as they are
LEAST_RATIO = 5.0
#: a name that is a word too (Will, Rose) is taken when at least this share, in percent, bears it
LEAST_SHARE_OF_WORDS = 0.01
#: nouns of the swap table, titles, names of gods, and family names and words of other languages, written as given names
NO_NAMES = frozenset(
    "man guy king queen prince princess lady major jesus an so see in my son baby love lord santa santo yang chan yee "
    "yen nu ha hyman wan yan yuk li lin ling min homer romana france britain china india africa holland".split()
)

HEAD = """\
# Given names of women and men paired by frequency: the most frequent with the most frequent, and so on.
# way: both (one to one), to-masculine or to-feminine (more women's names are listed than men's, the rare ones share a
# man's name; and names that are places or peoples too, like Virginia and Israel, are partners of none).
# Names borne by both genders (less than {ratio:g} : 1) are left out, and rare names that are ordinary words.
# Source: given_names.tsv (US Census Bureau, 1990), made by tools/make_name_pairs.py. Licence: public domain.
feminine\tmasculine\tway
"""


def ranked(gender: str) -> list[str]:
    """Return the names of a gender, most frequent first."""
    other = "male" if gender == "female" else "female"
    ordinary = words(but=("place", "people"))
    found = []
    for row in read_table("en", "given_names"):
        name, share = row["name"], float(row[gender])
        is_rare_word = name in ordinary and share < LEAST_SHARE_OF_WORDS
        if len(name) > 1 and share > LEAST_RATIO * float(row[other]) and name not in NO_NAMES and not is_rare_word:
            found.append((-share, name))
    return [name for _, name in sorted(found)]


def words(*kinds: str, but: tuple[str, ...] = ()) -> set[str]:
    """Return the capitalised words of some kinds (of all without any), but for some."""
    rows = read_table("en", "capitalised")
    return {row["word"] for row in rows if (not kinds or row["kind"] in kinds) and row["kind"] not in but}


def pairs() -> list[tuple[str, str, str]]:
    """Return (feminine, masculine, way)."""
    # told from the place, people or month only by a surname, so that swapping twice would not give them back
    places = words("month", "day", "holiday", "place", "people", "belief", "thing")
    every = ranked("female"), ranked("male")
    women, men = ([name for name in names if name not in places] for names in every)
    both = [(woman, man, "both") for woman, man in zip(women, men, strict=False)]
    rare = men[len(men) // 2 :]
    rest = [(woman, rare[place % len(rare)], "to-masculine") for place, woman in enumerate(women[len(men) :])]
    for name in every[0]:
        if name in places:
            rest.append((name, men[min(every[0].index(name), len(men) - 1)], "to-masculine"))
    for name in every[1]:
        if name in places:
            rest.append((women[every[1].index(name)], name, "to-feminine"))
    return both + rest


def main() -> None:
    """Write the table."""
    lines = ["\t".join(row) + "\n" for row in pairs()]
    target = LEXICONS / "en" / "name_pairs.tsv"
    target.write_text(HEAD.format(ratio=LEAST_RATIO) + "".join(lines), encoding="utf-8")


if __name__ == "__main__":
    main()
