"""Translators and recipes with a round trip: parts without overlap, gender tags, a toy language pair that is learnt."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any, ClassVar

import pytest
import yaml

from augment.round_trip.translate import RoundTripConfig, Traveller
from augment.round_trip.translators import TAGS, load_translator, translator_info
from rewriter import Rewriter
from rewriter.cli.main import main
from rewriter.errors import ModelError, RecipeError, ResumeError, UsageError
from rewriter.io.files import read_json, read_pairs, write_pairs
from rewriter.records import Pair
from rewriter.runs.recipes import build
from train.recipe.kinds import load_any_recipe, stages_of
from train.recipe.schema import shipped_recipes
from train.round_trip.recipe import RoundTripRecipe
from train.stages.stage import Choice
from train.translator.bitext import write_bitext
from train.translator.config import TranslatorConfig
from train.translator.stages import train_translator

NOUNS = {"Die Lehrerin": "The teacher", "Der Bäcker": "The baker", "Das Kind": "The child", "Die Katze": "The cat"}
VERBS = {"sieht": "sees", "holt": "fetches", "malt": "paints", "kauft": "buys"}
THINGS = {"den Tisch": "the table", "das Buch": "the book", "die Lampe": "the lamp", "den Ball": "the ball"}
WHEN = {"heute": "today", "oft": "often", "nie": "never", "dort": "there", "gern": "gladly", "jetzt": "now"}
TINY: dict[str, Any] = {
    "encoder_layers": 1, "decoder_layers": 1, "d_model": 64, "ffn": 128, "heads": 2, "tokens_per_batch": 600,
    "learning_rate": 3e-3, "warmup": 50, "steps": 20, "eval_every": 10, "patience": 0, "select_by": "loss",
    "dev_sentences": 10, "averaging": 2, "threads": 1, "precision": "fp32", "device": "cpu", "dropout": 0.0,
}  # fmt: skip


def sentences() -> Iterator[tuple[str, str]]:
    for who, does, what, when in itertools.product(NOUNS, VERBS, THINGS, WHEN):
        yield f"{who} {does} {what} {when}.", f"{NOUNS[who]} {VERBS[does]} {THINGS[what]} {WHEN[when]}."


@pytest.fixture
def bitext(tmp_path: Path) -> Path:
    path = tmp_path / "toy.tsv"
    rows = [f"{german}\t{english}" for german, english in sentences()]
    rows += [rows[0], "Die Ärztin kommt.\tThe doctor comes.", "Der Arzt kommt.\tThe doctor comes.", "ohne Englisch\t"]
    path.write_text("\n".join(rows) + "\n", encoding="utf-8")
    return path


def config(path: Path, source: str = "de", target: str = "en", **changes: Any) -> TranslatorConfig:
    values = {
        "source": source,
        "target": target,
        "data": {"inputs": [str(path)], "dev_size": 20, "test_size": 20},
        "tokenizer": {"vocab_size": 400},
        "train": TINY,
    }
    return build(TranslatorConfig, {**values, **changes})


class TestBitext:
    def parts(self, folder: Path) -> dict[str, list[tuple[str, str]]]:
        names = ("train", "dev", "test")
        return {n: [(p.source, p.target) for p in read_pairs(folder / f"{n}.jsonl.zst")] for n in names}

    def test_no_sentence_is_on_both_sides(self, bitext: Path, tmp_path: Path) -> None:
        counts = write_bitext(config(bitext), output=tmp_path / "parts").counts
        parts = self.parts(tmp_path / "parts")
        assert (counts["dev"], counts["test"]) == (len(parts["dev"]), len(parts["test"])) == (19, 19)
        for one, other in itertools.combinations(parts.values(), 2):
            for side in (0, 1):
                assert not {pair[side] for pair in one} & {pair[side] for pair in other}
        assert len(parts["train"]) == len(set(parts["train"])), "repeated pairs are left out"

    def test_tags_come_from_the_person_words_of_the_target(self, bitext: Path, tmp_path: Path) -> None:
        tagged = config(bitext, "en", "de", gender_tags=True)
        counts = write_bitext(tagged, output=tmp_path / "parts").counts
        pairs = self.parts(tmp_path / "parts")["train"]
        feminine = [target for source, target in pairs if source.startswith(TAGS["feminine"])]
        masculine = [target for source, target in pairs if source.startswith(TAGS["masculine"])]
        assert set(feminine) and all("Lehrerin" in text or "Ärztin" in text for text in feminine)
        assert set(masculine) and all("Bäcker" in text or "Arzt" in text for text in masculine)
        assert counts["tagged feminine"] >= 4 * len(set(feminine)), "the rarer gender is taken several times"
        assert any("Bäcker" in target for source, target in pairs if source.startswith("The")), "a part has no tag"
        assert not any(source.startswith("<") for source, _ in self.parts(tmp_path / "parts")["test"])

    def test_contrasting_targets_are_made_of_gender_fair_ones(self, tmp_path: Path) -> None:
        """Appendix G: a pair form gives two targets, each with its tag; all other pairs stay as they are."""
        fair = [f"Die Schülerinnen und Schüler lernen {when}.\tStudents learn {WHEN[when]}." for when in WHEN]
        plain = [f"Das Kind malt {when}.\tThe child paints {WHEN[when]}." for when in WHEN]
        path = tmp_path / "pairs.tsv"
        path.write_text("\n".join([*fair, *plain, *plain]) + "\n", encoding="utf-8")
        contrasting = config(path, "en", "de", contrasts=True)
        write_bitext(contrasting, output=tmp_path / "parts")
        pairs = self.parts(tmp_path / "parts")["train"]
        tagged = {(source, target) for source, target in pairs if source.startswith("<")}
        assert (f"{TAGS['feminine']} Students learn today.", "Die Schülerinnen lernen heute.") in tagged
        assert (f"{TAGS['masculine']} Students learn today.", "Die Schüler lernen heute.") in tagged
        assert all("Kind" in target for source, target in pairs if not source.startswith("<"))
        few = replace(contrasting, data=replace(contrasting.data, plain_share=0.0))
        write_bitext(few, output=tmp_path / "few")
        assert all(source.startswith("<") for source, _ in self.parts(tmp_path / "few")["train"])

    def test_a_share_of_the_pairs_is_joined_with_others(self, bitext: Path, tmp_path: Path) -> None:
        """Short sentences teach nothing about long ones (Kondo et al. 2021)."""
        plain = config(bitext)
        write_bitext(plain, output=tmp_path / "plain")
        joining = replace(plain, data=replace(plain.data, joined_share=0.5))
        counts = write_bitext(joining, output=tmp_path / "joined").counts
        single, both = (self.parts(tmp_path / name) for name in ("plain", "joined"))
        more = [pair for pair in both["train"] if pair not in set(single["train"])]
        assert len(more) == counts["joined"] and abs(len(more) / len(single["train"]) - 0.5) < 0.15
        translation = dict(single["train"])
        for source, target in more:
            parts = [f"{part}." for part in source.rstrip(".").split(". ")]
            assert 2 <= len(parts) <= 4 and " ".join(translation[part] for part in parts) == target
        assert both["dev"] == single["dev"] and both["test"] == single["test"]

    def test_a_share_of_the_pairs_leaves_weight_for_translated_text(self, bitext: Path, tmp_path: Path) -> None:
        """Small back-translated text would drown in a large bitext; the parts that are measured stay as they are."""
        plain = config(bitext)
        write_bitext(plain, output=tmp_path / "plain")
        thinned = replace(plain, data=replace(plain.data, plain_share=0.4, joined_share=0.5))
        counts = write_bitext(thinned, output=tmp_path / "thinned").counts
        every, kept = (self.parts(tmp_path / name) for name in ("plain", "thinned"))
        single = [pair for pair in kept["train"] if pair in set(every["train"])]
        assert abs(len(single) / len(every["train"]) - 0.4) < 0.15
        assert 0 < counts["joined"] < 0.75 * len(single), "the share of joined ones is of the pairs that are left"
        assert kept["dev"] == every["dev"] and kept["test"] == every["test"]

    def test_a_set_that_is_measured_is_not_learnt(self, bitext: Path, tmp_path: Path) -> None:
        rows = bitext.read_text(encoding="utf-8").splitlines()[:40]
        (tmp_path / "held.tsv").write_text("\n".join(rows) + "\n", encoding="utf-8")
        measured = config(bitext)
        measured = replace(measured, data=replace(measured.data, measured={"held": str(tmp_path / "held.tsv")}))
        counts = write_bitext(measured, output=tmp_path / "parts").counts
        held = [(p.source, p.target) for p in read_pairs(tmp_path / "parts" / "held.jsonl.zst")]
        assert counts["measured held"] == len(held) == 40
        learnt = self.parts(tmp_path / "parts")["train"]
        for side in (0, 1):
            assert not {pair[side] for pair in held} & {pair[side] for pair in learnt}
        few = replace(measured, data=replace(measured.data, measured_most=7))
        write_bitext(few, output=tmp_path / "few")
        assert len(list(read_pairs(tmp_path / "few" / "held.jsonl.zst"))) == 7
        assert self.parts(tmp_path / "few")["train"] == learnt, "what is not scored is not learnt either"

    def test_further_pairs_are_learnt_unless_they_are_held(self, bitext: Path, tmp_path: Path) -> None:
        row = next(sentences())
        more = [Pair("<bt> The lamp is green.", "Die Lampe ist grün.", "de", "back-translation", "neutral", "x:1")]
        more += [Pair("<bt> made up", german, "de", "back-translation", "neutral", "x:2") for german, _ in sentences()]
        write_pairs(tmp_path / "more.jsonl.zst", more)
        write_bitext(config(bitext, "en", "de"), output=tmp_path / "parts", more=[tmp_path / "more.jsonl.zst"])
        parts = self.parts(tmp_path / "parts")
        assert ("<bt> The lamp is green.", "Die Lampe ist grün.") in parts["train"]
        held = {target for name in ("dev", "test") for _, target in parts[name]}
        assert held and not held & {target for _, target in parts["train"]}
        assert row[0] in {target for _, target in parts["train"]} | held

    def test_another_run_is_refused_and_the_same_one_stands(self, bitext: Path, tmp_path: Path) -> None:
        write_bitext(config(bitext), output=tmp_path / "parts")
        write_bitext(config(bitext), output=tmp_path / "parts")
        other = config(bitext)
        with pytest.raises(ResumeError, match="max_words"):
            write_bitext(replace(other, data=replace(other.data, max_words=9)), output=tmp_path / "parts")


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"source": "fr"}, "none of them 'fr'"),
        ({"target": "de"}, "both 'de'"),
        ({"quantization": "int3"}, "quantization must be one of"),
        ({"data": {"inputs": ["x"], "tag_share": 2}}, "tag_share"),
        ({"data": {"inputs": ["x"], "joined_share": 2}}, "joined_share"),
        ({"gender_tags": True, "contrasts": True}, "choose one"),
        ({"data": {"inputs": ["x"], "measured": {"../up": "y"}}}, "measured"),
        ({"back_translation": {"model": "m", "beam_size": 0}}, "beam_size"),
        ({"data": {"inputs": ["x"], "dev_sise": 2}}, "data.dev_sise.*did you mean 'dev_size'"),
    ],
)
def test_mistakes_in_a_recipe_are_named(changes: dict[str, Any], message: str) -> None:
    values = {"source": "de", "target": "en", "data": {"inputs": ["x"]}}
    with pytest.raises(RecipeError, match=message):
        build(TranslatorConfig, {**values, **changes}, where="recipe.yaml")


@pytest.mark.slow
def test_a_translator_learns_a_toy_language_and_is_loaded_with_its_digests(bitext: Path, tmp_path: Path) -> None:
    pytest.importorskip("torch")
    pytest.importorskip("sacrebleu")
    learning = config(bitext, train={**TINY, "steps": 400, "eval_every": 100})
    train_translator(learning, output=tmp_path / "run")
    model = tmp_path / "run" / "export" / "model"
    (score,) = translator_info(model).scores
    assert score["metric"] == "BLEU"
    assert score["score"] > 60
    assert read_json(tmp_path / "run" / "score" / "scores.json")["scores"] == [score]
    assert len(load_translator(model).translate(["Das Kind sieht den Ball heute.", ""])) == 2
    steps = train_translator(learning, output=tmp_path / "run")
    assert {step.action for step in steps} == {"skip"}
    wider = replace(learning, beam_size=3)
    steps = train_translator(wider, output=tmp_path / "run", choice=Choice(redo=("score",)))
    assert [step.stage for step in steps if step.action != "skip"] == ["score"], "the search is measured, not learnt"
    assert translator_info(model).scores[0]["score"] > 60
    (model / "model.bin").write_bytes(b"damaged")
    with pytest.raises(ModelError, match=r"model\.bin"):
        load_translator(model)


@pytest.mark.slow
def test_text_is_translated_back_and_a_trained_model_goes_on_from_it(bitext: Path, tmp_path: Path) -> None:
    pytest.importorskip("torch")
    pytest.importorskip("sacrebleu")
    train_translator(config(bitext), output=tmp_path / "there")
    train_translator(config(bitext, "en", "de"), output=tmp_path / "back")
    lines = [f"Das Pferd {does} {what} {when}." for does in VERBS for what in THINGS for when in WHEN]
    (tmp_path / "text.txt").write_text("\n".join(lines), encoding="utf-8")
    text = {"model": str(tmp_path / "there" / "export" / "model"), "inputs": [str(tmp_path / "text.txt")]}
    second = config(bitext, "en", "de", init=str(tmp_path / "back" / "train"), back_translation=text, contrasts=True)
    steps = train_translator(second, output=tmp_path / "second")
    assert steps[0].stage == "back-translation"
    made = [pair for path in (tmp_path / "second" / "back-translation").glob("pairs-*") for pair in read_pairs(path)]
    assert all(pair.source.startswith("<bt> ") and pair.target in lines for pair in made)
    assert translator_info(tmp_path / "second" / "export" / "model").tags == TAGS
    vocabularies = [(tmp_path / name / "tokenizer" / "sentencepiece.model").read_bytes() for name in ("back", "second")]
    assert vocabularies[0] == vocabularies[1]
    assert {step.action for step in train_translator(second, output=tmp_path / "second")} == {"skip"}


def test_a_translator_that_does_not_know_the_tags_is_refused(tmp_path: Path) -> None:
    class Deaf:
        tags: ClassVar[dict[str, str]] = {}

        def translate(self, sentences: list[str]) -> list[str]:
            return sentences

    trip = RoundTripConfig("there", "back", genders=["none", "feminine"])
    with pytest.raises(UsageError, match="does not know the tag for 'feminine'"):
        Traveller(trip, Deaf(), Deaf())


class TestRoundTripRecipe:
    @pytest.fixture
    def recipe(self, bitext: Path, tmp_path: Path) -> Path:
        fair = [f"Die Lehrer*innen {does} {what} {when}." for does in VERBS for what in THINGS for when in WHEN]
        (tmp_path / "fair.txt").write_text("\n".join(fair) + "\n", encoding="utf-8")
        plain = [f"Der Tisch {does} {what} {when}." for does in VERBS for what in THINGS for when in WHEN]
        (tmp_path / "plain.txt").write_text("\n".join(plain) + "\n", encoding="utf-8")
        data = {"inputs": [str(bitext)], "dev_size": 20, "test_size": 20}
        direction = {"data": data, "tokenizer": {"vocab_size": 400}, "train": TINY}
        values = {
            "kind": "round-trip",
            "name": "toy",
            "lang": "de",
            "data": {"inputs": [str(tmp_path / "fair.txt")]},
            "there": {"source": "de", "target": "en", **direction},
            "back": {"source": "en", "target": "de", "gender_tags": True, **direction},
            "round_trip": {"genders": ["none", "feminine"]},
            "merge": {},
            "augment": {"neutral": {"inputs": [str(tmp_path / "plain.txt")]}},
            "filter": {"lang": "", "similarity": 0.0, "length_ratio": 50.0, "alphabet_ratio": 0.1},
            "mix": {"dev_size": 10, "fair_copies": 1.0},
            "tokenizer": {"vocab_size": 400},
            "train": TINY,
            "export": {},
            "score": {"dev_pairs": 5},
        }
        path = tmp_path / "recipe.yaml"
        path.write_text(yaml.safe_dump(values, allow_unicode=True), encoding="utf-8")
        return path

    def test_the_stages_stand_in_order(self, recipe: Path) -> None:
        stages = stages_of(load_any_recipe(recipe))
        names = [stage.name for stage in stages]
        assert names[:5] == ["there/bitext", "there/tokenizer", "there/train", "there/export", "there/score"]
        assert names[-5:] == ["mix", "tokenizer", "train", "export", "score"]
        for number, stage in enumerate(stages):
            assert set(stage.after) <= set(names[:number]), "each stage stands behind those that it reads"

    def test_without_merging_the_whole_way_back_is_mixed(self, recipe: Path) -> None:
        loaded = load_any_recipe(recipe)
        assert isinstance(loaded, RoundTripRecipe)
        by_name = {stage.name: stage for stage in stages_of(replace(loaded, merge=None, fair_sources=False))}
        assert by_name["filter"].after == ("augment/round-trip", "augment/neutral")

    @pytest.mark.parametrize(
        ("override", "message"),
        [
            ("there=null", "give either 'there'"),
            ("back_model=some/model", "give either 'back'"),
            ("target=edits", "target 'full'"),
            ("round_trip.genders=[both]", "genders are none, feminine, masculine"),
            ("merge.cutof=0.5", "merge.cutof.*did you mean 'cutoff'"),
            ("kind=round-tripp", "did you mean 'round-trip'"),
        ],
    )
    def test_mistakes_are_named(self, recipe: Path, override: str, message: str) -> None:
        with pytest.raises(RecipeError, match=message):
            load_any_recipe(recipe, overrides=[override])

    @pytest.mark.parametrize("name", ["de-en", "en-de", "de-en-2", "en-de-2", "en-de-gender"])
    def test_the_shipped_translators_fit(self, name: str) -> None:
        path = next(path for path in shipped_recipes() if path.stem == f"translate-{name}")
        loaded = load_any_recipe(path, overrides=["data.root=folder"])
        assert isinstance(loaded, TranslatorConfig)
        assert loaded.name == path.stem and loaded.train.start == "e5-multilingual"
        assert set(loaded.data.measured) == {"tatoeba-test", "flores", "ntrex", "newstest"}
        learnt = {Path(name).name for name in loaded.data.inputs}
        assert not learnt & {Path(name).name for name in loaded.data.measured.values()}
        if name != "en-de" and name != "de-en":
            assert loaded.init.startswith("runs/translate-") and loaded.back_translation is not None

    def test_the_recipe_for_a_language_without_rules_fits(self) -> None:
        path = next(path for path in shipped_recipes() if path.stem == "round-trip-patterns")
        given = ["data.root=folder", "lang=es", "patterns=es.yaml", "there_model=ES-EN", "back_model=EN-ES"]
        loaded = load_any_recipe(path, overrides=given)
        assert isinstance(loaded, RoundTripRecipe) and loaded.plain is not None and loaded.merge is not None
        sections = (loaded.find, loaded.plain, loaded.round_trip, loaded.merge)
        assert {(one.lang, one.patterns) for one in sections} == {("es", "es.yaml")}

    def test_the_shipped_recipe_fits(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("GENDER_FAIR_DATA", str(tmp_path))
        path = next(path for path in shipped_recipes() if path.stem == "de-round-trip")
        loaded = load_any_recipe(path)
        assert isinstance(loaded, RoundTripRecipe)
        assert loaded.name == "de-round-trip"
        assert loaded.merge is not None and loaded.merge.cutoff == 0.6 and not loaded.merge.verbatim_first

    @pytest.mark.slow
    def test_the_same_method_in_a_language_without_rules(self, tmp_path: Path) -> None:
        """A toy language: *dola*, *dolo* and, fairly, *dolx*; its pivot has no gender."""
        for module in ("torch", "opusfilter", "sacrebleu"):
            pytest.importorskip(module)
        who, does = ("dol", "mel", "tin", "ven"), ("vet", "kam", "lur", "sop", "dit", "pel")
        objects = ("un bun", "ta fim", "ta gro", "un hes")
        bitext = [f"Mi {w}o {d} {o}.\tThe {w} {d}s {o}." for w in who for d in does for o in objects]
        (tmp_path / "bitext.tsv").write_text("\n".join(bitext), encoding="utf-8")
        fair = [f"Mi {w}x {d} {o}." for w in who for d in does for o in objects]
        plain = [f"Ta {d} {o} ed {p}." for d in does for o in objects for p in objects]
        (tmp_path / "text.txt").write_text("\n".join([*fair, *plain]), encoding="utf-8")
        (tmp_path / "patterns.yaml").write_text(
            "forms: [{pattern: '\\b(\\w+)x\\b', feminine: '\\1a', masculine: '\\1o'}]", encoding="utf-8"
        )
        data = {"inputs": [str(tmp_path / "bitext.tsv")], "columns": ["tq", "pv"], "dev_size": 5, "test_size": 5}
        direction = {"data": data, "tokenizer": {"vocab_size": 320}, "train": {**TINY, "steps": 150}}
        values = {
            "kind": "round-trip",
            "name": "toy-patterns",
            "lang": "tq",
            "patterns": str(tmp_path / "patterns.yaml"),
            "data": {"inputs": [str(tmp_path / "text.txt")]},
            "there": {"source": "tq", "target": "pv", **direction},
            "back": {"source": "pv", "target": "tq", **direction},
            "plain": {},
            "merge": {},
            "mix": {"dev_size": 8},
            "tokenizer": {"vocab_size": 320},
            "train": TINY,
            "export": {},
            "score": {"dev_pairs": 5, "guard": "learned", "ablate": False},
        }
        (tmp_path / "recipe.yaml").write_text(yaml.safe_dump(values), encoding="utf-8")
        assert main(["run", str(tmp_path / "recipe.yaml"), "-o", str(tmp_path / "run")]) == 0
        mixed = list(read_pairs(tmp_path / "run" / "mix" / "train.jsonl.zst"))
        assert {"merged", "copy"} <= {pair.strategy for pair in mixed}
        assert all("x " in pair.target for pair in mixed if pair.strategy == "merged")
        model = tmp_path / "run" / "export" / "model"
        with pytest.raises(UsageError, match="'covered'"):
            Rewriter.from_pretrained(model)
        for guard in ("covered", "learned"):
            assert isinstance(Rewriter.from_pretrained(model, guard=guard).rewrite("Mi dolo vet un bun."), str)

    @pytest.mark.slow
    def test_from_text_to_a_scored_rewriter(self, recipe: Path, tmp_path: Path, capsys) -> None:
        for module in ("torch", "opusfilter", "sacrebleu"):
            pytest.importorskip(module)
        run = tmp_path / "run"
        assert main(["train", "translator", str(recipe), "-o", str(run)]) == 0
        assert capsys.readouterr().out.count("BLEU") == 2
        assert not (run / "augment").exists(), "the translators only"
        assert main(["run", str(recipe), "-o", str(run)]) == 0
        assert {pair.strategy for pair in read_pairs(run / "mix" / "train.jsonl.zst")} <= {
            "merged",
            "round-trip",
            "find-fair",
            "copy",
        }
        assert isinstance(Rewriter.from_pretrained(run / "export" / "model").rewrite("Der Tisch steht."), str)
        assert {row["file"] for row in read_json(run / "export" / "model" / "rewriter.json")["data"]} >= {
            "fair.txt",
            "toy.tsv",
        }
        steps = {step["stage"]: step["action"] for step in read_json(run / "run.json")["stages"]}
        assert steps["there/train"] == "skip"
