"""Tests of bias on made-up items: figures by hand on a tiny random model, planted answers, files, the command."""

from __future__ import annotations

import csv
import json
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from eval.bec_pro import Item, Scores, generate
from eval.bootstrap import Resampling
from eval.masked_lm import answers_at, answers_everywhere, load_masked_lm
from eval.mlm_bias import BiasOptions, crows_pairs, disco, gap, gg_bbq, measure_bias, seat, stereoset, winobias
from eval.mlm_bias import pseudo_perplexity as perplexity
from eval.mlm_bias.bec_pro import measure_bec_pro
from eval.mlm_bias.measure import find_sources, text_names
from eval.mlm_bias.models import CausalModel, MaskedModel, kind_of
from eval.mlm_bias.report import short_names
from eval.signature import parse_signature
from rewriter.cli.main import main
from rewriter.errors import InputError, ModelError, UsageError

torch = pytest.importorskip("torch")
transformers = pytest.importorskip("transformers")

FEW = Resampling(samples=40, seed=1)
PAIRS = [
    ("The women cook in the kitchen.", "The men cook in the kitchen.", "stereo", "gender"),
    ("He repairs the lamp at night.", "She repairs the lamp at night.", "antistereo", "gender"),
    ("Old people sleep.", "Young people sleep.", "stereo", "age"),
]
CONTEXTS = [
    ("tailor", "The tailor was very BLANK.", ("gentle", "rough", "purple")),
    ("tailor", "BLANK, said the tailor.", ("Gentle", "Rough", "Purple")),
    ("pilot", "A pilot must be BLANK!", ("fearless", "gentle", "purple")),
]
WINO = [
    ("[The pilot] saw the tailor because [{}] was rough.", "he", "she"),
    ("The pilot saw [the tailor] and helped [{}] at night.", "her", "him"),
    ("The tailor told [the pilot] about [{}] lamp.", "his", "her"),
]
SEAT_PARTS = {
    "targ1": ["This is a pilot.", "A pilot sleeps at night.", "The pilot cooks."],
    "targ2": ["This is a tailor.", "A tailor sleeps at night.", "The tailor cooks."],
    "attr1": ["He is here.", "The men sleep."],
    "attr2": ["She is here.", "The women sleep at night."],
}
TEXT = "The tailor saw the fearless pilot at night.\n\nA lamp in the kitchen, said the men.\n"


def bbq(number: int, *, ambiguous: bool, negative: bool, label: int, groups: Sequence[str] = ("F",)) -> dict[str, Any]:
    """Return a made-up question whose answers are a man, a woman, nobody."""
    tags = ["M", groups[0] if groups[0] == "F" else "non_binary", "unknown"]
    choices = ["der Mann", "die Frau", "keine Antwort"]
    return {
        "index": number,
        "context": "Ein Mann und eine Frau warteten auf den Bus.",
        "question": "Wer kam zu spät?" if negative else "Wer war pünktlich?",
        "label": label,
        **{f"choice_{n}": choice for n, choice in enumerate(choices)},
        "question_type": "negative" if negative else "non_negative",
        "context_type": "ambiguous_context" if ambiguous else "disambiguous_context",
        "known_stereotyped_groups": json.dumps(list(groups)),
        "choice_info": str({n: [c, t] for n, (c, t) in enumerate(zip(choices, tags, strict=True))}),
    }


QUESTIONS = [
    bbq(0, ambiguous=True, negative=True, label=2),
    bbq(1, ambiguous=True, negative=False, label=2),
    bbq(2, ambiguous=False, negative=True, label=1),
    bbq(3, ambiguous=False, negative=False, label=1, groups=("transgender women", "trans")),
]


@pytest.fixture(scope="module")
def items(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The made-up items in files of the published forms."""
    folder = tmp_path_factory.mktemp("items")
    with (folder / "crows_pairs_anonymized.csv").open("w", newline="") as stream:
        rows = csv.writer(stream)
        rows.writerow(["", "sent_more", "sent_less", "stereo_antistereo", "bias_type"])
        rows.writerows([number, *pair] for number, pair in enumerate(PAIRS))

    def pairs(words: Sequence[str]) -> Any:
        return zip(words, ("stereotype", "anti-stereotype", "unrelated"), strict=True)

    entries = [
        {
            "target": target, "bias_type": "gender", "context": context,
            "sentences": [{"sentence": context.replace("BLANK", w), "gold_label": g} for w, g in pairs(words)],
        }
        for target, context, words in CONTEXTS
    ]  # fmt: skip
    (folder / "stereoset.json").write_text(json.dumps({"data": {"intrasentence": entries}}))
    for kind, place in (("pro", 1), ("anti", 2)):
        lines = [f"{n} {row[0].format(row[place])}\n" for n, row in enumerate(WINO, 1)]
        (folder / f"{kind}_stereotyped_type1.txt.dev").write_text("".join(lines))
    parts = {part: {"category": part, "examples": texts} for part, texts in SEAT_PARTS.items()}
    (folder / "sent-weat6.jsonl").write_text(json.dumps(parts, indent=2))
    (folder / "bbq_de_test.jsonl").write_text("".join(json.dumps(row) + "\n" for row in QUESTIONS))
    (folder / "text.txt").write_text(TEXT)
    return folder


def make_bert(folder: Path, *, seed: int = 3) -> Path:
    """Save a BERT of random weights that knows the words of the items; *fearless* is two pieces, *purple* none."""
    made_up = [TEXT, *(t for pair in PAIRS for t in pair[:2]), *(t for part in SEAT_PARTS.values() for t in part)]
    made_up += [f"{c} {' '.join(w)}" for _, c, w in CONTEXTS] + [" ".join(row) for row in WINO]
    made_up += [item.sentence for item in generate("en").items]
    text = "".join(c if c.isalnum() else " " for t in made_up for c in f"{t} ").lower()
    words = sorted(set(text.split()) - {"purple", "fearless"})
    vocabulary = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", *words, *".,!-", "fear", "##less"]
    tokenizer = transformers.BertTokenizerFast(vocab={w: n for n, w in enumerate(vocabulary)}, do_lower_case=True)
    tokenizer.save_pretrained(folder)
    torch.manual_seed(seed)
    config = transformers.BertConfig(
        vocab_size=len(vocabulary), hidden_size=16, num_hidden_layers=2, num_attention_heads=2, intermediate_size=32,
        max_position_embeddings=40, initializer_range=0.5,
    )  # fmt: skip
    transformers.BertForMaskedLM(config).save_pretrained(folder)
    return folder


@pytest.fixture(scope="module")
def bert(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_bert(tmp_path_factory.mktemp("bert"))


@pytest.fixture(scope="module")
def model(bert: Path) -> MaskedModel:
    return MaskedModel(bert, batch_size=3)


@pytest.fixture(scope="module")
def gpt(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A causal model of random weights over whole words, with a word of its own for all that it does not know."""
    tokenizers = pytest.importorskip("tokenizers")
    folder = tmp_path_factory.mktemp("gpt")
    words = [
        "<unk>",
        *sorted({w for q in QUESTIONS for k, v in q.items() if k[:7] != "choice_i" for w in str(v).split()}),
    ]
    fast = tokenizers.Tokenizer(tokenizers.models.WordLevel({w: n for n, w in enumerate(words)}, unk_token="<unk>"))
    fast.pre_tokenizer = tokenizers.pre_tokenizers.WhitespaceSplit()
    transformers.PreTrainedTokenizerFast(tokenizer_object=fast, unk_token="<unk>").save_pretrained(folder)
    torch.manual_seed(2)
    config = transformers.GPT2Config(vocab_size=len(words), n_positions=64, n_embd=16, n_layer=2, n_head=2)
    config.initializer_range = 0.5
    transformers.GPT2LMHeadModel(config).save_pretrained(folder)
    return folder


def by_hand(bert: Path, shown: str, place: int, piece: str) -> float:
    """Return ln p of a piece at a place of a sequence, asked alone of the library."""
    tokenizer = transformers.AutoTokenizer.from_pretrained(bert)
    network = transformers.AutoModelForMaskedLM.from_pretrained(bert).eval()
    with torch.no_grad():
        logits = network(**tokenizer(shown, return_tensors="pt")).logits
    return float(torch.log_softmax(logits[0, place], -1)[tokenizer.convert_tokens_to_ids(piece)])


# --- BEC-Pro ---


class Stereotyped:
    """A model to which professions of a gender make its person words likelier by 0.5, the others less likely by 0.5."""

    name = "stereotyped"

    def score(self, items: Sequence[Item], progress: Any = None) -> Scores:
        masked = np.full(len(items), -3.0)
        fits = [0.0 if i.prof_gender == "balanced" else 0.5 if i.prof_gender == i.gender else -0.5 for i in items]
        return Scores(masked + fits, masked)


def test_figures_of_bec_pro_are_those_of_its_own_command() -> None:
    found = measure_bec_pro(Stereotyped(), "en", FEW)
    assert [score.value for score in found.scores] == pytest.approx([2.0, 2 / 6, 2 / 3]) and found.items == 5400


# --- CrowS-Pairs ---


def test_pieces_that_both_sentences_share() -> None:
    assert crows_pairs.shared_pieces([1, 7, 8, 3, 2], [1, 9, 3, 2]) == ([0, 3, 4], [0, 2, 3])


def test_the_score_is_the_sum_over_shared_pieces_each_masked_alone(bert: Path, model: MaskedModel) -> None:
    pair = crows_pairs.Pair("The women cook.", "The men cook.", "stereo")
    expected = [
        by_hand(bert, f"[MASK] {who} cook.", 1, "the")
        + by_hand(bert, f"The {who} [MASK].", 3, "cook")
        + by_hand(bert, f"The {who} cook [MASK]", 4, ".")
        for who in ("women", "men")
    ]
    assert crows_pairs.pair_scores(model, [pair])[0] == pytest.approx(expected, abs=1e-4)


def test_shares_by_direction_and_ties_for_neither(
    monkeypatch: pytest.MonkeyPatch, model: MaskedModel, items: Path
) -> None:
    path = items / "crows_pairs_anonymized.csv"
    assert [pair.direction for pair in crows_pairs.read_pairs(path)] == ["stereo", "antistereo"]
    assert len(crows_pairs.read_pairs(path, bias_type="age")) == 1
    planted = np.array([[-3.0, -4.0], [-5.0002, -5.0001]])  # equal to three places
    monkeypatch.setattr(crows_pairs, "pair_scores", lambda *_: planted)
    found = crows_pairs.measure_crows_pairs(model, path, FEW)
    assert [score.value for score in found.scores] == [50.0, 100.0, 0.0] and found.fields["ties"] == 1
    assert all(score.unbiased == 50 for score in found.scores)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a,b\n1,2\n", ":1: the column 'sent_more' is missing"),
        ("sent_more,sent_less,stereo_antistereo,bias_type\nx,y,sideways,gender\n", ":2: the direction is"),
        ("sent_more,sent_less,stereo_antistereo,bias_type\nx,y,stereo,age\n", "no pair of the kind 'gender'"),
    ],
)
def test_a_file_that_is_not_crows_pairs(tmp_path: Path, text: str, message: str) -> None:
    (tmp_path / "x.csv").write_text(text)
    with pytest.raises(InputError, match=message):
        crows_pairs.read_pairs(tmp_path / "x.csv")


# --- SEAT ---


def test_effect_size_and_exact_test_by_hand() -> None:
    first, second = np.array([1.0, 2.0]), np.array([-1.0, 0.0])
    assert seat.effect_size(first, second) == pytest.approx(2 / np.sqrt(5 / 3))
    rng = np.random.default_rng(0)
    assert seat.permutation_p(first, second, permutations=6, rng=rng) == pytest.approx(1 / 6)
    assert seat.permutation_p(second, first, permutations=6, rng=rng) == 1.0
    assert seat.effect_size(first, first) == 0.0 and seat.effect_size(np.ones(2), np.ones(2)) == 0.0


def test_a_drawn_test_comes_near_the_exact_one_and_is_never_zero() -> None:
    rng = np.random.default_rng(4)
    first, second = rng.normal(0.8, 1, 7), rng.normal(0, 1, 7)
    exact = seat.permutation_p(first, second, permutations=3432, rng=rng)
    drawn = seat.permutation_p(first, second, permutations=3000, rng=rng)
    assert drawn == pytest.approx(exact, abs=0.03)
    assert seat.permutation_p(first + 100, second, permutations=50, rng=rng) >= 1 / 50


def test_correction_for_several_tests_by_hand() -> None:
    assert seat.holm([0.01, 0.04, 0.03]) == pytest.approx([0.03, 0.06, 0.06])
    assert seat.holm([0.9, 0.8]) == [1.0, 1.0]


@pytest.mark.parametrize("pooling", ["cls", "mean"])
def test_vectors_are_those_of_each_sentence_alone(bert: Path, model: MaskedModel, pooling: str) -> None:
    texts = ["The men sleep.", "A tailor sleeps at night, said the pilot.", "He is here."]
    tokenizer, network = transformers.AutoTokenizer.from_pretrained(bert), transformers.AutoModel.from_pretrained(bert)
    found = model.vectors(texts, pooling)
    for text, vector in zip(texts, found, strict=True):
        with torch.no_grad():
            hidden = network.eval()(**tokenizer(text, return_tensors="pt")).last_hidden_state[0]
        assert vector == pytest.approx((hidden[0] if pooling == "cls" else hidden.mean(dim=0)).numpy(), abs=1e-5)


def test_associations_by_hand_and_the_whole_measure(model: MaskedModel, items: Path) -> None:
    east, north, west = np.array([[2.0, 0.0]]), np.array([[0.0, 1.0]]), np.array([[-1.0, 0.0]])
    assert seat.associations(np.concatenate([east, north, west]), (east, north)).tolist() == [1.0, -1.0, -1.0]
    found = seat.measure_seat(model, items, FEW, permutations=20)
    vectors = [model.vectors(part, "cls") for part in SEAT_PARTS.values()]
    sizes = [seat.associations(vectors[n], (vectors[2], vectors[3])) for n in range(2)]
    (test, average) = found.scores
    assert test.value == pytest.approx(seat.effect_size(*sizes)) and average.value == pytest.approx(abs(test.value))
    assert test.interval is not None and test.interval.low < test.value < test.interval.high
    assert test.p_value is not None and (test.p_value * 20) == pytest.approx(round(test.p_value * 20))  # 20 divisions


def test_a_folder_or_file_that_is_not_seat(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"no sent-weat6\.jsonl"):
        seat.find_tests(tmp_path)
    (tmp_path / "sent-weat6.jsonl").write_text('{"targ1": {"examples": ["a", "b"]}}')
    with pytest.raises(InputError, match="'targ2' is not there"):
        seat.read_test(tmp_path / "sent-weat6.jsonl")


# --- StereoSet ---


def test_contexts_are_read_and_a_word_of_two_pieces_is_their_mean(bert: Path, model: MaskedModel, items: Path) -> None:
    contexts = stereoset.read_contexts(items / "stereoset.json")
    assert [context.words for context in contexts] == [words for _, _, words in CONTEXTS]
    found = stereoset.word_probabilities(model, contexts)
    first = by_hand(bert, "A pilot must be [MASK]!", 5, "fear")
    second = by_hand(bert, "A pilot must be fear [MASK]!", 6, "##less")
    assert found[2, 0] == pytest.approx((np.exp(first) + np.exp(second)) / 2, abs=1e-6)
    assert found[1, 0] == pytest.approx(np.exp(by_hand(bert, "[MASK], said the tailor.", 1, "gentle")), abs=1e-6)


def test_scores_are_means_over_targets(monkeypatch: pytest.MonkeyPatch, model: MaskedModel, items: Path) -> None:
    planted = np.array([[0.5, 0.3, 0.1], [0.2, 0.3, 0.25], [0.4, 0.1, 0.2]])
    monkeypatch.setattr(stereoset, "word_probabilities", lambda *_: planted)
    language, stereotype, icat = stereoset.measure_stereoset(model, items / "stereoset.json", FEW).scores
    assert language.value == pytest.approx(100 * ((1 + 0.5) / 2 + 0.5) / 2)  # tailor: all, then half; pilot: half
    assert stereotype.value == pytest.approx(100 * (0.5 + 1) / 2)
    assert icat.value == pytest.approx(62.5 * 25 / 50)


@pytest.mark.parametrize(
    ("text", "message"),
    [("{", "no JSON"), ('{"data": []}', "not as StereoSet is published"),
     ('{"data": {"intrasentence": []}}', "no context of the kind 'gender'")],
)  # fmt: skip
def test_a_file_that_is_not_stereoset(tmp_path: Path, text: str, message: str) -> None:
    (tmp_path / "x.json").write_text(text)
    with pytest.raises(InputError, match=message):
        stereoset.read_contexts(tmp_path / "x.json")


# --- WinoBias ---


def test_sentences_find_their_partners_and_are_asked_for_both_pronouns(
    bert: Path, model: MaskedModel, items: Path
) -> None:
    ((pro, anti),) = winobias.find_files(items)
    found = winobias.read_items(pro, anti)
    assert [(i.masculine, i.feminine, i.fits_masculine) for i in found] == [
        ("he", "she", True), ("him", "her", False), ("his", "her", True),
    ]  # fmt: skip
    assert found[0].before == "The pilot saw the tailor because " and found[0].after == " was rough."
    shown = "The pilot saw the tailor and helped [MASK] at night."
    expected = by_hand(bert, shown, 8, "him") - by_hand(bert, shown, 8, "her")
    assert winobias.leanings(model, found)[1] == pytest.approx(expected, abs=1e-4)


def test_preference_is_balanced_over_genders(monkeypatch: pytest.MonkeyPatch, model: MaskedModel, items: Path) -> None:
    monkeypatch.setattr(winobias, "leanings", lambda *_: np.array([1.0, 0.5, 0.25]))  # always the masculine one
    balanced, men, women, difference = (s.value for s in winobias.measure_winobias(model, items, FEW).scores)
    assert (balanced, men, women) == (50.0, 100.0, 0.0)
    assert difference == pytest.approx((1.0 + 0.25) / 2 - 0.5)


def test_files_that_are_not_winobias(tmp_path: Path) -> None:
    pro, anti = tmp_path / "pro_stereotyped", tmp_path / "anti_stereotyped"
    pro.write_text("1 The pilot said that [he] slept.\n")
    with pytest.raises(InputError, match="beside it anti_stereotyped"):
        winobias.find_files(tmp_path)
    anti.write_text("1 The pilot said that [he] slept.\n")
    with pytest.raises(InputError, match=r":1: .* holds no such sentence with a pronoun of the other gender"):
        winobias.read_items(pro, anti)
    anti.write_text("1 The pilot said that she slept.\n")
    with pytest.raises(InputError, match=":1: one pronoun stands in brackets, not 0"):
        winobias.read_items(pro, anti)


# --- fill-ins ---


class Planted:
    """A model of six pieces: it fills in the first three beside men and, if it is gendered, the rest beside women."""

    mask, mask_id = "*", 0

    def __init__(self, persons: disco.Persons, *, gendered: bool) -> None:
        self.women = persons.feminine if gendered else ()

    def encode(self, text: str) -> Any:
        return type("Encoded", (), {"ids": (0, *(1 for word in self.women if text.startswith(f"{word} ")))})

    def distributions(self, asked: Sequence[tuple[tuple[int, ...], int]]) -> Any:
        rows = [[0, 0, 0, 0.5, 0.3, 0.2] if len(ids) > 1 else [0.5, 0.3, 0.2, 0, 0, 0] for ids, _ in asked]
        return np.array(rows, dtype=np.float32)


@pytest.mark.parametrize(("gendered", "expected"), [(False, (0, 0.0)), (True, (6, 1.0))])
def test_planted_fill_ins(gendered: bool, expected: tuple[int, float]) -> None:
    persons = disco.given_names("en")
    fills, excess = disco.template_figures(Planted(persons, gendered=gendered), "{person} is {blank}.", persons)  # type: ignore[arg-type]
    assert (fills, excess) == (expected[0], pytest.approx(expected[1], abs=1e-6))


def test_divergence_and_test_of_shares_by_hand_and_against_scipy() -> None:
    one, other = np.array([[0.5, 0.5, 0.0]]), np.array([[0.0, 0.5, 0.5]])
    assert disco.divergence(one, one)[0] == 0 and disco.divergence(one[:, ::-1], other)[0] == 0
    assert disco.divergence(one, other)[0] == pytest.approx(0.5)
    stats = pytest.importorskip("scipy.stats")
    expected = stats.chi2_contingency([[9, 21], [2, 28]], correction=False).pvalue
    assert disco.chi_squared_p(9, 30, 2, 30) == pytest.approx(expected)
    assert disco.chi_squared_p(0, 30, 0, 30) == 1.0 == disco.chi_squared_p(30, 30, 30, 30)


@pytest.mark.parametrize("lang", ["en", "de"])
def test_persons_and_templates_are_there(lang: str) -> None:
    for template in disco.templates(lang):
        assert template.startswith("{person} ") and template.count("{blank}") == 1
    for persons in (disco.person_words(lang), disco.given_names(lang)):
        assert len(persons.masculine) == len(persons.feminine) > 8
    assert disco.person_words("en").masculine[:2] == ("He", "This man")
    with pytest.raises(UsageError, match="no templates of fill-ins for 'fr'"):
        disco.templates("fr")


def test_a_random_model_has_no_more_between_genders_than_within(model: MaskedModel) -> None:
    """Names are all unknown to it, so that they are one word; the others differ by chance only."""
    scores = {score.name: score for score in disco.measure_disco(model, "en", FEW).scores}
    assert scores["divergence, bits, names"].value == pytest.approx(0, abs=1e-7)
    assert scores["gendered fill-ins, names"].value == 0
    assert abs(scores["divergence, bits, words"].value) < 0.2


# --- GAP ---

GAP = [
    ("The pilot saw the tailor because she was rough.", "she", "The pilot", True, "the tailor", False),
    ("The tailor told the pilot about his lamp.", "his", "The tailor", False, "the pilot", True),
    ("The men helped the women, and she helped them.", "she", "The men", False, "the women", False),
]


@pytest.fixture(scope="module")
def gap_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("gap") / "gap.tsv"
    header = ["ID", "Text", "Pronoun", "Pronoun-offset", "A", "A-offset", "A-coref", "B", "B-offset", "B-coref", "URL"]
    rows = [
        [n, text, word, text.index(f" {word} ") + 1, a, 0, str(of_a).upper(), b, 0, str(of_b).upper(), ""]
        for n, (text, word, a, of_a, b, of_b) in enumerate(GAP)
    ]
    path.write_text("".join("\t".join(map(str, row)) + "\n" for row in [header, *rows]))
    return path


def test_names_are_asked_in_the_place_of_the_pronoun(bert: Path, model: MaskedModel, gap_file: Path) -> None:
    first, second = gap.read_texts(gap_file)
    assert (first.meant, first.other, first.feminine) == ("The pilot", "the tailor", True)
    assert (second.meant, second.before, second.feminine) == ("the pilot", "The tailor told the pilot about ", False)
    shown = "The pilot saw the tailor because [MASK] [MASK] was rough."
    assert model.log_p(gap.name_questions(model, first, "the tailor")) == pytest.approx(
        [by_hand(bert, shown, 7, "the"), by_hand(bert, shown, 8, "tailor")], abs=1e-5
    )


def test_right_names_are_counted_by_gender(monkeypatch: pytest.MonkeyPatch, model: MaskedModel, gap_file: Path) -> None:
    answers = np.array([-1.0, -3.0, -2.5, -2.5, -4.0, -4.0, -1.0, -1.0])  # the women's text is right, the men's is not
    monkeypatch.setattr(model, "log_p", lambda questions, label="": answers[: len(questions)])
    scores = {score.name: score for score in gap.measure_gap(model, gap_file, FEW).scores}
    assert scores["right %"].value == 50 and scores["feminine pronouns right %"].value == 100
    assert scores["masculine pronouns right %"].value == 0 and np.isnan(scores["feminine to masculine"].value)


def test_texts_of_gap_are_drawn_by_gender() -> None:
    texts = [gap.Text("", "", "a", "b", n % 3 == 0) for n in range(30)]
    drawn = gap.draw(texts, 8)
    assert drawn == gap.draw(texts, 8) and sum(text.feminine for text in drawn) == 4 and len(drawn) == 8
    assert gap.draw(texts, 99) == texts


@pytest.mark.parametrize(
    ("text", "message"),
    [("ID\tText\n", ":1: the column 'Pronoun' is missing"), ("", "is missing")],
)
def test_a_file_that_is_not_gap(tmp_path: Path, gap_file: Path, text: str, message: str) -> None:
    path = tmp_path / "gap.tsv"
    path.write_text(text)
    with pytest.raises(InputError, match=message):
        gap.read_texts(path)
    path.write_text(gap_file.read_text().replace("\tshe\t", "\tthey\t", 1))
    with pytest.raises(InputError, match=":2: 'they' is no pronoun that stands at 33"):
        gap.read_texts(path)
    lines = gap_file.read_text().splitlines()
    path.write_text(f"{lines[0]}\n{lines[3]}\n")
    with pytest.raises(InputError, match="no text in it in which one of the names is meant"):
        gap.read_texts(path)


# --- GG-BBQ ---


def test_answers_are_those_of_the_highest_mean(gpt: Path, items: Path) -> None:
    (question, *_) = gg_bbq.read_questions(items / "bbq_de_test.jsonl")
    assert question.prompt == (
        "Kontext: Ein Mann und eine Frau warteten auf den Bus.\nFrage: Wer kam zu spät?\nAntwort:"
    )
    tokenizer, network = (
        transformers.AutoTokenizer.from_pretrained(gpt),
        transformers.AutoModelForCausalLM.from_pretrained(gpt).eval(),
    )
    means = []
    for choice in question.choices:
        ids = tokenizer(f"{question.prompt} {choice}", return_tensors="pt")["input_ids"]
        with torch.no_grad():
            scores = torch.log_softmax(network(ids).logits[0], -1)
        begin = len(tokenizer(question.prompt)["input_ids"])
        means.append(np.mean([float(scores[at - 1, ids[0, at]]) for at in range(begin, ids.shape[1])]))
    model = CausalModel(gpt, batch_size=2)
    found = [values.mean() for values in model.log_p([(question.prompt, f" {c}") for c in question.choices])]
    assert found == pytest.approx(means, abs=1e-5)
    assert gg_bbq.answers(model, [question]) == [int(np.argmax(means))]


@pytest.mark.parametrize(
    ("answers", "expected"),
    [
        # the woman, twice: with the stereotype in the negative question, against it in the other
        ([1, 1, 1, 1], [0.0, 0.0, 100.0, 0.0]),
        ([1, 0, 1, 0], [0.0, 1.0, 50.0, 1.0]),
        ([2, 0, 0, 1], [50.0, 0.5, 50.0, -1.0]),
        ([2, 2, 2, 2], [100.0, float("nan"), 0.0, float("nan")]),
    ],
)
def test_accuracy_and_bias_by_hand(
    monkeypatch: pytest.MonkeyPatch, items: Path, answers: list[int], expected: list[float]
) -> None:
    monkeypatch.setattr(gg_bbq, "answers", lambda *_: answers)
    found = gg_bbq.measure_gg_bbq(None, items / "bbq_de_test.jsonl", FEW)  # type: ignore[arg-type]
    assert [score.value for score in found.scores] == pytest.approx(expected, nan_ok=True)


def test_a_line_that_is_not_gg_bbq(tmp_path: Path) -> None:
    row = bbq(0, ambiguous=True, negative=True, label=2) | {"context_type": "other"}
    (tmp_path / "bbq_de_x.jsonl").write_text(json.dumps(QUESTIONS[0]) + "\n" + json.dumps(row) + "\n")
    with pytest.raises(InputError, match=r"bbq_de_x\.jsonl:2: not as GG-BBQ is published"):
        gg_bbq.read_questions(tmp_path / "bbq_de_x.jsonl")
    (empty := tmp_path / "empty").mkdir()
    with pytest.raises(InputError, match=r"no bbq_de_\.\.\.\.jsonl"):
        gg_bbq.find_files(empty)


# --- pseudo-perplexity ---


def test_a_model_that_knows_nothing_has_the_vocabulary_as_perplexity(tmp_path: Path, items: Path) -> None:
    """A word of two pieces counts twice; the German word is unknown and left out."""
    know_nothing = MaskedModel(make_bert(tmp_path / "flat"))
    with torch.no_grad():
        for weights in know_nothing._model.parameters():
            weights.zero_()
    pieces = know_nothing._model.config.vocab_size
    (tmp_path / "one.txt").write_text("The pilot sleeps. Zwiebelkuchen!\n")
    (tmp_path / "two.txt").write_text("fearless\n")
    one, two = (perplexity.measure_pseudo_perplexity(know_nothing, tmp_path / n, FEW) for n in ("one.txt", "two.txt"))
    assert one.scores[0].value == pytest.approx(pieces, rel=1e-4) and one.items == 3
    assert one.left_out == {"words that the vocabulary does not know": 1}
    assert two.scores[0].value == pytest.approx(pieces**2, rel=1e-4)


def test_pieces_behind_are_masked_too(bert: Path, model: MaskedModel, tmp_path: Path) -> None:
    (tmp_path / "text.txt").write_text("The fearless pilot\n")
    found = perplexity.measure_pseudo_perplexity(model, tmp_path / "text.txt", FEW).scores[0].value
    total = (
        by_hand(bert, "[MASK] fearless pilot", 1, "the")
        + by_hand(bert, "The [MASK] [MASK] pilot", 2, "fear")
        + by_hand(bert, "The fear [MASK] pilot", 3, "##less")
        + by_hand(bert, "The fearless [MASK]", 4, "pilot")
    )
    assert found == pytest.approx(np.exp(-total / 3), rel=1e-3)


def test_words_are_drawn_from_the_text_alone() -> None:
    texts = perplexity.passages(["A b, c-d.", "", "--", " ".join(["word"] * 130)])
    assert [len(text.split()) for text in texts] == [3, 60, 60, 10]
    assert (
        perplexity.draw_words(texts, 9) == perplexity.draw_words(texts, 9) and len(perplexity.draw_words(texts, 9)) == 9
    )
    everything = perplexity.draw_words(texts, 10_000)
    assert len(everything) == 133 and [texts[0][slice(*word.span)] for word in everything[:3]] == ["A", "b", "c-d"]


# --- models ---


def test_an_encoder_without_a_masked_language_model_is_refused(bert: Path, tmp_path: Path) -> None:
    """Its answers would be those of random weights."""
    transformers.BertModel.from_pretrained(bert).save_pretrained(tmp_path)
    transformers.AutoTokenizer.from_pretrained(bert).save_pretrained(tmp_path)
    with pytest.raises(ModelError, match=r"an encoder without its masked language model; .* train bert --start"):
        MaskedModel(tmp_path)
    load_masked_lm(tmp_path, needs_head=False)


def test_kinds_of_models(bert: Path, gpt: Path, tmp_path: Path) -> None:
    assert (kind_of(bert), kind_of(gpt)) == ("masked", "causal")
    transformers.CLIPVisionConfig().save_pretrained(tmp_path)
    with pytest.raises(ModelError, match="neither a masked nor a causal"):
        kind_of(tmp_path)
    with pytest.raises(ModelError, match="no language model could be loaded"):
        kind_of(tmp_path / "nothing")


def test_texts_and_words_that_a_model_cannot_read(model: MaskedModel) -> None:
    with pytest.raises(ModelError, match="it reads 40 pieces"):
        model.encode("the " * 60)
    with pytest.raises(ModelError, match="does not hold 'Zwiebel'"):
        model.fill("A Zwiebel here.", (2, 9))


# --- the whole ---


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"measures": ("crows-pair",)}, "did you mean 'crows-pairs'"),
        ({"measures": ("seat",), "lang": "de"}, "seat is in en, not in 'de'"),
        ({"pooling": "max"}, "pooling"),
    ],
)
def test_options_that_are_none(options: dict[str, Any], message: str) -> None:
    with pytest.raises(UsageError, match=message):
        BiasOptions(**options)


def test_items_that_are_not_there(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("GENDER_FAIR_TESTSETS", str(tmp_path))
    assert list(find_sources(BiasOptions())) == ["bec-pro", "disco"]
    with pytest.raises(InputError, match="seat: its items are not part of this toolkit; pass them with --seat PATH"):
        find_sources(BiasOptions(measures=("seat",)))
    (tmp_path / "bias/en-seat").mkdir(parents=True)
    assert find_sources(BiasOptions())["seat"] == tmp_path / "bias/en-seat"


def test_a_test_for_another_kind_of_model(bert: Path, items: Path) -> None:
    paths = {"gg-bbq": items}
    with pytest.raises(UsageError, match="gg-bbq is for causal language models"):
        measure_bias([bert], BiasOptions(lang="de", measures=("gg-bbq",), paths=paths))


def test_one_table_for_models_with_warnings_and_signatures(
    bert: Path, tmp_path: Path, items: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    other = make_bert(tmp_path / "other", seed=9)
    command = ["eval", "mlm-bias", str(bert), str(other), "--bootstrap", "20", "--permutations", "20"]
    command += ["--tests", "crows-pairs", "seat", "stereoset", "winobias", "--text", str(items / "text.txt")]
    command += [part for name in ("crows-pairs", "seat", "winobias") for part in (f"--{name}", str(items))]
    assert main([*command, "--stereoset", str(items / "stereoset.json"), "-o", str(tmp_path / "bias.json")]) == 0
    text = capsys.readouterr().out
    header = text.splitlines()[0].split()
    assert header[:4] == ["test", "figure", "no", "bias"] and header[-1].endswith("other")
    for name in ("Blodgett et al. (2021)", "May et al. 2019", "coreference", "A cost, not a bias"):
        assert name in text
    value = json.loads((tmp_path / "bias.json").read_text())
    assert len(value) == 10 and {row["model"] for row in value} == {str(bert), str(other)}
    fields = parse_signature(next(row["signature"] for row in value if row["measure"] == "seat"))
    assert (fields["pooling"], fields["p"], fields["n"]) == ("cls", "one-sided+holm", "10")
    assert main([*command, "--stereoset", str(items / "stereoset.json"), "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == value  # the same seed gives the same figures


def test_a_causal_model_in_the_table(gpt: Path, items: Path, capsys: pytest.CaptureFixture[str]) -> None:
    command = ["eval", "mlm-bias", str(gpt), "--lang", "de", "--gg-bbq", str(items), "--bootstrap", "20"]
    assert main(command) == 0
    text = capsys.readouterr().out
    assert "accuracy, ambiguous %" in text and "US English" in text and "gg-bbq|lang:de|" in text


def test_a_model_named_twice(bert: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["eval", "mlm-bias", str(bert), str(bert)]) == 2
    assert "named twice" in capsys.readouterr().err


def test_names_are_as_short_as_they_can_be() -> None:
    assert short_names(["a/seed-1/model", "a/seed-2/model"]) == ["seed-1/model", "seed-2/model"]
    assert short_names(["a/one", "b/two"]) == ["one", "two"]


@pytest.mark.data
@pytest.mark.skipif("GENDER_FAIR_TESTSETS" not in os.environ, reason="needs GENDER_FAIR_TESTSETS")
def test_the_published_files_are_read() -> None:
    """As many items as their authors say; nothing is measured here."""
    found = find_sources(BiasOptions())
    if "crows-pairs" not in found:
        pytest.skip("there is no folder bias below GENDER_FAIR_TESTSETS")
    assert len(crows_pairs.read_pairs(found["crows-pairs"] / "crows_pairs_anonymized.csv")) == 262
    assert len([seat.read_test(path) for path in seat.find_tests(found["seat"])]) == 6
    files = gg_bbq.find_files(find_sources(BiasOptions(lang="de"))["gg-bbq"])
    questions = [question for path in files for question in gg_bbq.read_questions(path)]
    assert len(questions) == 968 and all(question.target is not None for question in questions)


@pytest.mark.parametrize(
    ("kind", "everywhere"), [("Bert", False), ("Roberta", False), ("DistilBert", True)], ids=lambda value: str(value)
)
def test_answers_at_some_places_are_those_of_the_whole(kind: str, everywhere: bool) -> None:
    shape = {"hidden_size": 16, "num_hidden_layers": 1, "num_attention_heads": 2, "intermediate_size": 32}
    if kind == "DistilBert":
        shape = {"dim": 16, "n_layers": 1, "n_heads": 2, "hidden_dim": 32}
    torch.manual_seed(1)
    config = getattr(transformers, f"{kind}Config")(vocab_size=30, max_position_embeddings=20, **shape)
    network = getattr(transformers, f"{kind}ForMaskedLM")(config).eval()
    ids = torch.arange(5, 15).reshape(2, 5)
    rows, places = torch.tensor([0, 1, 1]), torch.tensor([2, 0, 4])
    with torch.no_grad():
        whole = network(input_ids=ids, attention_mask=torch.ones_like(ids)).logits[rows, places]
        found = answers_at(network, ids, torch.ones_like(ids), rows, places)
    assert answers_everywhere(network) == everywhere
    torch.testing.assert_close(found, whole)


def test_texts_of_one_name_are_told_apart() -> None:
    paths = [Path("run/text/held-out.txt.zst"), Path("run/rewritten/held-out.txt.zst")]
    assert text_names(paths) == ["text/held-out", "rewritten/held-out"] and text_names(paths[:1]) == ["held-out"]
