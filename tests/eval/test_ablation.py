"""What decides: the same model with its network, with constant answers, and the grammar alone."""

from __future__ import annotations

import json
import math
from pathlib import Path

import numpy as np
import pytest

from eval.ablation import RAW, Ablation, neural_share, part_name
from eval.bootstrap import Resampling
from eval.conditions import conditions_of
from eval.constants import fit_constants
from eval.signature import parse_signature
from eval.suite import GUARDED, NOTHING, SuiteOptions, find_sets, guarded_entries, model_entries, score_entries
from eval.suite_report import share_table, text, to_dict
from eval.wer import wer
from rewriter.cli.main import main
from rewriter.errors import InputError, UsageError
from rewriter.language.interface import get_language
from rewriter.language.version import grammar_version
from rewriter.model.ctranslate import compute_type, cpu_instructions
from rewriter.model.deciders import CONSTANT, GRAMMAR, NETWORK
from rewriter.pipeline import Options, Rewriter
from rewriter.records import Pair

TINY = Path(__file__).parents[1] / "data" / "models" / "tiny-edits"
FEW = Resampling(samples=100)

#: what her and 's are, the grammar alone does not know
PAIRS = [
    Pair("She lost her keys.", "They lost their keys."),
    Pair("I saw her duck.", "I saw them duck."),
    Pair("I made her work.", "I made them work."),
    Pair("We found her watch.", "We found their watch."),
    Pair("He's called.", "They've called."),
]


@pytest.fixture
def sets(tmp_path: Path) -> Path:
    folder = tmp_path / "sets"
    (folder / "published").mkdir(parents=True)
    lines = {"src": [p.source for p in PAIRS], "ref": [p.target for p in PAIRS]}
    answers = ["They lost their hat.", "I saw them duck.", "I made him work.", "We found their hat.", "They've called."]
    for name, found in {**{f"own.{end}": lines[end] for end in lines}, "published/own.others": answers}.items():
        (folder / name).write_text("".join(f"{line}\n" for line in found), encoding="utf-8")
    return folder


# ---------------------------------------------------------------- rewriters without their network


def test_constant_answers_do_not_depend_on_the_sentence() -> None:
    language = get_language("en")
    outcomes = language.outcomes
    always = Rewriter.from_pretrained(
        "en", decides=CONSTANT, constants=tuple(9.0 * (name == "object") for name in outcomes)
    )
    assert always.rewrite(["I saw her duck.", "We found her watch."]) == ["I saw them duck.", "We found them watch."]


def test_the_grammar_alone_leaves_what_is_open() -> None:
    alone = Rewriter.from_pretrained("en", decides=GRAMMAR)
    assert alone.rewrite("She sleeps.") == "They sleep."
    assert alone.rewrite("He's called.") == "He's called."  # is or has


def test_constants_of_another_grammar_are_refused() -> None:
    with pytest.raises(UsageError, match="2 constants for the"):
        Rewriter.from_pretrained("en", decides=CONSTANT, constants=(0.0, 1.0))


def test_an_unknown_decider_is_refused() -> None:
    with pytest.raises(UsageError, match="decides must be one of network, constant, grammar, not 'dice'"):
        Options(decides="dice")


def test_a_model_whose_language_is_read_by_the_model_has_constants_too(tmp_path: Path) -> None:
    """The German setting ``reader: model`` leaves more open; the constants see the same candidates as the network."""
    language = get_language("de", reader="model")
    pairs = [Pair("Die Lehrer singen.", "Die Lehrer*innen singen.", "de")] * 3
    fitted = fit_constants(pairs, language)
    assert fitted.candidates > 0
    assert len(fitted.log_odds) == len(language.outcomes)
    again = Rewriter.from_pretrained("de", decides=CONSTANT, constants=fitted.log_odds, settings={"reader": "model"})
    assert again.rewrite("Die Lehrer singen.") == "Die Lehrer*innen singen."


# ---------------------------------------------------------------- fitting


def test_fitted_constants_are_the_shares_where_all_offer_the_same() -> None:
    """With one set of options the weights of greatest likelihood are the relative frequencies (smoothed by a half)."""
    language = get_language("en")
    pairs = [Pair("I saw her duck.", "I saw them duck.")] * 30 + [Pair("I saw her duck.", "I saw their duck.")] * 10
    fitted = fit_constants(pairs, language)
    row = dict(zip(language.outcomes, np.exp(fitted.log_odds), strict=True))
    assert row["object"] / row["possessive"] == pytest.approx(30.5 / 10.5, rel=1e-3)
    assert fitted.candidates == 40


def test_fitted_constants_are_likelier_than_others() -> None:
    language = get_language("en")
    fitted = fit_constants(PAIRS, language)
    best = _likelihood(fitted.log_odds, language)
    rng = np.random.default_rng(3)
    for _ in range(20):
        moved = np.array(fitted.log_odds) + rng.normal(0, 0.7, len(fitted.log_odds))
        assert _likelihood(moved, language) < best + 0.35  # the smoothing moves the optimum a little


def _likelihood(log_odds, language) -> float:
    from eval.constants import _choices

    total = 0.0
    for (offered, chosen), count in _choices(PAIRS, language)[0].items():
        total += count * (log_odds[chosen] - math.log(sum(math.exp(log_odds[o]) for o in offered)))
    return total


def test_pairs_without_labels_are_refused() -> None:
    with pytest.raises(InputError, match="no candidate that the model would decide"):
        fit_constants([Pair("Rain fell.", "Rain fell.")], get_language("en"))


# ---------------------------------------------------------------- the neural share


def scored(hypothesis: list[str]):
    return wer(hypothesis=hypothesis, reference=["a b c d"] * 4, resampling=FEW)


def test_the_share_is_what_is_lost_without_the_network() -> None:
    nothing, without, model = scored(["x x c d"] * 4), scored(["a x c d"] * 4), scored(["a b c d"] * 4)
    share = neural_share(model=model, without=without, nothing=nothing, resampling=FEW)
    assert share.percent == 50.0  # eight errors removed, four of them by the network
    assert share.test.difference == -25.0


def test_a_network_that_is_worth_nothing_has_no_share_and_no_significance() -> None:
    nothing, model = scored(["x x c d"] * 4), scored(["a b c d"] * 4)
    share = neural_share(model=model, without=model, nothing=nothing, resampling=FEW)
    assert share.percent == 0.0
    assert share.test.p_value == 1.0


def test_a_model_that_removes_nothing_has_no_share() -> None:
    nothing = scored(["x x c d"] * 4)
    assert neural_share(model=nothing, without=nothing, nothing=nothing, resampling=FEW).percent is None


# ---------------------------------------------------------------- the suite


def test_a_suite_shows_what_decides(sets: Path) -> None:
    found = find_sets(sets)
    entries = [*model_entries("en", ablation=Ablation(parts=True)), *guarded_entries(found, "en")]
    result = score_entries(entries, found, SuiteOptions(resampling=FEW))
    rows = [NOTHING, "others", *(part_name("en", p) for p in (NETWORK, RAW, CONSTANT, GRAMMAR)), f"others, {GUARDED}"]
    assert list(result.scores) == rows
    assert set(result.scores["en"]["own"].against) == {"others"}
    assert not result.scores["en, grammar alone"]["own"].against
    # the guard takes hat and him back
    assert result.scores[f"others, {GUARDED}"]["own"].wer.score < result.scores["others"]["own"].wer.score
    assert [row[2] for row in share_table(result).rows] == ["constant answers", "grammar alone"]
    assert to_dict(result)["systems"][2]["scores"]["own"]["neural"].keys() == {CONSTANT, GRAMMAR}
    assert "What the network is worth" in text(result)


def test_signatures_name_guard_gate_grammar_and_who_decides(sets: Path) -> None:
    found = find_sets(sets)
    result = score_entries(model_entries("en", ablation=Ablation(parts=True)), found, SuiteOptions(resampling=FEW))
    fields = {name: parse_signature(row["own"].wer.signature) for name, row in result.scores.items()}
    assert "guard" not in fields[NOTHING] and "guard" not in fields["others"]
    shared = {"grammar": grammar_version("en")}
    strict = {"guard": "strict", "gate": "on", **shared}
    assert fields["en"].items() >= {**strict, "isa": cpu_instructions()}.items()
    assert fields["en, guard off"].items() >= {"guard": "off", "gate": "off", **shared}.items()
    assert fields["en, constant answers"].items() >= {**strict, "decides": "constant"}.items()
    assert fields["en, grammar alone"].items() >= {**strict, "decides": "grammar"}.items()


def test_fitted_constants_are_named_in_the_signature() -> None:
    constants = (0.0,) * len(get_language("en").outcomes)
    fitted = Rewriter.from_pretrained("en", decides=CONSTANT, constants=constants)
    assert conditions_of(fitted)["decides"] == "constant-fitted"


def test_the_language_comes_from_the_model(sets: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["eval", "suite", "de", "--sets", str(sets), "--bootstrap", "10", "--json"]) == 0
    record = json.loads(capsys.readouterr().out)
    assert "|lang:de|" in record["systems"][0]["scores"]["own"]["signature"]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["en", "de"], "models are for different languages"),
        (["en", "--lang", "de"], "the model 'en' is for 'en', not for --lang de"),
        (["en", "--labels", "pairs.jsonl"], "--labels says what the constant answers of --ablate are fitted on"),
    ],
)
def test_what_does_not_go_together_is_refused(
    sets: Path, capsys: pytest.CaptureFixture[str], words: list[str], message: str
) -> None:
    assert main(["eval", "suite", *words, "--sets", str(sets)]) == 2
    assert message in capsys.readouterr().err


def test_the_command_takes_a_model_apart_and_logs_every_row(
    sets: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    labels = tmp_path / "pairs.jsonl"
    labels.write_text("".join(json.dumps(pair.to_dict()) + "\n" for pair in PAIRS), encoding="utf-8")
    words = ["eval", "suite", "en", "--sets", str(sets), "--ablate", "--labels", str(labels), "--bootstrap", "10"]
    assert main([*words, "--log", str(tmp_path / "log.tsv")]) == 0
    shown = capsys.readouterr()
    assert "constants fitted on" in shown.err
    assert "decides:constant-fitted" in shown.out
    logged = [line.split("\t")[4] for line in (tmp_path / "log.tsv").read_text(encoding="utf-8").splitlines()[1:]]
    assert logged == ["en", "en, guard off", "en, constant answers", "en, grammar alone", "others, through our guard"]


# ---------------------------------------------------------------- cases and errors


def test_cases_and_errors_take_a_model_apart(sets: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    table = tmp_path / "cases.tsv"
    rows = "".join(f"c-{n}\ta\t{p.source}\t{p.target}\n" for n, p in enumerate(PAIRS))
    table.write_text(f"id\tconstruction\tsource\ttarget\n{rows}", encoding="utf-8")
    assert main(["eval", "cases", "en", str(table), "--ablate"]) == 0
    shown = capsys.readouterr().out
    assert "grammar alone:" in shown and "McNemar" in shown and "|decides:grammar|" in shown
    words = [str(sets / "own.ref"), str(sets / "own.src")]
    assert main(["eval", "errors", "--model", "en", *words, "--ablate", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["parts"].keys() == {RAW, CONSTANT, GRAMMAR}


@pytest.mark.parametrize("words", [["a", "b"], ["a", "b", "c", "--ablate"], ["a", "b", "c", "--model", "en"]])
def test_errors_say_which_files_are_needed(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["eval", "errors", *words]) == 2
    message = capsys.readouterr().err
    assert "needed" in message or "--model" in message


# ---------------------------------------------------------------- what signatures are made of


@pytest.mark.parametrize(("flags", "expected"), [("fpu avx avx2", "AVX2"), ("fpu avx", "AVX"), ("fpu sse2", "GENERIC")])
def test_the_instructions_are_those_that_ctranslate2_chooses(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, flags: str, expected: str
) -> None:
    monkeypatch.delenv("CT2_FORCE_CPU_ISA", raising=False)
    (tmp_path / "cpuinfo").write_text(f"flags : {flags}\n", encoding="utf-8")
    assert cpu_instructions(tmp_path / "cpuinfo") == expected


@pytest.mark.parametrize(
    ("flags", "expected"),
    [("avx2", "float32"), ("avx2 avx_vnni", "default"), ("avx2 avx512f avx512_vnni", "default")],
)
def test_without_products_of_8_bits_models_are_computed_in_floats(tmp_path: Path, flags: str, expected: str) -> None:
    """They would overflow (docs/use/install.md); a system that does not say what it has is left as it is."""
    (tmp_path / "cpuinfo").write_text(f"flags : {flags}\n", encoding="utf-8")
    assert compute_type("cpu", tmp_path / "cpuinfo") == expected
    assert compute_type("cuda", tmp_path / "cpuinfo") == "default"


def test_a_choice_of_the_user_is_what_is_signed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CT2_FORCE_CPU_ISA", "AVX2")
    assert cpu_instructions(tmp_path / "none") == "AVX2"


def test_grammars_have_versions_of_their_own() -> None:
    assert len({grammar_version("en"), grammar_version("de"), grammar_version("xx")}) == 3
    assert grammar_version("xx") == "-"
