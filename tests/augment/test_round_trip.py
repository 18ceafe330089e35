"""Round trips: finding, normalising, there and back, merging; translators are small functions here."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import ClassVar

import pytest
from hypothesis import given
from hypothesis import strategies as st

from augment.round_trip import translate
from augment.round_trip.find import FindConfig, find_fair
from augment.round_trip.merge import MergeConfig, differs_elsewhere, merge, merge_round_trips
from augment.round_trip.normalise import normalise_file
from augment.round_trip.records import record_files
from augment.round_trip.rules import get_rules
from augment.round_trip.translate import RoundTripConfig, Traveller, round_trip
from augment.round_trip.translators import load_translator, translator_identity
from rewriter.cli.main import main
from rewriter.errors import ModelError, ResumeError, UsageError
from rewriter.io.files import read_json, read_lines, read_pairs

TEXT = """\
Die Lehrer:innen loben jede:n Schüler:in.
Es regnet seit Tagen.
Alle Bürgerinnen und Bürger kommen. Die MusikIn spielt dort.
"""


class Words:
    """Translates word by word; unknown words stay."""

    tags: ClassVar[dict[str, str]] = {"feminine": "<fem>", "masculine": "<masc>"}

    def __init__(self, table: dict[str, str], feminine: dict[str, str] | None = None) -> None:
        self.table, self.feminine = table, feminine or {}

    def translate(self, sentences: Sequence[str]) -> list[str]:
        return [self._one(text) for text in sentences]

    def _one(self, text: str) -> str:
        table = self.table
        if text.startswith("<"):
            tag, text = text.split(" ", 1)
            table = table | (self.feminine if tag == "<fem>" else {})
        return " ".join(table.get(word, word) for word in text.split(" "))


THERE = Words({"Lehrer:innen": "teachers", "jede:n": "every", "Schüler:in.": "pupil.", "loben": "praise", "Die": "The"})
BACK = Words(
    {"teachers": "Lehrer", "every": "jeden", "pupil.": "Schüler.", "praise": "preisen", "The": "Die"},
    {"teachers": "Lehrerinnen", "every": "jede", "pupil.": "Schülerin."},
)


@pytest.fixture
def text(tmp_path: Path) -> Path:
    path = tmp_path / "text.txt"
    path.write_text(TEXT, encoding="utf-8")
    return path


def lines_of(folder: Path) -> list[dict[str, object]]:
    return [json.loads(line) for path in record_files([folder]) for line in read_lines(path)]


class TestFind:
    def test_pairs_hold_the_sentence_as_written_and_in_one_form(self, text: Path, tmp_path: Path) -> None:
        find_fair(FindConfig([str(text)]), output=tmp_path / "fair")
        first, second = lines_of(tmp_path / "fair")
        assert first["source"] == "Die Lehrer:innen loben jede:n Schüler:in."
        assert first["target"] == "Die Lehrer*innen loben jede*n Schüler*in."
        assert first["forms"] == ["colon noun plural", "colon word", "colon noun singular"]
        assert (second["target"], second["origin"]) == ("Alle Bürger*innen kommen.", "text.txt:3")

    def test_only_singulars(self, text: Path, tmp_path: Path) -> None:
        find_fair(FindConfig([str(text)], only_singular=True), output=tmp_path / "fair")
        assert [record["origin"] for record in lines_of(tmp_path / "fair")] == ["text.txt:1"]

    def test_the_result_does_not_depend_on_the_shards_and_another_run_is_refused(self, text, tmp_path) -> None:
        find_fair(FindConfig([str(text)], shard_lines=1), output=tmp_path / "a")
        find_fair(FindConfig([str(text)]), output=tmp_path / "b")
        assert lines_of(tmp_path / "a") == lines_of(tmp_path / "b")
        with pytest.raises(ResumeError, match="form"):
            find_fair(FindConfig([str(text)], form="colon"), output=tmp_path / "b")


class TestNormalise:
    def test_everything_but_the_forms_stays_byte_for_byte(self, tmp_path: Path) -> None:
        data = "Die Köch_innen  kochen.\r\n\r\n\tTab 😀 und MusikIn\n".encode() + b"\xff\xfe kein UTF-8\n"
        (tmp_path / "in.txt").write_bytes(data)
        report = normalise_file(tmp_path / "in.txt", tmp_path / "out.txt", report=tmp_path / "report.jsonl")
        assert (tmp_path / "out.txt").read_bytes() == data.replace("Köch_innen".encode(), "Köch*innen".encode())
        assert (report.lines, report.changed, report.undecodable) == (4, 1, 1)
        (entry,) = [json.loads(line) for line in read_lines(tmp_path / "report.jsonl")]
        assert (entry["line"], entry["text"]) == (3, "MusikIn")

    def test_the_input_is_never_overwritten(self, text: Path) -> None:
        with pytest.raises(UsageError, match="is the input"):
            normalise_file(text, text)

    def test_the_command_prints_what_was_read(self, text: Path, tmp_path: Path, capsys) -> None:
        assert main(["augment", "normalise", str(text), "-o", str(tmp_path / "out.txt"), "--form", "gap"]) == 0
        assert "read\tpair pair plural\t1" in capsys.readouterr().out
        assert "Bürger_innen" in (tmp_path / "out.txt").read_text(encoding="utf-8")


class TestTravel:
    @pytest.fixture
    def trips(self, text: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Path]:
        monkeypatch.setattr(translate, "load_translator", lambda name, **_: THERE if name == "there" else BACK)
        find_fair(FindConfig([str(text)]), output=tmp_path / "fair")

        def run(**options: object) -> Path:
            config = RoundTripConfig("there", "back", [str(tmp_path / "fair")], **options)
            round_trip(config, output=tmp_path / "trips")
            return tmp_path / "trips"

        return run

    def test_the_way_back_is_the_source_and_the_original_the_target(self, trips) -> None:
        first, *_ = lines_of(trips())
        assert first["source"] == "Die Lehrer preisen jeden Schüler."
        assert first["target"] == "Die Lehrer*innen loben jede*n Schüler*in."
        assert first["pivot"] == "The teachers praise every pupil."
        assert (first["strategy"], first["form"]) == ("round-trip", "masculine")

    def test_a_way_back_that_is_the_original_gives_no_pair(self, trips) -> None:
        folder = trips()
        assert len(lines_of(folder)) == 1
        assert read_json(folder / "stats.json")["counts"]["dropped: same as the original"] == 1

    def test_gender_control_makes_a_source_of_each_gender(self, trips) -> None:
        made = {record["asked"]: record["source"] for record in lines_of(trips(genders=["none", "feminine"]))}
        assert made["feminine"] == "Die Lehrerinnen preisen jede Schülerin."
        assert made["none"] == "Die Lehrer preisen jeden Schüler."

    def test_ways_without_a_tag_may_be_of_another_translator(self, trips, monkeypatch: pytest.MonkeyPatch) -> None:
        """The paper's masculine ways back are those of the translator before fine-tuning (section 4.2)."""
        known = {"there": THERE, "back": BACK, "before": Words({"teachers": "Lehrkräfte"})}
        monkeypatch.setattr(translate, "load_translator", lambda name, **_: known[name])
        folder = trips(genders=["none", "feminine"], untagged="before")
        made = {record["asked"]: record["source"] for record in lines_of(folder)}
        assert made["none"] == "The Lehrkräfte praise every pupil."
        assert made["feminine"] == "Die Lehrerinnen preisen jede Schülerin."
        with pytest.raises(ResumeError, match="untagged"):
            trips(genders=["none", "feminine"])

    def test_a_translator_without_tags_is_refused(self) -> None:
        class Plain(Words):
            tags: ClassVar[dict[str, str]] = {}

        with pytest.raises(UsageError, match="does not know the tag for 'feminine'"):
            Traveller(RoundTripConfig("a", "b", genders=["feminine"]), THERE, Plain({}))

    def test_lines_that_are_no_pairs_are_rejected_and_the_rest_is_done(self, trips, tmp_path) -> None:
        folder = trips()
        path = tmp_path / "own.jsonl"
        path.write_text('{"source": "Die Lehrer:innen", "target": "Die Lehrer*innen"}\nkein JSON\n', encoding="utf-8")
        manifest = round_trip(RoundTripConfig("there", "back", [str(path)]), output=tmp_path / "more")
        assert manifest.counts["rejected"] == 1
        assert [pair.source for pair in read_pairs(record_files([tmp_path / "more"])[0])] == ["Die Lehrer"]
        assert folder.exists()


class TestMerge:
    RULES = get_rules("de")

    @pytest.mark.parametrize(
        ("target", "translation", "merged"),
        [
            # other differences of the way back do not come in
            ("Gestern sah ich die Bäcker*innen dort.", "Ich sah gestern Bäcker.", "Gestern sah ich die Bäcker dort."),
            ("Er hilft einem*r Schüler*in gern.", "Gern hilft er einem Schüler.", "Er hilft einem Schüler gern."),
            # the cut-off: nothing resembles the word, so the whole way back stays
            ("Die Ärzt*innen kommen.", "Die Leute sind da.", None),
            # one of two words has no match
            ("Die Bäcker*innen und Ärzt*innen kommen.", "Die Bäcker und Leute kommen.", None),
            # nothing gender-fair: nothing to merge
            ("Es regnet.", "Regen fällt.", None),
        ],
    )
    def test_fair_words_are_replaced_by_their_closest_match(self, target, translation, merged) -> None:
        assert merge(target, translation, self.RULES) == merged

    def test_a_half_that_occurs_verbatim_goes_first_when_asked_for(self) -> None:
        # difflib prefers the longer word with a hyphen-less tail; the half itself stands there too
        target, translation = "Die Ärzt*innen kommen.", "Die Ärztekammer und Ärzte sind da."
        config = MergeConfig(verbatim_first=True)
        assert merge(target, translation, self.RULES, config) == "Die Ärzte kommen."

    @given(st.lists(st.sampled_from("Bäcker Schüler Ärzte Haus geht Regen die der".split()), max_size=8))
    def test_everything_but_the_fair_words_is_the_target(self, words: list[str]) -> None:
        target = "Heute backen die Bäcker*innen für jede*n Schüler*in."
        source = merge(target, " ".join(words), self.RULES)
        if source is not None:
            assert source.startswith("Heute backen die ")
            assert source.endswith(".")
            assert " für " in source

    @pytest.mark.parametrize(
        ("source", "elsewhere"),
        [
            ("Die Bäcker loben jede Schülerin.", False),
            ("Die Bäcker preisen jede Schülerin.", True),
            ("Die Bäcker loben die alte Schülerin.", True),
        ],
    )
    def test_differences_beyond_the_fair_words_are_told(self, source: str, elsewhere: bool) -> None:
        target = "Die Bäcker*innen loben jede*n Schüler*in."
        assert differs_elsewhere(source, target, self.RULES) is elsewhere

    def test_what_has_no_match_is_kept_whole_or_dropped(self, tmp_path: Path) -> None:
        path = tmp_path / "trips.jsonl"
        path.write_text('{"source": "Leute sind da.", "target": "Die Ärzt*innen kommen."}\n', encoding="utf-8")
        merge_round_trips(MergeConfig([str(path)]), output=tmp_path / "kept")
        merge_round_trips(MergeConfig([str(path)], unmatched="drop"), output=tmp_path / "dropped")
        assert [record["source"] for record in lines_of(tmp_path / "kept")] == ["Leute sind da."]
        assert lines_of(tmp_path / "dropped") == []


class TestTranslators:
    def test_a_missing_model_is_one_sentence(self, tmp_path: Path) -> None:
        pytest.importorskip("transformers")
        with pytest.raises(ModelError, match="no translation model could be loaded"):
            load_translator(tmp_path / "nowhere" / "at" / "all")

    def test_a_name_stands_for_itself_and_a_folder_for_its_files(self, tmp_path: Path) -> None:
        assert translator_identity("somebody/model") == "somebody/model"
        (tmp_path / "config.json").write_text("{}")
        before = translator_identity(tmp_path)
        (tmp_path / "config.json").write_text("{ }")
        assert translator_identity(tmp_path) != before

    def test_any_encoder_decoder_of_transformers_translates(self, tmp_path: Path) -> None:
        pytest.importorskip("torch")
        make_tiny_t5(tmp_path)
        translator = load_translator(tmp_path)
        answers = translator.translate(["Haus", "ein langer Satz mit Haus", "Baum"])
        assert len(answers) == 3
        assert answers == load_translator(tmp_path).translate(["Haus", "ein langer Satz mit Haus", "Baum"])


def make_tiny_t5(folder: Path) -> None:
    import torch
    from tokenizers import Tokenizer, models, pre_tokenizers
    from transformers import PreTrainedTokenizerFast, T5Config, T5ForConditionalGeneration

    words = ["<pad>", "</s>", "<unk>", "Haus", "Baum", "ein", "langer", "Satz", "mit"]
    tokenizer = Tokenizer(models.WordLevel({word: n for n, word in enumerate(words)}, unk_token="<unk>"))
    tokenizer.pre_tokenizer = pre_tokenizers.Whitespace()
    fast = PreTrainedTokenizerFast(
        tokenizer_object=tokenizer, pad_token="<pad>", eos_token="</s>", unk_token="<unk>", model_max_length=64
    )
    fast.save_pretrained(folder)
    with torch.random.fork_rng():
        torch.manual_seed(1)
        sizes = {"d_model": 16, "d_kv": 8, "d_ff": 16, "num_layers": 1, "num_heads": 2, "vocab_size": len(words)}
        model = T5ForConditionalGeneration(T5Config(**sizes, decoder_start_token_id=0, pad_token_id=0, eos_token_id=1))
    model.save_pretrained(folder)
