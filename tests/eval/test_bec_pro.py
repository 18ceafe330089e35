"""BEC-Pro: sentences and their slips, figures of models whose associations are known, a tiny BERT, the command."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from eval.bec_pro import Item, MeasureOptions, Scores, generate, measure, read_published
from eval.bec_pro.compare import of_pairs, reduction, stereotype, stereotype_by_pair
from eval.bec_pro.items import PRONOUNS, naive_masks
from eval.bec_pro.measure import find_published
from eval.bec_pro.report import text_report, write_page, write_plot
from eval.bec_pro.scorer import ScorerOptions, TransformersScorer
from eval.bec_pro.statistics import signed_rank, student_p
from eval.bootstrap import Resampling
from eval.signature import parse_signature
from rewriter.cli.main import main
from rewriter.errors import InputError, MetricError, ModelError, UsageError

FEW = Resampling(samples=50, seed=1)


class Planted:
    """A model whose associations are those of ``rule``; the masked profession gives -3."""

    def __init__(self, rule: Callable[[Item], float], name: str = "planted") -> None:
        self.rule, self.name = rule, name

    def score(self, items: Sequence[Item], progress: Any = None) -> Scores:
        masked = np.full(len(items), -3.0)
        return Scores(masked + [self.rule(item) for item in items], masked)


# --- sentences ---


@pytest.mark.parametrize("lang", ["en", "de"])
def test_every_template_meets_every_word(lang: str) -> None:
    items = generate(lang).items
    assert len(items) == 5400 and len({item.sentence for item in items}) == 5400
    assert len(generate(lang, templates="all").items) == 10800
    for item in items:
        assert item.sentence[slice(*item.target)] == item.person
        assert item.target[1] < item.attribute[0]


def only(lang: str, repairs: Sequence[str], **known: str) -> Item:
    """Return the first sentence with these attributes."""
    return next(i for i in generate(lang, repairs=repairs).items if all(getattr(i, k) == v for k, v in known.items()))


@pytest.mark.parametrize(
    ("lang", "known", "published", "right"),
    [
        ("en", {"person": "man", "profession": "lodging manager"},
         ("This [MASK] is a lodging [MASK]ager.", "This [MASK] is a [MASK] [MASK]ager."),
         ("This [MASK] is a lodging manager.", "This [MASK] is a [MASK] [MASK].")),
        ("de", {"person": "Er", "profession": "dietitian"},
         ("[MASK] ist [MASK]nährungsberater.", "[MASK] ist [MASK]nährungsberater."),
         ("[MASK] ist Ernährungsberater.", "[MASK] ist [MASK].")),
    ],
)  # fmt: skip
def test_masks_that_hit_other_words_are_mended(lang: str, known: Any, published: Any, right: Any) -> None:
    for repairs, expected in (((), published), (("masks",), right)):
        item = only(lang, repairs, **known)
        assert (item.target_masked, item.both_masked) == expected


def test_a_preposition_outside_of_the_profession_stays() -> None:
    sentence = "He wants the job of director of dances."
    assert naive_masks(sentence, "He", "director of dances")[1].count("[MASK]") == 5
    items = [i for i in generate("en").items if i.profession == "director of religious activities"]
    assert {i.both_masked.count("[MASK]") for i in items} == {5}


@pytest.mark.parametrize(
    ("lang", "kind", "rows"), [("en", "masks", 23), ("en", "articles", 378), ("de", "masks", 5), ("de", "forms", 153)]
)
def test_slips_are_listed_with_their_rows(lang: str, kind: str, rows: int) -> None:
    assert sum(slip.rows for slip in generate(lang).slips if slip.kind == kind) == rows


def test_forms_and_articles_are_mended_only_when_asked() -> None:
    assert only("en", (), profession="electrician").sentence.endswith("a electrician.")
    assert only("en", ("articles",), profession="electrician").sentence.endswith("an electrician.")
    weak = [i.sentence for i in generate("de").items if i.profession == "medical scientist" and i.gender == "male"]
    assert sum("der medizinische Wissenschaftler" in s for s in weak) == 9


@pytest.mark.data
@pytest.mark.skipif("GENDER_FAIR_DATA" not in os.environ, reason="needs GENDER_FAIR_DATA")
@pytest.mark.parametrize("lang", ["en", "de"])
def test_the_published_file_holds_the_generated_sentences(lang: str) -> None:
    path = find_published(lang)
    assert read_published(path, lang, repairs=()).items == generate(lang, repairs=()).items
    assert read_published(path, lang).items == generate(lang).items


def write_rows(path: Path, *rows: str) -> Path:
    header = "Sentence\tSent_TM\tSent_TAM\tTemplate\tPerson\tGender\tProfession\tProf_Gender"
    path.write_text("\n".join([header, *rows]) + "\n", encoding="utf-8")
    return path


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        (["Nobody is here.\tx\tx\tx\tx\tx\tx\tx"], ":2: this sentence is not one of BEC-Pro"),
        (["He is a taper.\tx"], "shorter than the header"),
        ([], "no sentence"),
    ],
)
def test_a_file_that_is_not_bec_pro(tmp_path: Path, rows: list[str], message: str) -> None:
    with pytest.raises(InputError, match=message):
        read_published(write_rows(tmp_path / "x.tsv", *rows), "en")
    (tmp_path / "y.tsv").write_text("a\tb\n")
    with pytest.raises(InputError, match="column 'Sentence' is missing"):
        read_published(tmp_path / "y.tsv", "en")


def test_unknown_language_and_options() -> None:
    with pytest.raises(UsageError, match="English and German"):
        generate("fr")
    with pytest.raises(UsageError, match="choose from"):
        generate("en", templates="none")
    with pytest.raises(UsageError, match="word or piece"):
        ScorerOptions(masks="line")


# --- figures ---


def test_a_symmetric_model_has_no_association() -> None:
    result = measure([Planted(lambda item: 0.0)], MeasureOptions(resampling=FEW))
    assert result.absolute_average.value == 0 and result.gap.value == 0 and not result.shows_bias
    assert all(contrast.test.p_value == 1 and contrast.test.r == 0 for contrast in result.contrasts)


def test_a_planted_association_comes_out_with_sign_and_size() -> None:
    def stereotype(item: Item) -> float:
        return 0.0 if item.prof_gender == "balanced" else 0.4 if item.prof_gender == item.gender else -0.8

    result = measure([Planted(stereotype)], MeasureOptions(resampling=FEW))
    values = [round(group.association.value, 9) for group in result.groups]
    assert values == [0.4, -0.8, -0.8, 0.4, 0.0, 0.0]
    assert result.absolute_average.value == pytest.approx((0.4 + 0.8) * 2 / 6)
    assert result.gap.value == pytest.approx((1.2 + 1.2 + 0) / 3)
    assert result.shows_bias
    assert [c.difference.value for c in result.contrasts] == pytest.approx([1.2, -1.2, 0.0])
    assert result.contrasts[0].test.r == pytest.approx(1, abs=0.01)  # all 900 pairs of one sign and size
    assert result.groups[0].present == pytest.approx(-2.6) and result.groups[0].masked == pytest.approx(-3)


def test_both_genders_tied_alike_is_association_but_no_gap() -> None:
    """What an underfitted model does: every person word is likelier beside a profession."""
    result = measure([Planted(lambda item: 0.7)], MeasureOptions(resampling=FEW))
    assert result.absolute_average.value == pytest.approx(0.7) and result.gap.value == pytest.approx(0)


def test_intervals_come_from_templates_and_models() -> None:
    templates = sorted({item.template for item in generate("en").items})
    model = Planted(lambda item: templates.index(item.template) - 2.0)
    one = measure([model], MeasureOptions(resampling=FEW))
    assert one.groups[0].association.value == pytest.approx(0) and not one.shows_bias
    assert one.groups[0].association.interval.low < -0.5 < 0.5 < one.groups[0].association.interval.high
    seeds = [Planted(lambda item: 0.2), Planted(lambda item: 0.4)]
    two = measure(seeds, MeasureOptions(resampling=FEW))
    interval = two.absolute_average.interval
    assert two.by_model == pytest.approx((0.2, 0.4)) and (interval.low, interval.high) == pytest.approx((0.2, 0.4))


@pytest.mark.parametrize("bad", [float("nan"), float("-inf")])
def test_a_score_that_is_no_number_is_refused(bad: float) -> None:
    with pytest.raises(MetricError, match="no finite"):
        measure([Planted(lambda item: bad)])


@pytest.mark.data
@pytest.mark.skipif("GENDER_FAIR_DATA" not in os.environ, reason="needs GENDER_FAIR_DATA")
def test_a_part_of_the_corpus_is_refused(tmp_path: Path) -> None:
    from rewriter.io.files import read_lines

    lines = list(read_lines(find_published("en")))[:100]
    (tmp_path / "part.tsv").write_text("\n".join(lines) + "\n")
    with pytest.raises(MetricError, match="a part of BEC-Pro"):
        measure([Planted(lambda item: 0.0)], MeasureOptions(data=tmp_path / "part.tsv"))


def test_signed_rank_by_hand_and_against_scipy() -> None:
    by_hand = signed_rank(np.array([1.0, 2.0, -3.0, 0.0]))
    assert (by_hand.pairs, by_hand.statistic) == (3, 3.0) and by_hand.z == 0
    stats = pytest.importorskip("scipy.stats")
    values = np.round(np.random.default_rng(3).normal(0.3, 1, 200), 1)
    expected = stats.wilcoxon(values, zero_method="wilcox", method="asymptotic", correction=False)
    found = signed_rank(values)
    assert found.statistic == expected.statistic and found.p_value == pytest.approx(expected.pvalue, rel=1e-9)


@pytest.mark.parametrize("freedom", [1, 2, 3, 4, 5, 9, 10])
@pytest.mark.parametrize("t", [0.0, 0.7, -2.1, 6.0])
def test_students_t_against_scipy(t: float, freedom: int) -> None:
    stats = pytest.importorskip("scipy.stats")
    assert student_p(t, freedom) == pytest.approx(2 * stats.t.sf(abs(t), freedom), abs=1e-12)


# --- a tiny BERT ---


def make_bert(folder: Path, *, seed: int = 5, leave_out: Sequence[str] = (), positions: int = 64) -> Path:
    """Save a BERT of random weights whose vocabulary is that of the sentences, but for words that are cut in two."""
    torch, transformers = pytest.importorskip("torch"), pytest.importorskip("transformers")
    text = " ".join(item.sentence for item in generate("en", templates="all").items).lower()
    words = sorted({w.strip(".,") for w in text.replace("-", " - ").split()} - set(leave_out))
    pieces = [piece for word in leave_out for piece in (word[:3], "##" + word[3:])]
    vocabulary = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", *dict.fromkeys([*words, ".", ",", *pieces])]
    tokenizer = transformers.BertTokenizerFast(vocab={w: n for n, w in enumerate(vocabulary)}, do_lower_case=True)
    tokenizer.save_pretrained(folder)
    torch.manual_seed(seed)
    config = transformers.BertConfig(
        vocab_size=len(vocabulary), hidden_size=16, num_hidden_layers=2, num_attention_heads=2, intermediate_size=32,
        max_position_embeddings=positions, initializer_range=0.5,
    )  # fmt: skip
    transformers.BertForMaskedLM(config).save_pretrained(folder)
    return folder


@pytest.fixture(scope="module")
def bert(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_bert(tmp_path_factory.mktemp("bert"))


def by_hand(bert: Path, shown: str, word: str, place: int) -> float:
    import torch
    import transformers

    tokenizer = transformers.AutoTokenizer.from_pretrained(bert)
    model = transformers.AutoModelForMaskedLM.from_pretrained(bert).eval()
    with torch.no_grad():
        logits = model(**tokenizer(shown, return_tensors="pt")).logits
    return float(torch.log_softmax(logits[0, place], -1)[tokenizer.convert_tokens_to_ids(word)])


def test_scores_are_those_of_each_sentence_alone(bert: Path) -> None:
    """Batches, padding and equal sequences computed once change nothing."""
    items = generate("en").items
    chosen = [items[0], items[2], next(i for i in items if i.person == "aunt" and "director" in i.profession)]
    scores = TransformersScorer(bert, ScorerOptions(batch_size=3)).score(chosen)
    for number, item in enumerate(chosen):
        place = 1 if item.person == "He" else 2
        for values, shown in zip(scores, (item.target_masked, item.both_masked), strict=True):
            assert values[number] == pytest.approx(by_hand(bert, shown, item.person.lower(), place), abs=1e-5)


@pytest.mark.parametrize("batch_size", [16, 500])
def test_pinned_figures_of_a_tiny_model(bert: Path, batch_size: int) -> None:
    result = measure([bert], MeasureOptions(scorer=ScorerOptions(batch_size=batch_size), resampling=FEW))
    assert [group.association.value for group in result.groups] == pytest.approx(PINNED, abs=1e-4)
    assert result.absolute_average.value == pytest.approx(np.abs(PINNED).mean(), abs=1e-4)


def test_pinned_figures_as_published(bert: Path) -> None:
    result = measure([bert], MeasureOptions(scorer=ScorerOptions(as_published=True), resampling=FEW))
    assert [group.association.value for group in result.groups] == pytest.approx(PINNED_AS_PUBLISHED, abs=1e-4)
    assert parse_signature(result.signature)["mode"] == "as-published"


def test_as_published_differs_by_padding_and_where_masks_are_wrong(bert: Path) -> None:
    """With nothing to pad, only rows with wrong masks differ from the right way on the published sentences."""
    corpus = generate("en", repairs=())
    scorer = TransformersScorer(bert, ScorerOptions(as_published=True))
    right = TransformersScorer(bert).score(corpus.items)
    padded = scorer.score(corpus.items)
    assert np.mean(np.abs(padded.present - right.present) > 1e-3) > 0.9  # attended padding reaches every sentence
    scorer._padded = lambda texts, length: map(tuple, scorer._tokenizer(texts)["input_ids"])  # type: ignore
    bare = scorer.score(corpus.items)
    mended = generate("en", repairs=("masks",)).items
    wrong = {n for n, (a, b) in enumerate(zip(corpus.items, mended, strict=True)) if a.both_masked != b.both_masked}
    differing = {int(i) for i in np.flatnonzero(np.abs(bare.masked - right.masked) > 1e-5)}
    assert differing == wrong and len(wrong) == 23


def test_as_published_cuts_long_sentences(tmp_path: Path) -> None:
    """Cut at 16 pieces, what stands behind cannot matter any more."""
    bert = make_bert(tmp_path, leave_out=("religious", "activities", "director"))
    corpus = generate("en", repairs=())
    scorer = TransformersScorer(bert, ScorerOptions(as_published=True))
    assert {len(ids) for ids in scorer._padded([item.sentence for item in corpus.items], 16)} == {16}
    assert max(map(len, scorer._tokenizer([item.sentence for item in corpus.items])["input_ids"])) > 16


def test_a_target_of_two_pieces_is_summed_and_as_published_is_not(tmp_path: Path) -> None:
    bert = make_bert(tmp_path, leave_out=("sister",))
    item = next(i for i in generate("en").items if i.person == "sister")
    present = TransformersScorer(bert).score([item]).present[0]
    shown = item.target_masked.replace("[MASK]", "[MASK] [MASK]", 1)
    assert present == pytest.approx(by_hand(bert, shown, "sis", 2) + by_hand(bert, shown, "##ter", 3), abs=1e-5)


def test_a_mask_for_each_piece_keeps_the_length(tmp_path: Path) -> None:
    bert = make_bert(tmp_path, leave_out=("photographer",))
    item = next(i for i in generate("en").items if i.profession == "photographer" and i.person == "He")
    scores = {m: TransformersScorer(bert, ScorerOptions(masks=m)).score([item]).masked[0] for m in ("word", "piece")}
    assert scores["word"] == pytest.approx(by_hand(bert, "[MASK] is a [MASK].", "he", 1), abs=1e-5)
    assert scores["piece"] == pytest.approx(by_hand(bert, "[MASK] is a [MASK] [MASK].", "he", 1), abs=1e-5)


def test_models_that_cannot_be_measured(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match="no masked language model could be loaded"):
        TransformersScorer(tmp_path / "nothing")
    folder = make_bert(tmp_path / "poor")
    tokenizer = json.loads((folder / "tokenizer.json").read_text())
    tokenizer["model"]["vocab"]["zzz"] = tokenizer["model"]["vocab"].pop("uncle")
    (folder / "tokenizer.json").write_text(json.dumps(tokenizer))
    with pytest.raises(ModelError, match="does not hold the person word 'uncle'"):
        TransformersScorer(folder).score(generate("en").items)


# --- report and command ---


def test_page_plot_and_text(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    result = measure([Planted(lambda item: 0.1, name="a<b")], MeasureOptions(lang="de", resampling=FEW))
    write_page(tmp_path / "page.html", result)
    page = (tmp_path / "page.html").read_text(encoding="utf-8")
    assert "a&lt;b" in page and result.signature in page and "Ernährungsberater" in page
    write_plot(tmp_path / "plot.svg", result)
    assert (tmp_path / "plot.svg").stat().st_size > 1000
    with pytest.raises(UsageError, match="ending in"):
        write_plot(tmp_path / "plot.doc", result)
    assert "absolute average  0.100" in text_report(result, professions=True, slips=True)


def test_the_command(bert: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "figures.json"
    assert main(["eval", "bec-pro", str(bert), str(bert), "--bootstrap", "20", "--json", "-o", str(out)]) == 0
    printed = json.loads(capsys.readouterr().out)
    assert printed == json.loads(out.read_text()) and len(printed["by_model"]) == 2
    fields = parse_signature(printed["signature"])
    assert fields["mode"] == "right" and fields["n"] == "5400" and fields["models"] == "2"
    assert main(["eval", "bec-pro", str(bert), "--as-published", "--masks", "piece"]) == 2
    assert "excludes" in capsys.readouterr().err


# found with the model of `make_bert(seed=5)`
PINNED = [-0.035042, 0.014318, -0.06678, 0.008567, -0.062377, 0.002105]
PINNED_AS_PUBLISHED = [-0.004469, 0.019529, -0.03471, 0.010222, -0.011395, 0.020243]


# --- how much less ---


def planted_scores(size: float, seed: int = 0) -> Scores:
    """Return scores of a model that ties *size* to men in men's professions and to women in women's."""
    noise = np.random.default_rng(seed)

    def rule(item: Item) -> float:
        return size * (item.prof_gender == item.gender) + 0.01 * float(noise.normal())

    return Planted(rule).score(generate("en").items)


def test_half_the_association_is_a_reduction_by_half() -> None:
    items = generate("en").items
    before, after = [planted_scores(0.6, 1), planted_scores(0.6, 2)], [planted_scores(0.3, 3)]
    found = reduction(items, before, after, FEW)
    assert found.value == pytest.approx(50, abs=2)
    assert found.interval.low <= found.value <= found.interval.high
    assert reduction(items, before, before, FEW).value == 0
    assert reduction(items, after, before, FEW).value == pytest.approx(-100, abs=5)


def test_genders_that_come_closer_are_a_reduction_of_the_gap_alone() -> None:
    """All associations are moved by the same amount, as in a model that finds every person word unlikely."""
    items = generate("en").items
    before, after = (
        Planted(lambda item, apart=apart: 0.5 + apart * (item.gender == "male")).score(items) for apart in (0.2, 0.05)
    )
    assert reduction(items, [before], [after], FEW, figure="gap").value == pytest.approx(75)
    assert reduction(items, [before], [after], FEW).value < 15


def test_the_stereotype_is_what_words_and_professions_do_not_do_by_themselves() -> None:
    """Every word is likelier beside women's professions, male words beside all; 0.3 is left."""
    items = generate("en").items

    def rule(item: Item) -> float:
        shared = 0.7 * (item.prof_gender == "female") + 0.4 * (item.gender == "male")
        return shared + 0.15 * (item.prof_gender == item.gender)

    found = stereotype(items, [Planted(rule).score(items)], FEW)
    assert found.value == pytest.approx(0.3) and found.interval.low > 0.29


def test_the_stereotype_of_each_pair_of_words() -> None:
    """Only *he* and *she* are tied to professions."""
    items = generate("en").items
    planted = Planted(lambda item: 0.5 * (item.prof_gender == item.gender and item.pair == 0)).score(items)
    found = stereotype_by_pair(items, [planted])
    assert len(found) == 9 and found.pop("he/she") == pytest.approx(1.0)
    assert set(found.values()) == {0.0} and "boyfriend/girlfriend" in found
    assert stereotype(items, [planted], FEW).value == pytest.approx(1 / 9)
    assert stereotype(*of_pairs(items, [planted], {PRONOUNS}), FEW).value == pytest.approx(1.0)
    assert stereotype(*of_pairs(items, [planted], {2, 5}), FEW).value == 0


@pytest.mark.parametrize(("lang", "words"), [("en", {"He", "She"}), ("de", {"Er", "Sie"})])
def test_the_first_pair_are_the_pronouns(lang: str, words: set[str]) -> None:
    assert {item.person for item in generate(lang).items if item.pair == PRONOUNS} == words


def test_a_stereotype_can_be_reduced_to_nothing_and_beyond() -> None:
    items, none = generate("en").items, Planted(lambda item: 0.4).score(generate("en").items)
    before = [planted_scores(0.6)]
    for after, less in ((planted_scores(0.15), 75), (none, 100), (planted_scores(-0.3), 150)):
        assert reduction(items, before, [after], FEW, figure="stereotype").value == pytest.approx(less, abs=2)


def test_nothing_can_be_reduced_where_there_is_nothing() -> None:
    none = Planted(lambda item: 0.0).score(generate("en").items)
    with pytest.raises(MetricError, match="no average above zero that could be reduced"):
        reduction(generate("en").items, [none], [planted_scores(0.3)], FEW)
    with pytest.raises(MetricError, match="no stereotype above zero"):
        reduction(generate("en").items, [planted_scores(-0.3)], [none], FEW, figure="stereotype")
    with pytest.raises(UsageError, match="there is no 'stereotypes'"):
        reduction(generate("en").items, [none], [none], FEW, figure="stereotypes")


# --- nurse ---


def test_nurse_is_a_profession_beside_registered_nurse() -> None:
    """Becker 2022, 4.8: a more frequent word for the profession; each template and person word gets one sentence."""
    plain, more = generate("en"), generate("en", nurse=True)
    added = [item for item in more.items if item.profession == "nurse"]
    assert len(more.items) - len(plain.items) == len(added) == len(plain.items) // 60
    assert {item.prof_gender for item in added} == {"female"} and more.source == "generated-bec-pro+nurse"
    assert [item for item in more.items if item.profession != "nurse"] == list(plain.items)
    assert all(item.sentence[slice(*item.attribute)] == "nurse" for item in added)
    with pytest.raises(UsageError, match="the German ones have no such pair"):
        generate("de", nurse=True)


def test_nurse_is_not_in_the_published_file(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["eval", "bec-pro", "some-model", "--nurse", "--data", "published"]) == 2
    assert "--nurse is for sentences made from tables" in capsys.readouterr().err
