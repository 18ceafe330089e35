"""Measure the universal bias filter beside the original's way; a part of ``audit_speed.py``, which prints it.

Two plain implementations stand beside ours. ``split`` is the least that could be done: lower case, cut at white space,
intersect with two sets made beforehand. ``plain`` is the original's algorithm: it first cleans every sentence by nine
replacements, splits it once for each list, and makes the sets anew. Both miss words that punctuation touches; ours
does not.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from eval.bias_filter import GroupMatcher, UniversalBiasFilter, read_groups

Lists = tuple[Sequence[str], Sequence[str]]

SMALL: Lists = (["she", "her", "hers"], ["he", "him", "his"])
#: what the original replaces in every sentence, one after the other; patterns are found in re's own cache
ADDRESS = "__url__"
STEPS = (
    (r"\[([^]]*)\] \( *" + ADDRESS + r" *\)", r"\1"),
    (ADDRESS, "URL"),
    (r"[^A-Za-z0-9():,.!?\"']", " "),
    ("URL", ADDRESS),
    (r"^\s+", ""),
    (r"\s+$", ""),
    (r"\s+", " "),
)


def split_and_intersect(sentences: Sequence[str], lists: Lists) -> list[int]:
    """Return for each sentence 1 (minority), 2 (majority), 3 (both) or 0."""
    minority, majority = map(frozenset, lists)
    masks = []
    for sentence in sentences:
        words = set(sentence.lower().split())
        masks.append(bool(words & minority) + 2 * bool(words & majority))
    return masks


def plain_filter(sentences: Sequence[str], lists: Lists) -> list[dict[str, object]]:
    """Return the flags of each sentence as the original's algorithm finds them."""
    minority, majority = lists
    flags: list[dict[str, object]] = []
    for sentence in sentences:
        cleaned = re.sub("$", " ", re.sub("^", " ", sentence.lower()))
        words = []
        for word in cleaned.split():
            address = word.find("http")
            words.append(word if address < 0 else f"{word[:address]} {ADDRESS}".strip())
        cleaned = " ".join(words)
        for pattern, replacement in STEPS:
            cleaned = re.sub(pattern, replacement, cleaned)
        first = set(cleaned.split()).intersection(set(minority))
        second = set(cleaned.split()).intersection(set(majority))
        both, neither = bool(first and second), not first and not second
        flags.append(
            {
                "sentence": sentence,
                "minority_flag": bool(first) and not both,
                "majority_flag": bool(second) and not both,
                "neutral_flag": neither or both,
            }
        )
    return flags


def filter_speed(
    texts: Sequence[str], runs: int, name: str, seconds: Callable[[Callable[[], object], int], float]
) -> list[dict[str, object]]:
    """Compare counting and flagging with both plain implementations, for short and for long word lists."""
    groups = read_groups("en")
    long = groups["female"], groups["male"]
    return [_measure(texts, runs, f"{name}, {len(a)} + {len(b)} words", (a, b), seconds) for a, b in (SMALL, long)]


def _measure(
    texts: Sequence[str], runs: int, name: str, lists: Lists, seconds: Callable[[Callable[[], object], int], float]
) -> dict[str, object]:
    ours = UniversalBiasFilter(*lists)
    matcher = GroupMatcher({"minority": lists[0], "majority": lists[1]})
    work: dict[str, Callable[[], object]] = {
        "plain": lambda: plain_filter(texts, lists),
        "split": lambda: split_and_intersect(texts, lists),
        "ours, flags": lambda: ours.flag_sentences(texts),
        "ours, counts": lambda: ours.count(texts),
    }
    times = {who: seconds(task, runs) for who, task in work.items()}
    masks, seen = matcher.scan(texts).masks.tolist(), split_and_intersect(texts, lists)
    return {
        "text": name,
        "sentences": len(texts),
        "characters": round(sum(map(len, texts)) / len(texts)),
        "sentences/s": {who: round(len(texts) / took) for who, took in times.items()},
        "ratio to plain": {who: round(times["plain"] / times[who], 1) for who in ("ours, flags", "ours, counts")},
        "ratio to split": {who: round(times["split"] / times[who], 1) for who in ("ours, flags", "ours, counts")},
        "flagged otherwise by split, %": round(
            100 * sum(a != b for a, b in zip(masks, seen, strict=True)) / len(texts), 2
        ),
    }
