"""Make ``lexicons/en/verbs.tsv`` from lemminflect's tables (facts of the NIH SPECIALIST Lexicon).

Run by hand when lemminflect has a new version: ``python -m tools.make_verbs``. lemminflect is not needed at run
time: it imports spaCy whenever that is installed, which would slow every start of the rewriter.
"""

from __future__ import annotations

import gzip
from importlib.util import find_spec
from pathlib import Path

from tools import LEXICONS

HEADER = """\
# Third-person singular present of English verbs and their base form, lower case.
# Source: lemminflect 0.2.3, which draws on the NIH SPECIALIST Lexicon;
# recent verbs added by us. Auxiliaries and contractions stand in rewriter/en/inflection.py.
# Licence: MIT (lemminflect), free use with attribution (SPECIALIST Lexicon).
third\tbase
"""
WRONG = {"interweave", "logs-in", "torpedo", "wrought", "ok's", "o.k.'s", "is", "has", "does"}
#: verbs that are younger than the source
RECENT = (
    "blog tweet retweet google text vape ghost gaslight livestream vlog podcast crowdfund doxx dox yeet "
    "vibe photobomb friend unfriend unfollow upvote downvote skype facetime zoom uber insta meme "
    "mansplain swipe binge-watch multitask fact-check upcycle rickroll screenshot hashtag onboard "
    "offboard workshop adult stan flex simp lowkey bookmark airdrop spam troll lurk reddit photoshop "
    "autocorrect hotfix git rebase refactor whiteboard wordsmith deadlift speedrun respawn nerf buff "
    "grind roleplay cosplay headcanon ship overthink oversleep underperform micromanage deplatform cancel "
    "deescalate de-escalate homeschool copyedit rage-quit sidestep sideline kickstart jumpstart strongarm "
    "greenlight backchannel double-check"
).split()


def third_person(base: str) -> str:
    """Return the regular third-person singular of ``base``."""
    if base.endswith(("s", "x", "z", "ch", "sh")):
        return base + "es"
    if base.endswith("y") and base[-2:-1] not in "aeiou":
        return base[:-1] + "ies"
    return base + "s"


def read_lemminflect() -> dict[str, list[str]]:
    """Return third-person form -> base forms from lemminflect's installed table."""
    spec = find_spec("lemminflect")
    if spec is None or not spec.submodule_search_locations:
        raise SystemExit("lemminflect is not installed: pip install 'gender-fair-rewriter[augment]'")
    table = Path(next(iter(spec.submodule_search_locations))) / "resources" / "infl_lu.csv.gz"
    forms: dict[str, list[str]] = {}
    with gzip.open(table, "rt", encoding="utf-8") as stream:
        for line in stream:
            cells = line.rstrip("\n").lower().split(",")
            if cells[1] == "verb" and len(cells) > 5:
                for form in filter(None, cells[5].split("/")):
                    forms.setdefault(form, []).append(cells[0])
    return forms


def best_base(form: str, bases: list[str]) -> str:
    """Prefer the base that the regular rules lead to, and among those the shortest (annexes -> annex)."""
    regular = [base for base in bases if third_person(base) == form]
    return min(regular or bases, key=len)


def main() -> None:
    """Write the table."""
    forms = {form: best_base(form, bases) for form, bases in read_lemminflect().items() if form not in WRONG}
    for base in RECENT:
        forms.setdefault(third_person(base), base)
    forms["axes"] = "axe"
    rows = "".join(
        f"{form}\t{base}\n" for form, base in sorted(forms.items()) if form.endswith("s") and " " not in form
    )
    (LEXICONS / "en" / "verbs.tsv").write_text(HEADER + rows, encoding="utf-8")


if __name__ == "__main__":
    main()
