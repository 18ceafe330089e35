"""Mitigation: sub-sentences, words from a masked model, the loop until the gap is closed, files and the command."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
import zstandard
from hypothesis import given
from hypothesis import strategies as st

from augment.mitigate import MitigateConfig, Options, Substitution, Text, mitigate, mitigate_files, sample_corpus
from augment.mitigate.core import Mitigator
from augment.mitigate.masked_lm import Masked, Suggestion, function_words
from augment.mitigate.shuffle import plain_segments, segmenter, shuffled
from eval.bias_filter import GroupMatcher, read_groups
from eval.bias_filter.matcher import class_names
from rewriter.cli.main import main
from rewriter.errors import MetricError, ResumeError, UsageError
from rewriter.io.files import read_lines

MATCHER = GroupMatcher({"female": ["she", "her", "aunt", "queen"], "male": ["he", "him", "his", "king", "duke"]})
HERS = ["She came early. The meeting began late.", "Her boat leaked."]
HIS = [f"He painted wall number {n}. It dried slowly." for n in range(12)]
NEITHER = ["It rained.", "The king saw her.", "Nobody came."]


class FixedModel:
    """Proposes the same words everywhere and remembers what it was asked."""

    def __init__(self, *words: str) -> None:
        self.words, self.asked = words, list[Masked]()

    def suggest(self, places: Sequence[Masked], top: int) -> list[list[Suggestion]]:
        self.asked += places
        return [[Suggestion(word, 1 / (n + 2)) for n, word in enumerate(self.words[:top])] for _ in places]


def names(texts: Sequence[str]) -> Counter[str]:
    return Counter(class_names(MATCHER.groups, MATCHER.scan(texts).masks))


# ---------------------------------------------------------------- shuffling


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("One came. Two left!  Three?", ["One came.", "Two left!", "Three?"]),
        ("No end", ["No end"]),
        ('"Why?" she said. "Because."', ['"Why?"', "she said.", '"Because."']),
        ("first; second", ["first;", "second"]),
        ("他来了。她走了。", ["他来了。", "她走了。"]),
        ("  ", []),
        ("Version 2.5 works.", ["Version 2.5 works."]),
    ],
)
def test_sub_sentences_without_rules_for_the_language(text: str, parts: list[str]) -> None:
    assert [text[start:end] for start, end in plain_segments(text)] == parts


def test_a_language_with_rules_uses_them() -> None:
    text = "Dr. Lamb came. She left."
    assert [text[a:b] for a, b in segmenter("en")(text)] == ["Dr. Lamb came.", "She left."]
    assert segmenter("xx") is plain_segments


@given(st.lists(st.text("abc ", min_size=1, max_size=6), min_size=1, max_size=6), st.integers(0, 9))
def test_shuffling_keeps_every_part_and_what_stands_between(parts: list[str], seed: int) -> None:
    text = ". ".join(part.strip() or "x" for part in parts) + "."
    spans = plain_segments(text)
    result = shuffled(text, spans, np.random.default_rng(seed))
    assert Counter(result) == Counter(text)
    before = [text[a:b] for a, b in spans]
    assert (result != text) == (len(set(before)) > 1)


def test_one_sentence_has_no_other_order() -> None:
    assert shuffled("She came.", [(0, 9)], np.random.default_rng(1)) == "She came."


# ---------------------------------------------------------------- words of a masked model


def test_some_words_of_the_gendered_part_are_replaced_and_gendered_ones_never() -> None:
    model = FixedModel("king", "slowly", "reads", "aunt")
    text = "She writes letters. The engine hums."
    ((result, changes),) = Substitution(model, MATCHER, frozenset({"the"}), share=1.0).apply(
        [text], [[(0, 19)]], np.random.default_rng(3)
    )
    assert [place.text[place.start : place.end] for place in model.asked] == ["writes", "letters"]
    assert {change.after for change in changes} <= {"slowly", "reads"}
    assert result.startswith("She ") and result.endswith(". The engine hums.")
    for change in changes:
        assert text[change.start : change.start + len(change.before)] == change.before


def test_at_least_one_word_is_replaced_and_the_share_is_kept() -> None:
    model = FixedModel("something")
    text = "she " + " ".join(f"word{chr(97 + n)}" for n in range(10))
    rng = np.random.default_rng(1)
    for share, expected in ((0.01, 1), (0.3, 3), (1.0, 10)):
        ((_, changes),) = Substitution(model, MATCHER, share=share).apply([text], [[(0, len(text))]], rng)
        assert len(changes) == expected


@pytest.mark.parametrize("text", ["She saw him.", "SHE WRITES", "Her Boat", "she is at it", ""])
def test_nothing_to_replace(text: str) -> None:
    substitution = Substitution(FixedModel("boat"), MATCHER, frozenset({"saw"}), share=1.0)
    assert substitution.apply([text], [[(0, len(text))]], np.random.default_rng(1)) == [(text, [])]


def test_a_model_without_an_other_word_leaves_the_word() -> None:
    for words in ((), ("letters", "king")):
        substitution = Substitution(FixedModel(*words), MATCHER, share=1.0)
        assert substitution.apply(["she letters"], [[(0, 11)]], np.random.default_rng(1)) == [("she letters", [])]


def test_function_words_are_those_of_the_language() -> None:
    assert {"the", "and"} <= function_words("en")
    assert function_words("xx") == frozenset()


# ---------------------------------------------------------------- the loop


def test_the_gap_is_closed_by_texts_of_the_rarer_gender() -> None:
    corpus = HERS + HIS + NEITHER
    added = mitigate(corpus, MATCHER)
    assert len(added) == len(HIS) - len(HERS)
    assert names(corpus + [a.text for a in added])["female"] == len(HIS)
    assert {a.group for a in added} == {"female"}
    assert {a.origin for a in added} == {"0", "1"}
    assert {a.methods for a in added} == {("over-sampling", "shuffling"), ("over-sampling",)}
    assert all(Counter(a.text) == Counter(corpus[int(a.origin)]) for a in added)


def test_a_round_draws_ten_to_twenty_per_cent() -> None:
    hers = [f"She counts {n}" for n in range(100)]
    added = mitigate(hers + [f"He counts {n}" for n in range(200)], MATCHER)
    sizes = Counter(a.round for a in added)
    assert all(10 <= size <= 20 for number, size in sizes.items() if number < max(sizes))
    assert sum(sizes.values()) == 100
    for number in sizes:
        drawn = [a.origin for a in added if a.round == number]
        assert len(drawn) == len(set(drawn)), "within a round no text is drawn twice"


@pytest.mark.parametrize(("close", "expected"), [(1.0, 10), (0.5, 5), (0.25, 2)])
def test_a_part_of_the_gap(close: float, expected: int) -> None:
    assert len(mitigate(HERS + HIS, MATCHER, options=Options(close=close))) == expected


def test_the_rarer_gender_may_be_either() -> None:
    assert {a.group for a in mitigate(["He left"] + ["She came"] * 4, MATCHER)} == {"male"}
    assert mitigate(["He left", "She came"], MATCHER) == []


def test_the_same_seed_gives_the_same_texts() -> None:
    texts = [*HERS, "She left. It was cold. Nobody spoke.", *HIS]
    runs = [[a.text for a in mitigate(texts, MATCHER, options=Options(seed=seed))] for seed in (1, 1, 2)]
    assert runs[0] == runs[1] != runs[2]


def test_words_are_replaced_only_where_the_text_speaks_of_the_gender() -> None:
    model = FixedModel("arrived", "stopped")
    added = mitigate(HERS + HIS, MATCHER, substitution=Substitution(model, MATCHER, share=1.0))
    assert not any("meeting" in a.text and "meeting" in [c.before for c in a.changes] for a in added)
    assert {c.before for a in added for c in a.changes} <= {"came", "early", "boat", "leaked"}
    assert {"masked-lm"} <= {method for a in added for method in a.methods}


def test_a_text_that_changes_its_class_is_left_out() -> None:
    class Sly(FixedModel):
        """Proposes what the list knows as a phrase only together with the word before."""

    matcher = GroupMatcher({"female": ["she"], "male": ["he", "clever boots"]})
    substitution = Substitution(Sly("boots"), matcher, share=1.0)
    mitigator = Mitigator(matcher, Options(rounds=30), substitution=substitution)
    corpus = [Text(text, str(n)) for n, text in enumerate(["she wears clever things", "he left", "he came"])]
    kept = [a.text for a in mitigator.make(sample_corpus(matcher, corpus))]
    assert all("clever boots" not in text for text in kept)


def test_distinct_texts_leave_the_gap_open_rather_than_repeat() -> None:
    corpus = [Text(text, str(n)) for n, text in enumerate(HERS + HIS)]
    mitigator = Mitigator(MATCHER, Options(distinct=True))
    added = list(mitigator.make(sample_corpus(MATCHER, corpus)))
    assert [a.text for a in added] == ["The meeting began late. She came early."]
    assert mitigator.counts["gap left"] == 9


def test_the_sample_is_bounded_and_uniform() -> None:
    corpus = (Text(f"she {n}", str(n)) for n in range(2000))
    sample = sample_corpus(MATCHER, corpus, pool=200, seed=4)
    numbers = [int(item.origin) for item in sample.pools["female"]]
    assert (len(numbers), sample.counts["female"]) == (200, 2000)
    assert 800 < np.mean(numbers) < 1200


@pytest.mark.parametrize(
    ("texts", "message"),
    [
        ([], "the corpus is empty"),
        (["He left", "It rained"], "1 texts of the class 'male' and none of the class 'female'"),
    ],
)
def test_a_corpus_that_cannot_be_balanced(texts: list[str], message: str) -> None:
    with pytest.raises(MetricError, match=message):
        mitigate(texts, MATCHER)


def test_bad_arguments() -> None:
    with pytest.raises(UsageError, match="not a single string"):
        mitigate("She came", MATCHER)
    with pytest.raises(UsageError, match="two groups, not 1"):
        mitigate(["x"], GroupMatcher({"a": ["x"]}))
    for wrong in ({"oversample": (0.2, 0.1)}, {"close": 0}, {"rounds": 0}):
        with pytest.raises(UsageError):
            Options(**wrong)  # type: ignore[arg-type]


# ---------------------------------------------------------------- files and the command


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    path = tmp_path / "corpus.txt"
    path.write_text("\n".join([*HERS, "", *HIS, *NEITHER]), encoding="utf-8")
    return path


def added_of(folder: Path) -> list[dict]:
    return [json.loads(line) for line in read_lines(folder / "added.jsonl.zst")]


def test_the_command_writes_what_was_made_with_its_origin(corpus: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = corpus.parent / "out"
    assert main(["augment", "mitigate", str(corpus), "-o", str(folder), "--json"]) == 0
    counts = json.loads(capsys.readouterr().out)
    assert counts["before"] == {"female": 2, "male": 12, "mixed": 1, "neutral": 2}
    assert counts["after"] == {"female": 12, "male": 12, "mixed": 1, "neutral": 2}
    records = added_of(folder)
    assert {record["origin"] for record in records} == {"corpus.txt:1", "corpus.txt:2"}
    assert records[0].keys() == {"text", "class", "origin", "round", "methods", "changes"}
    assert main(["augment", "mitigate", str(corpus), "-o", str(folder)]) == 0
    assert "10 texts made" in capsys.readouterr().out


@pytest.mark.parametrize("merge", ["end", "spread"])
def test_the_corpus_is_merged_byte_for_byte(merge: str, corpus: Path) -> None:
    folder = corpus.parent / merge
    mitigate_files(MitigateConfig([str(corpus)], merge=merge), output=folder)
    made = [record["text"] for record in added_of(folder)]
    merged = zstandard.ZstdDecompressor().decompressobj().decompress((folder / "merged.txt.zst").read_bytes())
    lines = merged.decode("utf-8").splitlines()
    source = corpus.read_text(encoding="utf-8").splitlines()
    assert len(lines) == len(source) + len(made)
    if merge == "end":
        assert lines == source + made
    else:
        rest = iter(lines)
        assert all(line in rest for line in source), "the lines of the corpus keep their order"
        assert sorted(lines) == sorted(source + made)
        assert lines[-len(made) :] != made


def test_another_run_is_not_overwritten(corpus: Path) -> None:
    folder = corpus.parent / "out"
    mitigate_files(MitigateConfig([str(corpus)]), output=folder)
    before = (folder / "added.jsonl.zst").read_bytes()
    with pytest.raises(ResumeError, match="option seed: was 1, is 2"):
        mitigate_files(MitigateConfig([str(corpus)], seed=2), output=folder)
    assert (folder / "added.jsonl.zst").read_bytes() == before
    mitigate_files(MitigateConfig([str(corpus)], seed=2), output=folder, fresh=True)
    assert (folder / "added.jsonl.zst").read_bytes() != before


def test_an_own_word_list_and_a_chosen_minority(corpus: Path) -> None:
    table = corpus.with_name("groups.tsv")
    table.write_text("word\tgroup\nrained\train\nboat\tsea\nleaked\tsea\nwall\train\n", encoding="utf-8")
    config = MitigateConfig([str(corpus)], lexicon=str(table), groups=["rain", "sea"])
    manifest = mitigate_files(config, output=corpus.parent / "out")
    assert manifest.counts["after"]["sea"] == 13
    nothing = MitigateConfig([str(corpus)], lexicon=str(table), groups=["rain", "sea"], minority="rain")
    assert mitigate_files(nothing, output=corpus.parent / "none").counts["added"] == 0


@pytest.mark.parametrize(
    ("words", "code", "message"),
    [
        (["--lang", "xx"], 2, "no word list for the language 'xx'"),
        (["--minority", "woman"], 2, "there is no group 'woman'"),
        (["--close", "2"], 2, "close is a share of the gap"),
        (["--set", "oversample=[0.2]"], 2, "two values each"),
        (["--set", "word=0.2"], 2, "word"),
        (["--model", "no-such-folder"], 4, "Pass the folder of one that is on this machine"),
    ],
)
def test_messages(words: list[str], code: int, message: str, corpus: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["augment", "mitigate", str(corpus), "-o", str(corpus.parent / "out"), *words]) == code
    assert message in capsys.readouterr().err


@pytest.mark.parametrize(("data", "code", "message"), [(b"", 2, "empty"), (b"fine\nca\xf1on\n", 4, "corpus.txt:2")])
def test_bad_files(data: bytes, code: int, message: str, corpus: Path, capsys: pytest.CaptureFixture[str]) -> None:
    corpus.write_bytes(data)
    assert main(["augment", "mitigate", str(corpus), "-o", str(corpus.parent / "out")]) == code
    assert message in capsys.readouterr().err


def test_the_lists_of_both_languages_classify_sentences() -> None:
    groups = read_groups("de", "genbit", names=["female", "male"])
    matcher = GroupMatcher(groups)
    assert class_names(matcher.groups, matcher.scan(["Die Äbtissin kam.", "Der Abt schlief."]).masks) == [
        "female",
        "male",
    ]
