"""Pairs of one's own, ``source`` and ``target`` and nothing else: what they are, and that none is lost silently."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from augment.mixing import DEV, TRAIN, MixConfig, mix
from augment.own_pairs import OwnPairs, left_out_lines, told
from rewriter.errors import UsageError
from rewriter.io.files import read_pairs, write_pairs
from rewriter.language.interface import get_language
from rewriter.records import OWN, Pair, inferred_form
from train.explained import check_explained

#: source, target, what its form is
FORMS = [
    ("She left.", "They left.", "mixed"),
    ("Rain fell.", "Rain fell.", "neutral"),
    ("Die Lehrer:innen singen.", "Die Lehrer*innen singen.", "fair"),
    ("Die LehrerInnen singen.", "Die Lehrer*innen singen.", "fair"),
    ("Jede/-r Lehrer/-in singt.", "Jede*r Lehrer*in singt.", "mixed"),
    ("Die Lehrer singen.", "Die Lehrer*innen singen.", "mixed"),
    ("Im Internet: innen hohl.", "Im Internet: innen leer.", "mixed"),
]


@pytest.mark.parametrize(("source", "target", "form"), FORMS)
def test_the_form_is_inferred(source: str, target: str, form: str) -> None:
    assert inferred_form(source, target) == form
    assert Pair.from_dict({"source": source, "target": target}).form == form


def test_a_pair_that_says_what_it_is_is_believed() -> None:
    record = Pair("She left.", "They left.", strategy="forward", form="feminine", origin="a.txt:3").to_dict()
    assert Pair.from_dict(record, where="b.jsonl:7") == Pair(**record)


def test_an_own_pair_comes_from_its_line(tmp_path: Path) -> None:
    path = tmp_path / "mine.jsonl"
    path.write_text('{"source": "She left.", "target": "They left."}\n', encoding="utf-8")
    assert [(pair.strategy, pair.origin) for pair in read_pairs(path)] == [(OWN, "mine.jsonl:1")]


def own_file(path: Path, count: int) -> Path:
    words = [f"{a}{b}" for a in "bdfgklmnprst" for b in ("ana", "ero", "ilu", "oda", "uma")]
    rng = np.random.default_rng(1)
    with path.open("w", encoding="utf-8") as stream:
        for _ in range(count):
            text = " ".join(rng.choice(words, 8))
            stream.write(json.dumps({"source": f"she says {text}", "target": f"they say {text}"}) + "\n")
    return path


def test_own_pairs_beside_augmented_ones_are_kept(tmp_path: Path) -> None:
    """A recipe with 3,000 such pairs once left out 2,924 of them without a word, taking them for plain copies."""
    mine = own_file(tmp_path / "mine.jsonl", 3000)
    made = tmp_path / "pairs.jsonl.zst"
    write_pairs(made, (Pair(f"he {n}", f"they {n}", strategy="forward", form="masculine") for n in range(200)))
    manifest = mix(MixConfig(dev_size=200, fair_copies=0), inputs=[made, mine], output=tmp_path / "mix")
    kept = [p for part in (TRAIN, DEV) for p in read_pairs(tmp_path / "mix" / part) if p.strategy == OWN]
    assert len(kept) >= 2700
    assert manifest.counts["own"] == {"gendered": 3000}
    assert len(kept) + sum(manifest.counts["own left out"].values()) == 3000


def test_a_mixture_that_would_lose_more_than_a_tenth_stops(tmp_path: Path) -> None:
    mine = own_file(tmp_path / "mine.jsonl", 400)
    config = MixConfig(dev_size=10, limits={OWN: 100})
    with pytest.raises(UsageError, match=r"of your 400 own pairs would be left out \(over the share or limit"):
        mix(config, inputs=[mine], output=tmp_path / "mix")
    allowed = MixConfig(dev_size=10, limits={OWN: 100}, most_dropped=1)
    counts = mix(allowed, inputs=[mine], output=tmp_path / "allowed").counts
    assert sum(counts["own left out"].values()) > 40


def test_an_edit_model_says_which_own_pairs_teach_it_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    good = [Pair("She left.", "They left.", strategy=OWN, form="mixed")] * 19
    other = Pair("She left home.", "They abandoned home.", strategy=OWN, form="mixed")
    language = get_language("en")
    check_explained([*good, other], language, 0.1)
    assert "the target is no outcome of the grammar 1" in capsys.readouterr().err
    with pytest.raises(UsageError, match=r"edits: 1 of your 2 own pairs .* mix.most_dropped=1"):
        check_explained([good[0], other], language, 0.1)


#: counts of a stage, the lines that tell of them
LINES = [
    ({"train": 5}, []),
    (
        {"own": {"gendered": 1200, "neutral copies": 3}, "own left out": {"like a development sentence": 2}},
        [
            "1,203 own pairs: gendered 1,200, neutral copies 3",
            "2 own pairs left out: like a development sentence 2",
        ],
    ),
    ({"left out": {"doubtful": 7}}, ["7 left out: doubtful 7"]),
    ({"reasons": {"kept": 90, "duplicate": 4}}, ["4 left out: duplicate 4"]),
    ({"left out: too long": 2, "dropped: same": 1, "x": 9}, ["3 left out: too long 2, same 1"]),
    ({"pairs_too_long": 3}, ["3 left out: too long for max_length 3"]),
    ({"rejected": 2}, ["2 lines that are no pairs left out; they are listed in rejects.jsonl"]),
]


@pytest.mark.parametrize(("counts", "lines"), LINES)
def test_a_stage_tells_what_it_leaves_out(counts: dict, lines: list[str]) -> None:
    assert list(left_out_lines(counts)) == lines


def test_nothing_own_is_nothing_to_check() -> None:
    own = OwnPairs()
    own.add(Pair("a", "b", strategy="forward"))
    own.check("mix", 0.0, "mix.most_dropped")
    assert own.counts() == {}
    assert told({}) == ""
