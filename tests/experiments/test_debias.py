"""The experiment on corpora and bias, whole, on an invented toy corpus; what goes wrong is said."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from eval.bec_pro import generate
from eval.masked_lm import load_masked_lm
from eval.mlm_bias import Measured as BiasMeasured
from eval.mlm_bias import Score
from experiments.debias import __main__ as several
from experiments.debias.cells import log_rows
from experiments.debias.config import DebiasRecipe, load_debias_recipe
from experiments.debias.corpora import corpus_file, split_text
from experiments.debias.diets import chosen_rows, line_scores, masked_alike, shared_places
from experiments.debias.run import debias_stages, run_debias
from experiments.debias.sections import CorpusSpec, DietConfig
from rewriter.cli.main import main
from rewriter.errors import GenderFairError, InputError, MetricError, ModelError, RecipeError, ResumeError, UsageError
from rewriter.io.files import read_json, read_lines
from rewriter.runs.manifest import Manifest, lock
from rewriter.runs.recipes import to_yaml
from rewriter.runs.share import in_share
from train.bert.config import BertConfig, MlmConfig, PackingConfig, WordPieceConfig
from train.bert.packing import SPECIAL, Encoder, Unit, pack_lines
from train.bert.run import load_tokenizer
from train.bert.wordpiece import train_wordpiece
from train.recipe.kinds import load_any_recipe
from train.stages import Choice, plan

torch = pytest.importorskip("torch")
pytest.importorskip("transformers")

RECIPE = """\
kind: debias
name: toy
data: {{inputs: [{text}], held_out: 0.1}}
balance:
  added: {{mode: add, metadata: {metadata}}}
  removed: {{mode: remove, metadata: {metadata}}}
corpora: {{untouched: [1], rewritten: [1]}}
tokenizer: {{vocab_size: 400, min_frequency: 1}}
packing: {{length: 32}}
model: {{size: tiny, hidden: 32, heads: 2, feed_forward: 64, positions: 64}}
train: {{steps: 6, batch_size: 8, learning_rate: 3e-3, warmup: 2, eval_every: 3, save_every: 3, log_every: 3,
  precision: fp32, device: cpu, threads: 1}}
cds: {{texts: {flipped}, options: {{epochs: 1, batch_size: 8}}}}
bec_pro: {{bootstrap: 20}}
probe: {{treebank: {folder}, train: tagged.conllu, test: tagged.conllu}}
sizes:
  less: {{train: {{steps: 3}}}}
"""
METADATA = {
    "category_words": [["judge", "", ""], ["cook", "", ""]],
    "category_identifier": [["he"], ["she"]],
    "category_name": ["male", "female"],
}
PERSONS = sorted({item.person for item in generate("en").items})


def sentences(number: int) -> list[str]:
    """Say of a judge mostly *he*, of a cook mostly *she*; name every person word of BEC-Pro, too."""
    rng = np.random.default_rng(4)
    found = []
    for n in range(number):
        job, common, rare = ("judge", "he", "she") if n % 2 else ("cook", "she", "he")
        pronoun = common if rng.random() < 0.75 else rare
        found.append(f"The {job} of house {n} says that {pronoun} {rng.choice(['likes', 'sees'])} the garden.")
        found.append(f"That {PERSONS[n % len(PERSONS)]} paints a lamp.")
    return found


def treebank(number: int) -> str:
    rows = [("The", "DET"), ("cook", "NOUN"), ("sees", "VERB"), ("her", "PRON"), ("lamp", "NOUN"), (".", "PUNCT")]
    lines = [f"{n}\t{word}\t_\t{tag}\t_\t_\t0\t_\t_\t_" for n, (word, tag) in enumerate(rows, 1)]
    return "".join("# text\n" + "\n".join(lines) + "\n\n" for _ in range(number))


@pytest.fixture
def recipe(tmp_path: Path) -> Path:
    (tmp_path / "text.txt").write_text("\n".join(sentences(250)) + "\n")
    (tmp_path / "flipped.tsv").write_text("ID\tText\n" + "".join(f"{n}\t{s}\n" for n, s in enumerate(sentences(20))))
    (tmp_path / "tagged.conllu").write_text(treebank(12))
    (tmp_path / "terms.json").write_text(json.dumps(METADATA))
    path = tmp_path / "toy.yaml"
    names = {"text": "text.txt", "metadata": "terms.json", "flipped": "flipped.tsv"}
    path.write_text(RECIPE.format(folder=tmp_path, **{key: tmp_path / name for key, name in names.items()}))
    return path


def load(recipe: Path, *overrides: str) -> DebiasRecipe:
    return load_debias_recipe(recipe, overrides=overrides)


def lines(path: Path) -> list[str]:
    return list(read_lines(path))


# --- the whole ---


@pytest.mark.slow
def test_the_command_runs_it_whole_and_again_finds_it_done(
    recipe: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    output = tmp_path / "run"
    assert main(["run", str(recipe), "-o", str(output)]) == 0
    cell = output / "cells" / "rewritten" / "seed-1"
    assert read_json(cell / "cell.json")["stages"]["bert"]["pieces"] == 6 * 8 * 32
    assert not (cell / "bert" / "checkpoints").exists()
    table = (output / "results" / "results.md").read_text()
    for word in ("untrained", "rewritten | CDS", "bec-pro|lang:en", "pos-probe|task:upos", "less by"):
        assert word in table, table
    rows = read_json(output / "results" / "results.json")["rows"]
    assert [(row["corpus"], row["tuned"]) for row in rows] == [
        ("untrained", False), ("untouched", False), ("untouched", True), ("rewritten", False), ("rewritten", True)
    ]  # fmt: skip
    assert rows[0]["perplexity"][0]["untouched"]["pronoun_pieces"] > 0
    assert {step["action"] for step in read_json(output / "run.json")["stages"]} == {"run"}
    assert main(["run", str(recipe), "-o", str(output), "--json"]) == 0
    assert {s["action"] for s in json.loads(capsys.readouterr().out.splitlines()[-1])["stages"]} == {"skip"}


@pytest.mark.slow
def test_every_kind_of_corpus_is_made(recipe: Path, tmp_path: Path) -> None:
    names = ["untouched", "added", "removed", "rewritten-25", "rewritten-50", "added+rewritten", "swapped"]
    chosen = load(recipe, f"corpora={json.dumps({name: [1] for name in names})}")
    run = tmp_path / "run"
    for name in names:
        run_debias(chosen, output=run, choice=Choice(until=f"data/{name}"))
    old, new = lines(run / "text/train.txt.zst"), lines(run / "rewritten/train.txt.zst")
    swapped = lines(run / "swapped/train.txt.zst")
    assert len(old) == len(new) == len(swapped) and all("they" in line for line in new if "judge" in line)
    quarter, half = (lines(run / f"corpus/rewritten-{n}/train.txt.zst") for n in (25, 50))
    assert quarter == [b if in_share(a, 0.25) else a for a, b in zip(old, new, strict=True)]
    assert {n for n, line in enumerate(quarter) if line != old[n]} < {
        n for n, line in enumerate(half) if line != old[n]
    }
    added, removed = (lines(run / f"balance/{name}/train.txt.zst") for name in ("added", "removed"))
    assert added[: len(old)] == old and set(removed) < set(old)
    both = lines(run / "corpus/added+rewritten/train.txt.zst")
    rewritten = dict(zip(old, new, strict=True))
    assert both == [rewritten[line] for line in added]
    for text in (added, removed):
        counts = [
            sum(f"The {job}" in x and f"that {p} " in x for x in text)
            for job in ("judge", "cook")
            for p in ("he", "she")
        ]
        assert min(counts[:2]) / max(counts[:2]) > 0.9 and min(counts[2:]) / max(counts[2:]) > 0.9


@pytest.mark.slow
def test_a_later_command_takes_other_cells_and_the_results_hold_all(recipe: Path, tmp_path: Path) -> None:
    run = tmp_path / "run"
    plain = ["cds=null", "probe=null"]
    first = load(recipe, "cells=[untouched]", *plain)
    assert not any("rewritten/seed" in stage.name for stage in debias_stages(first))
    run_debias(first, output=run)
    with lock(run / ".locks/cells/rewritten/seed-1/bert"):  # another command has it in hand
        steps = run_debias(load(recipe, *plain), output=run)
    assert [s.stage for s in steps if s.action == "elsewhere"] == [
        "cells/rewritten/seed-1/bert", "cells/rewritten/seed-1/measure"
    ]  # fmt: skip
    run_debias(load(recipe, "cells=[rewritten/1]", *plain), output=run)
    rows = read_json(run / "results/results.json")["rows"]
    assert [row["corpus"] for row in rows] == ["untrained", "untouched", "rewritten"]


@pytest.fixture(scope="module")
def stem(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A BERT that never saw *he* or *she*, with them in its vocabulary."""
    from train.bert.trainer import Sets, build_bert, train_masked

    folder = tmp_path_factory.mktemp("stem")
    (folder / "all.txt").write_text("\n".join([*sentences(250), "they see it"]) + "\n")
    (folder / "neutral.txt").write_text(
        "The garden of the judge is near the house of the cook.\nA lamp paints it.\n" * 60
    )
    train_wordpiece([folder / "all.txt"], WordPieceConfig(vocab_size=400, min_frequency=1), folder / "tokenizer")
    encoder = Encoder(load_tokenizer(folder / "tokenizer"), "en")
    examples = pack_lines(read_lines(folder / "neutral.txt"), encoder, PackingConfig(length=32), "en")
    config = BertConfig(size="tiny", hidden=32, heads=2, feed_forward=64, positions=64)
    options = MlmConfig(steps=3, batch_size=4, warmup=1, eval_every=3, precision="fp32", device="cpu", threads=1)
    tokenizer = load_tokenizer(folder / "tokenizer")
    train_masked(
        build_bert(config, len(tokenizer)), Sets(examples, examples, tokenizer), options, seed=1, output=folder
    )
    return folder / "model"


@pytest.mark.slow
def test_all_cells_may_begin_from_one_model(recipe: Path, stem: Path, tmp_path: Path) -> None:
    run = tmp_path / "run"
    chosen = load(recipe, f"stem={stem}", "cds=null", "probe=null", "model=null")
    assert chosen.stem_model(run) == stem and chosen.model.shape() == (2, 32, 2, 64)
    run_debias(chosen, output=run)
    assert load_tokenizer(run / "tokenizer").get_vocab() == load_tokenizer(stem).get_vocab()
    rows = read_json(run / "results/results.json")["rows"]
    assert [row["corpus"] for row in rows] == ["untrained", "stem", "untouched", "rewritten"]
    table = (run / "results/results.md").read_text()
    assert "All cells begin from" in table and "pieces seen after the stem" in table
    compared = table.split("Against the untouched corpus")[1].split("Corpora:")[0]
    assert "rewritten" in compared and "stem" not in compared


NEUTRAL = ["The garden of the judge is near the house of the cook.", "Many lamps shine at night."]


@pytest.mark.slow
def test_a_stem_is_trained_on_lines_that_no_treatment_touches(recipe: Path, tmp_path: Path) -> None:
    held = [*NEUTRAL, "Her lamp shines.", "An actress paints."] * 40
    (tmp_path / "plain.txt").write_text("\n".join(held) + "\n")
    run, short = tmp_path / "run", "{steps: 3, batch_size: 4, warmup: 1, eval_every: 3, precision: fp32, device: cpu}"
    stem = f"stem={{inputs: [{tmp_path / 'plain.txt'}], held_out: 0.2, train: {short}}}"
    plain = ["cds=null", "probe=null", "cells=[rewritten]", "corpora.added=[1]"]
    run_debias(load(recipe, stem, *plain), output=run)
    assert set(lines(run / "stem/text/train.txt.zst")) == set(NEUTRAL)
    assert {"shine", "she", "judge"} <= set(load_tokenizer(run / "tokenizer").get_vocab())
    assert Manifest.load(run / "stem/text", "stage.json").counts["lines_read"] == len(held)  # type: ignore[union-attr]
    begin, end = ((run / f"{name}/bert/model/config.json") for name in ("stem", "cells/rewritten/seed-1"))
    assert read_json(begin) == read_json(end)
    tokenizer, model = load_masked_lm(run / "stem/bert/model")
    he, she, judge = (model.get_input_embeddings().weight[tokenizer.vocab[word]] for word in ("he", "she", "judge"))
    assert torch.equal(he, she) and not torch.equal(he, judge)
    report = (run / "results/results.md").read_text()
    assert "words without gendered ones" in report and "| stem |" in report
    # another stem is another run: the cells behind it follow
    other = load(recipe, stem.replace("steps: 3", "steps: 4"), *plain)
    with pytest.raises(ResumeError, match=r"train.steps: was 3, is 4"):
        run_debias(other, output=run)
    actions = {step.stage: step.action for step in plan(debias_stages(other), run, Choice(redo=("stem/bert",)))}
    assert actions["stem/bert"] == "redo" and actions["cells/rewritten/seed-1/bert"] == "run"
    assert actions["data/rewritten"] == "skip"


def test_a_corpus_may_be_sentences_about_terms(recipe: Path, tmp_path: Path) -> None:
    text, judge = tmp_path / "mixed.txt", "The judge likes his lamp."
    text.write_text(f"A lamp shines. {judge} She left.\nThe cook sees a lamp.\nHe sees it.\n" * 20)
    chosen = load(recipe, f"data.inputs=[{text}]", f"data.about=[{tmp_path / 'terms.json'}]", "data.held_out=0.2")
    (tmp_path / "text").mkdir()
    split_text(chosen, [text], tmp_path / "text")
    assert {line for name in ("train", "held-out") for line in lines(tmp_path / f"text/{name}.txt.zst")} == {judge}
    stage = next(stage for stage in debias_stages(chosen) if stage.name == "text")
    assert "metadata terms.json" in stage.files


@pytest.mark.slow
def test_packed_corpora_can_be_carried_to_another_machine_and_cells_back(recipe: Path, tmp_path: Path) -> None:
    here, there = tmp_path / "here", tmp_path / "there"
    plain = ["cds=null", "probe=null", "cells=[rewritten]"]
    run_debias(load(recipe, *plain), output=here, choice=Choice(until="data/rewritten"))
    run_debias(load(recipe, *plain), output=here, choice=Choice(until="data/held-out"))
    carried = load(recipe, *plain, f"prepared={here}", "data.inputs=[]")
    run_debias(carried, output=there)
    (there / "cells").rename(here / "cells")
    done = {step.stage: step.action for step in plan(debias_stages(load(recipe, *plain)), here)}
    assert done["cells/rewritten/seed-1/bert"] == done["cells/rewritten/seed-1/measure"] == "skip"


# --- what goes wrong ---


@pytest.mark.parametrize(
    ("override", "message"),
    [
        ("train.stepps=3", r"unknown key 'train.stepps' \(did you mean 'steps'"),
        ("sizes.less.trane.steps=3", "unknown key 'trane'"),
        ("size=lesss", r"there is no size 'lesss' \(did you mean 'less'"),
        ("cells=[rewriten]", r"there is no cell 'rewriten' \(did you mean 'rewritten'"),
        ("corpora.rewritten-0=[1]", "there is no corpus 'rewritten-0'"),
        ("corpora.rewritten+added=[1]", "there is no corpus"),
        ("corpora.untouched=[]", "corpora.untouched: seeds must be different"),
        ("balance.rewritten={}", "'rewritten' cannot name a way to balance"),
        ("balance.added.mode=more", "unknown mode 'more'"),
        ("balance.added.context=page", "unknown context 'page'"),
        ("packing.length=99", "more than model.positions"),
        ("data.inputs=[]", "data.inputs names no text"),
        ("stem.inputs=[]", "stem: inputs names no text"),
        ("stem.words=9", "the key 'stem.inputs' is missing"),
        ("stem=nowhere", "model: start: there is no folder nowhere"),
        ("balance.stem={}", "'stem' cannot name a way to balance"),
        ("diets.added={}", "'added' cannot name a diet"),
        ("diets={healthy: {}}", "diets: they rank by the stem"),
        ("diets.healthy.diet=healthy", "diet"),
        ("stem={inputs: [x.txt], lines: unrelated}", "data.about, which is empty"),
        ("stem={inputs: [x.txt], lines: all}", "lines"),
        ("bias.tests=[sets]", "there is no test of bias 'sets'"),
        ("kind=debiased", "unknown kind 'debiased'"),
    ],
)
def test_a_wrong_key_is_named(recipe: Path, override: str, message: str) -> None:
    with pytest.raises(RecipeError, match=message):
        load_any_recipe(recipe, overrides=[override, *(["size=less"] if "sizes" in override else [])])


def test_first_seeds_come_first_and_seeds_may_be_given_for_all(recipe: Path) -> None:
    corpora = "corpora={untouched: [1, 2], rewritten: [3], added: [1, 2]}"
    assert [cell.name for cell in load(recipe, corpora).chosen()] == [
        "untouched/1", "rewritten/3", "added/1", "untouched/2", "added/2"
    ]  # fmt: skip
    assert [cell.name for cell in load(recipe, corpora, "seeds=[7]", "cells=[added, r*/7]").chosen()] == [
        "rewritten/7", "added/7"
    ]  # fmt: skip


def test_overrides_win_over_the_size(recipe: Path) -> None:
    assert load(recipe, "size=less").train.steps == 3
    assert load(recipe, "size=less", "train.steps=4").train.steps == 4


@pytest.mark.parametrize("size", ["", "less"])
def test_the_recipe_that_a_run_leaves_is_the_same_recipe(recipe: Path, tmp_path: Path, size: str) -> None:
    ran = load(recipe, *([f"size={size}"] if size else []))
    (tmp_path / "recipe.yaml").write_text(to_yaml(ran))
    assert load(tmp_path / "recipe.yaml") == ran
    with pytest.raises(RecipeError, match="there is no size 'more'"):
        load(tmp_path / "recipe.yaml", "size=more")


def test_the_shipped_recipe_is_valid_and_stages_stand_behind_those_they_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "en/train").mkdir(parents=True)
    (tmp_path / "en/train/a.txt").write_text("One line.\n")
    monkeypatch.setenv("GENDER_FAIR_DATA", str(tmp_path))
    for size in ("tiny", "mini", "small", "base"):
        shipped = load_any_recipe("debias-bert", overrides=[f"size={size}"])
        assert isinstance(shipped, DebiasRecipe) and shipped.name == f"debias-bert-{size}"
        stages = debias_stages(shipped)
        names = [stage.name for stage in stages]
        assert len(set(names)) == len(names)
        for number, stage in enumerate(stages):
            assert set(stage.after) <= set(names[:number])


def test_an_empty_corpus_is_told(recipe: Path, tmp_path: Path) -> None:
    (tmp_path / "text.txt").write_text("\n\n")
    with pytest.raises(InputError, match="is the corpus empty"):
        run_debias(load(recipe), output=tmp_path / "run")


def test_a_term_of_one_gender_only_cannot_be_balanced(recipe: Path, tmp_path: Path) -> None:
    (tmp_path / "text.txt").write_text("\n".join(s for s in sentences(200) if "she" not in s) + "\n")
    with pytest.raises(MetricError, match="one category only"):
        run_debias(load(recipe, "corpora={added: [1]}"), output=tmp_path / "run")


@pytest.mark.slow
def test_a_damaged_checkpoint_is_named(recipe: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from train.loop import checkpointed

    def stop(self: Any, *args: Any, **kwargs: Any) -> Any:
        raise KeyboardInterrupt

    chosen = load(recipe, "cells=[untouched]", "train.eval_every=5")
    monkeypatch.setattr(checkpointed.MeasuringTrainer, "evaluate", stop)
    with pytest.raises(KeyboardInterrupt):
        run_debias(chosen, output=tmp_path / "run")
    monkeypatch.undo()
    weights = tmp_path / "run/cells/untouched/seed-1/bert/checkpoints/checkpoint-3/model.safetensors"
    whole = weights.read_bytes()
    weights.write_bytes(b"cut")
    with pytest.raises(ModelError, match=r"model.safetensors is missing or damaged"):
        run_debias(chosen, output=tmp_path / "run")
    weights.write_bytes(whole)
    assert run_debias(chosen, output=tmp_path / "run")[-1].action == "run"


def test_other_options_are_refused(recipe: Path, tmp_path: Path) -> None:
    plain = ["cds=null", "probe=null", "cells=[untouched]"]
    run_debias(load(recipe, *plain), output=tmp_path / "run", choice=Choice(until="data/untouched"))
    with pytest.raises(ResumeError, match=r"vocab_size"):
        run_debias(load(recipe, *plain, "tokenizer.vocab_size=300"), output=tmp_path / "run")


def test_items_of_tests_that_are_missing_are_told_before_the_training(
    recipe: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("GENDER_FAIR_TESTSETS", raising=False)
    with pytest.raises(InputError, match="gap: its items are not part of this toolkit"):
        run_debias(load(recipe, "bias={tests: [disco, gap]}"), output=tmp_path / "run")
    assert not (tmp_path / "run/text").exists()


def test_measurements_on_published_sets_are_logged(stem: Path) -> None:
    scores = (Score("right %", 50.0),)
    found = [BiasMeasured(name, "m", scores, 3, "", f"{name}|n:3") for name in ("disco", "gap", "pseudo-perplexity")]
    ((weights, *rest),) = log_rows(found, stem, Path("cells/cda/seed-1"))
    assert rest == ["gap:right %", "cells/cda/seed-1", "50.0000", "gap|n:3"] and len(weights) == 16


def test_what_is_prepared_must_be_there(recipe: Path, tmp_path: Path) -> None:
    with pytest.raises(GenderFairError, match="nothing to take over"):
        run_debias(load(recipe, f"prepared={tmp_path / 'nowhere'}"), output=tmp_path / "run")


@pytest.mark.parametrize(
    ("name", "base", "change", "share"),
    [
        ("untouched", "untouched", "", 1.0),
        ("added", "added", "", 1.0),
        ("rewritten-25", "untouched", "rewritten", 0.25),
        ("added+swapped-50", "added", "swapped", 0.5),
        ("cda-50", "untouched", "cda", 0.5),
        ("rewritten+swapped-50", "rewritten", "swapped", 0.5),
        ("healthy", "healthy", "", 1.0),
    ],
)
def test_names_of_corpora(name: str, base: str, change: str, share: float) -> None:
    assert CorpusSpec.parse(name, ["added"], ["healthy"]) == CorpusSpec(name, base, change, share)


@pytest.mark.parametrize(
    "name", ["healthy+swapped", "rewritten+rewritten-50", "swapped+rewritten", "cda-0", "rewritten+"]
)
def test_names_that_name_no_corpus(name: str) -> None:
    with pytest.raises(UsageError, match="there is no corpus"):
        CorpusSpec.parse(name, ["added"], ["healthy"])


def test_the_lines_that_a_change_takes() -> None:
    names = {
        name: CorpusSpec.parse(name, []) for name in ("cda", "swapped-50", "rewritten+swapped-50", "rewritten+cda")
    }
    assert [spec.lines_of for spec in names.values()] == [
        "swapped",
        "swapped",
        "rewritten+swapped",
        "rewritten+swapped",
    ]
    files = [corpus_file(spec) for spec in (*names.values(), CorpusSpec.parse("rewritten+swapped", []))]
    assert files[:3] == [f"corpus/{name}/train.txt.zst" for name in list(names)[:3]]
    assert files[-1] == "rewritten+swapped/train.txt.zst"


# --- diets ---


def unit(*ids: int) -> Unit:
    """Return pieces between special ones."""
    return Unit([1, *ids, 2], [SPECIAL, *(0 for _ in ids), SPECIAL])


def test_the_same_pieces_are_masked_in_a_line_and_its_counterfactual() -> None:
    his, hers = unit(10, 11, 12, 13), unit(10, 99, 98, 12, 13)
    assert [places.tolist() for places in shared_places(his, hers)] == [[1, 3, 4], [1, 4, 5]]
    one, other = masked_alike(his, hers, 1.0, 4, np.random.default_rng(1))
    assert one["input_ids"].tolist() == [1, 4, 11, 4, 4, 2] and other["input_ids"].tolist() == [1, 4, 99, 98, 4, 4, 2]
    assert one["labels"][[1, 3, 4]].tolist() == [10, 12, 13] == other["labels"][[1, 4, 5]].tolist()
    few = masked_alike(his, hers, 0.0, 4, np.random.default_rng(1))
    assert [(item["labels"] >= 0).sum() for item in few] == [1, 1], "one piece at least is asked for"
    assert masked_alike(unit(10), unit(11), 0.5, 4, np.random.default_rng(1)) == []


def test_a_diet_takes_the_counterfactuals_that_are_read_otherwise() -> None:
    scores, changed = np.array([0.0, 3.0, 1.0, 0.0, 2.0, 0.5]), np.array([0, 1, 1, 0, 1, 1], dtype=bool)
    healthy = DietConfig("healthy-random", factual=50, counterfactual=50)
    factual, other = chosen_rows(healthy, scores, changed)
    assert other == [1, 4] and len(factual) == 3
    unhealthy = chosen_rows(replace(healthy, diet="unhealthy-random"), scores, changed)
    assert unhealthy == (factual, [2, 5]), "the same lines, and the other counterfactuals"


def test_scores_are_differences_between_a_line_and_its_counterfactual(recipe: Path, stem: Path) -> None:
    chosen = load(recipe, f"stem={stem}", "model=null")
    pairs = [("The judge says that he sees it.", "The judge says that she sees it."), ("A lamp.", "A lamp.")]
    first, second = line_scores(chosen, stem, pairs, "cpu")
    assert first > 0 and second == 0
    assert line_scores(chosen, stem, pairs[:1], "cpu")[0] == pytest.approx(first)


@pytest.mark.slow
def test_a_grid_from_a_started_stem(recipe: Path, stem: Path, tmp_path: Path) -> None:
    """All kinds of cells begin from a stem that began from weights; tests and texts stand beside BEC-Pro."""
    about = [*sentences(200)[::2], *("They see her in the garden at night." for _ in range(120))]
    (tmp_path / "more.txt").write_text("\n".join(about) + "\n")
    short = "{steps: 3, batch_size: 4, warmup: 1, eval_every: 3, precision: fp32, device: cpu}"
    overrides = [
        f"model={{start: {stem}}}", "cds=null", "probe=null",
        f"stem={{inputs: [{tmp_path / 'more.txt'}], lines: unrelated, held_out: 0.2, train: {short}}}",
        f"data.about=[{tmp_path / 'terms.json'}]", "diets={healthy: {}}",
        "bias={tests: [disco], words: 20, bootstrap: 20}",
        "balance.strangers={mode: add, metadata: " + str(tmp_path / "terms.json") + ", apart: professions}",
        "corpora={untouched: [1], cda: [1], rewritten+swapped-50: [1], healthy: [1]}",
    ]  # fmt: skip
    chosen, run = load(recipe, *overrides), tmp_path / "run"
    run_debias(chosen, output=run)
    assert set(lines(run / "stem/text/train.txt.zst")) == {about[-1]}, "no line about a judge or a cook"
    old, new = lines(run / "text/train.txt.zst"), lines(run / "swapped/train.txt.zst")
    both = [(a, b) for a, b in zip(old, new, strict=True) if a != b]
    assert lines(run / "corpus/cda/train.txt.zst") == [*old, *(b for _, b in both)] and both
    healthy = lines(run / "diet/healthy/train.txt.zst")
    assert len(healthy) == round(len(old) / 2) + round(len(both) / 2)
    again = lines(run / "corpus/rewritten+swapped-50/train.txt.zst")
    assert len(again) == len(old) and not any(" he " in line for line in again)
    rows = read_json(run / "results/results.json")["rows"]
    assert [row["corpus"] for row in rows] == [
        "untrained", "stem", "untouched", "cda", "rewritten+swapped-50", "healthy"
    ]  # fmt: skip
    names = {(test["measure"], score["name"]) for test in rows[2]["tests"][0] for score in test["scores"]}
    assert ("pseudo-perplexity", "per word, rewritten/held-out") in names and (
        "disco",
        "divergence, bits, words",
    ) in names
    assert "in lines about no term of the corpus" in (run / "results/results.md").read_text()


@pytest.mark.slow
def test_several_commands_share_a_grid(recipe: Path, tmp_path: Path) -> None:
    run = tmp_path / "run"
    given = [str(recipe), "-o", str(run), "--set", "cds=null", "--set", "probe=null", "--commands", "2"]
    assert several.main(given) == 0
    rows = read_json(run / "results/results.json")["rows"]
    assert [row["corpus"] for row in rows] == ["untrained", "untouched", "rewritten"]


def test_what_all_cells_need_is_made_first(recipe: Path, stem: Path) -> None:
    assert several.shared_stages(load(recipe)) == ["data/held-out"]
    started = load(recipe, f"model={{start: {stem}}}", "stem={inputs: [text.txt]}", "data.inputs=[]", "prepared=x")
    assert several.shared_stages(started) == ["data/held-out", "stem/bert"]


def test_lines_that_are_kept_apart_stay_as_they_are(recipe: Path, tmp_path: Path) -> None:
    section = "{mode: add, metadata: " + str(tmp_path / "terms.json") + ", apart: " + str(tmp_path / "apart.json") + "}"
    (tmp_path / "apart.json").write_text(json.dumps(METADATA | {"category_words": [["lamp", "", ""]]}))
    lines_of_lamps = [f"The judge of house {n} says that he likes the lamp." for n in range(40)]
    (tmp_path / "text.txt").write_text("\n".join([*sentences(250), *lines_of_lamps]) + "\n")
    chosen = load(recipe, "balance.strangers=" + section, "corpora={strangers: [1]}")
    run = tmp_path / "run"
    run_debias(chosen, output=run, choice=Choice(until="balance/strangers"))
    old, new = lines(run / "text/train.txt.zst"), lines(run / "balance/strangers/train.txt.zst")
    assert sorted(x for x in new if "lamp" in x) == sorted(x for x in old if "lamp" in x)
    assert len(new) > len(old) and set(new) == set(old)
    assert not (run / "balance/strangers/rest").exists()
    with pytest.raises(RecipeError, match="'apart' is not changed further"):
        load(recipe, "balance.strangers=" + section, "corpora={strangers+rewritten: [1]}")
