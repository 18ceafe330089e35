"""Pairs of read sentences: their text, what stands before it, what is left out, how often a mixture takes them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

import pytest

from augment.gold import GoldConfig, explained, gold_files, make_gold
from eval.reading.gold import FoundSentence, GoldSentence, digest, save_gold
from rewriter.cli.main import main
from rewriter.errors import GenderFairError, InputError, UsageError
from rewriter.io.files import read_pairs, write_pairs
from rewriter.language.interface import get_language
from rewriter.records import Pair

LINES = [
    "Eins. Zwei. Drei. Die Lehrerin kommt. Sie lacht.",
    "Die Xylophonfrau wohnt hier.",
    "Der Ordner ist voll.",
]
#: sentence, line, target
READ = [
    ("Sie lacht.", 1, "Er*sie lacht."),
    ("Die Xylophonfrau wohnt hier.", 2, "Die Xylophonperson wohnt hier."),
    ("Der Ordner ist voll.", 3, "Der Ordner ist voll."),
]


def record(sentence: str, line: int, target: str) -> GoldSentence:
    start = LINES[line - 1].index(sentence)
    gold = GoldSentence(f"s{line}", "de/train/text.txt", line, start, start + len(sentence), digest(sentence))
    return gold.read(sentence, target, "anna")


RECORDS = [record(*row) for row in READ]


def write_data(root: Path, records: Iterable[GoldSentence] = RECORDS) -> Path:
    (root / "de" / "train").mkdir(parents=True)
    (root / "de" / "train" / "text.txt").write_text("".join(f"{line}\n" for line in LINES), encoding="utf-8")
    save_gold(root / "gold.jsonl", records)
    return root


def made(root: Path, **options: object) -> tuple[list[Pair], dict[str, int]]:
    config = GoldConfig([str(root / "gold.jsonl")], "de", **options)  # type: ignore[arg-type]
    manifest = make_gold(config, data=root, output=root / "pairs", fresh=True)
    return sorted(read_pairs(root / "pairs" / "pairs-00000.jsonl.zst"), key=lambda pair: pair.origin), manifest.counts


def test_pairs_hold_the_text_and_what_stands_before(tmp_path: Path) -> None:
    pairs, counts = made(write_data(tmp_path))
    assert pairs == [
        Pair(
            "Sie lacht.",
            "Er*sie lacht.",
            "de",
            "gold",
            "mixed",
            "text.txt:1",
            before="Zwei. Drei. Die Lehrerin kommt.",
        ),
        Pair("Der Ordner ist voll.", "Der Ordner ist voll.", "de", "gold", "neutral", "text.txt:3"),
    ]
    assert counts["left out: outside the candidates"] == 1


def test_a_mark_of_old_does_not_count(tmp_path: Path) -> None:
    """What was outside when it was read may have got a candidate since."""
    pairs, _ = made(write_data(tmp_path, [replace(RECORDS[0], outside=True)]))
    assert len(pairs) == 1


@pytest.mark.parametrize(
    ("records", "options", "reason"),
    [
        ([replace(RECORDS[0], edits=None)], {}, "not read"),
        ([RECORDS[0], replace(RECORDS[0], reader="ben", edits=())], {}, "read again"),
        (RECORDS, {"limit": 2}, "over the limit"),
    ],
)
def test_what_is_left_out_is_counted(
    records: list[GoldSentence], options: dict[str, int], reason: str, tmp_path: Path
) -> None:
    _, counts = made(write_data(tmp_path, records), **options)
    assert counts[f"left out: {reason}"] == 1


def test_lines_that_are_measured_on_are_left_out(tmp_path: Path) -> None:
    root = write_data(tmp_path)
    save_gold(root / "open.jsonl", [replace(RECORDS[0], edits=None, start=0, end=5, digest=digest("Eins."))])
    pairs, counts = made(root, hold_out=[str(root / "open.jsonl")])
    assert [pair.origin for pair in pairs] == ["text.txt:3"]
    assert counts["left out: held out"] == 1


def test_a_larger_limit_adds_to_the_smaller(tmp_path: Path) -> None:
    root = write_data(tmp_path, [record("Eins.", 1, "Eins."), record("Drei.", 1, "Drei."), RECORDS[2]])
    few, more = ({pair.source for pair in made(root, limit=limit)[0]} for limit in (1, 2))
    assert few < more


def test_excluded_texts_are_left_out(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="exclude leaves no input file"):
        made(write_data(tmp_path), exclude=["text*"])


def test_bad_options_are_told(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="name the files of read sentences"):
        GoldConfig([])
    with pytest.raises(UsageError, match="weight must be greater than 0"):
        GoldConfig(["x"], weight=0)
    with pytest.raises(InputError, match="no file of read sentences"):
        gold_files([str(tmp_path / "none.jsonl")])


def test_an_unchanged_run_stands_and_a_changed_one_is_refused(tmp_path: Path) -> None:
    root = write_data(tmp_path)
    config = GoldConfig([str(root / "gold.jsonl")], "de")
    first = make_gold(config, data=root, output=root / "pairs")
    assert make_gold(config, data=root, output=root / "pairs").counts == first.counts
    with pytest.raises(GenderFairError, match=r"limit: was null, is 1|limit: was not given, is 1"):
        make_gold(replace(config, limit=1), data=root, output=root / "pairs")


def test_the_commands_make_and_weigh_them(tmp_path: Path) -> None:
    root = write_data(tmp_path)
    words = ["augment", "gold", str(root / "gold.jsonl"), "--data", str(root), "-o", str(root / "pairs")]
    assert main(words) == 0
    write_pairs(root / "other.jsonl", [Pair(f"{n} Lehrer", f"{n} Lehrer*innen", "de", "plain") for n in range(30)])
    mixed = ["mix", str(root / "other.jsonl"), str(root / "pairs"), "-o", str(root / "mixed")]
    assert main([*mixed, "--set", "weights.gold=3", "--set", "dev_size=0", "--set", "fair_copies=0"]) == 0
    strategies = Counter(pair.strategy for pair in read_pairs(root / "mixed" / "train.jsonl.zst"))
    assert strategies == {"plain": 30, "gold": 6}


def test_repeated_pairs_leave_most_lines_to_training(tmp_path: Path) -> None:
    write_pairs(
        tmp_path / "few.jsonl", [Pair(f"{n} a", f"{n} b", "de", "gold", "mixed", f"text:{n}") for n in range(40)]
    )
    words = ["mix", str(tmp_path / "few.jsonl"), "-o", str(tmp_path / "mixed"), "--set", "weights.gold=20"]
    assert main([*words, "--set", "fair_copies=0"]) == 0
    assert len({pair.source for pair in read_pairs(tmp_path / "mixed" / "dev.jsonl.zst")}) == 4
    assert len({pair.source for pair in read_pairs(tmp_path / "mixed" / "train.jsonl.zst")}) == 35


#: a sentence, its target, what of it the candidates give, and the words without a label
PARTLY = [
    (
        "Der Lehrer sah die Xylophonfrau.",
        "Der*die Lehrer*in sah die Xylophonperson.",
        "Der*die Lehrer*in sah die Xylophonfrau.",
        [],
    ),
    (
        "Die Zimmerer und ihr Chef kamen.",
        "Die Zimm*innen und ihr*e Chef*in kamen.",
        "Die Zimmerer und ihr*e Chef*in kamen.",
        ["Zimmerer"],
    ),
    ("Der Lehrer kam oder sie.", "Der*die Lehrer*in kam.", "Der*die Lehrer*in kam oder sie.", ["sie"]),
]  # fmt: skip


@pytest.mark.parametrize(("text", "target", "kept", "without"), PARTLY)
def test_what_no_candidate_gives_gets_no_label(text: str, target: str, kept: str, without: list[str]) -> None:
    gold = GoldSentence("s", "text.txt", 1, 0, len(text), digest(text)).read(text, target, "anna")
    candidates = get_language("de", reader="model").analyze(text).candidates
    found, doubtful = explained(FoundSentence(gold, "", text, ""), candidates)
    assert found == kept
    assert [text[start:end] for start, end in doubtful] == without
