"""A language from elsewhere: a toy language in a temporary folder is rewritten, learnt and measured like our own.

``tests/data/toy-language`` is the package that docs/extend/add-a-language.md explains. Nothing of the toolkit names
it; what ``pip install`` would do (copy the package, write its entry point) is done here by hand, in a slow test by pip
itself.
"""

from __future__ import annotations

import ast
import os
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Iterator, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from augment import languages as augment_languages
from augment.generate import GenerateConfig, generate
from augment.swap import Swapper
from eval.edits import count_edits
from lexicons.languages import installed
from lexicons.loader import read_table
from rewriter import Rewriter, rewrite
from rewriter.cli.main import main
from rewriter.errors import UsageError
from rewriter.io.files import read_json, read_pairs
from rewriter.language.detect import LanguageSelector, is_language
from rewriter.language.interface import get_language, known_languages, profile
from rewriter.model.directory import ModelInfo, bundled, load_info
from rewriter.model.grammar import write_grammar_model
from rewriter.model.guard import NO_OPTION, OUTSIDE, check
from rewriter.model.piece_table import PieceTable
from rewriter.model.proposer import Proposal
from rewriter.pipeline import Options
from rewriter.policy import Policy
from rewriter.policy.scope import _module as control_module
from rewriter.records import Edit, Pair, apply_edits
from train.edits.labels import Labelled, label

ROOT = Path(__file__).resolve().parents[2]
SOURCE = ROOT / "tests" / "data" / "toy-language"
PACKAGE = "gender_fair_toy"
PACKAGES = ("lexicons", "rewriter", "eval", "augment", "train")
PIECES = ROOT / "tests" / "data" / "models" / "tiny-edits" / "pieces.model"

#: source, result of the grammar alone, kinds of the edits
BY_GRAMMAR = [
    ("Lo canta.", "Le canta.", ["pronoun"]),
    ("LO CANTA!", "LE CANTA!", ["pronoun"]),
    ("Un medo vide una meda.", "Une mede vide une mede.", ["determiner", "noun", "determiner", "noun"]),
    ("Ora medo dorme. Lo vola.", "Ora mede dorme. Le vola.", ["noun", "pronoun"]),
    ("Ven la.", "Ven la.", []),
    ("La canta.", "La canta.", []),
    ("Un solo lege `lo`  ...", "Un solo lege `lo`  ...", []),
    ("Lomo, medon, il vale.\r\n", "Lomo, medon, il vale.\r\n", []),
]
#: what only a model can decide: "la" is a person here and a place there
BY_MODEL = [
    ("La canta.", "Le canta."),
    ("La canta la ora.", "Le canta la ora."),
    ("Un medo canta la ven.", "Une mede canta la ven."),
    ("La vide un pastro la ven.", "Le vide une pastre la ven."),
]


def clear_caches() -> None:
    for cached in (installed, read_table, control_module):
        cached.cache_clear()


def write_distribution(site: Path) -> None:
    """Do what pip does for a package without dependencies."""
    shutil.copytree(SOURCE / PACKAGE, site / PACKAGE, ignore=shutil.ignore_patterns("__pycache__"))
    project = tomllib.loads((SOURCE / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    entries = [f"{name} = {value}" for name, value in project["entry-points"]["gender_fair.languages"].items()]
    write_metadata(site, project["name"].replace("-", "_"), entries)


def write_metadata(site: Path, name: str, entries: Sequence[str]) -> None:
    folder = site / f"{name}-1.dist-info"
    folder.mkdir(parents=True)
    (folder / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1\n")
    (folder / "entry_points.txt").write_text("\n".join(["[gender_fair.languages]", *entries]) + "\n")


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """The folder in which the toy language is installed, with a bundled model that needs no weights."""
    folder = tmp_path_factory.mktemp("site")
    write_distribution(folder)
    sys.path.insert(0, str(folder))
    clear_caches()
    write_grammar_model(folder / PACKAGE / "rewriter" / "bundled" / "toy", "toy")
    yield folder
    sys.path.remove(str(folder))
    for name in [name for name in sys.modules if name.partition(".")[0] == PACKAGE]:
        del sys.modules[name]
    clear_caches()


@pytest.fixture(scope="module")
def toy(site: Path) -> Rewriter:
    """The toy language by its grammar alone."""
    return Rewriter.from_pretrained("toy")


@pytest.fixture(scope="module")
def corpus(site: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("corpus") / "toy.txt"
    with path.open("w", encoding="utf-8") as stream:
        subprocess.run([sys.executable, "-m", f"{PACKAGE}.sentences"], env=environment(site), stdout=stream, check=True)
    return path


def environment(site: Path) -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": os.pathsep.join([str(site), str(ROOT)]), "OMP_NUM_THREADS": "1"}


def command(site: Path, *words: str, text: str = "", folder: Path | None = None) -> subprocess.CompletedProcess[str]:
    """Run ``gender-fair`` in a process of its own that finds the toy language as an installed package."""
    return subprocess.run(
        [sys.executable, "-m", "rewriter", *words],
        input=text, capture_output=True, text=True, env=environment(site), cwd=folder,
    )  # fmt: skip


# ---------------------------------------------------------------- found


def test_without_its_package_the_language_is_unknown() -> None:
    clear_caches()
    with pytest.raises(UsageError, match="there is no language 'toy'"):
        get_language("toy")


def test_an_installed_language_is_found_behind_our_own(site: Path) -> None:
    assert known_languages() == ["de", "en", "toy"]
    assert get_language("en").__class__.__module__ == "rewriter.en.language"
    assert get_language("toy").__class__.__module__ == f"{PACKAGE}.rewriter.language"
    assert profile("toy").convention == "toy-e"


def test_a_near_miss_is_told(site: Path) -> None:
    with pytest.raises(UsageError, match=r"no language 'toi' \(did you mean 'toy'\?\); there are de, en, toy"):
        get_language("toi")


def test_its_model_is_bundled_behind_ours(site: Path) -> None:
    assert bundled()[-1] == site / PACKAGE / "rewriter" / "bundled" / "toy"
    info = load_info(bundled()[-1])
    assert (info.lang, info.target, info.convention) == ("toy", "grammar", "toy-e")
    assert "It may take *la*" in (bundled()[-1] / "README.md").read_text(encoding="utf-8")


def test_two_packages_of_one_language_are_an_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_metadata(tmp_path, "one", ["nix = one_nix"])
    write_metadata(tmp_path, "two", ["nix = two_nix"])
    monkeypatch.syspath_prepend(tmp_path)
    clear_caches()
    try:
        with pytest.raises(UsageError, match="two installed packages bring the language 'nix': one_nix and two_nix"):
            get_language("nix")
    finally:
        clear_caches()


def test_a_package_that_is_gone_is_an_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_metadata(tmp_path, "gone", ["nix = gone_nix"])
    monkeypatch.syspath_prepend(tmp_path)
    clear_caches()
    try:
        with pytest.raises(UsageError, match="package 'gone_nix' of the language 'nix' cannot be imported"):
            get_language("nix")
    finally:
        monkeypatch.undo()
        clear_caches()


# ---------------------------------------------------------------- rewritten


@pytest.mark.parametrize(("source", "target", "kinds"), BY_GRAMMAR, ids=[case[0] for case in BY_GRAMMAR])
def test_rewriting_by_grammar(source: str, target: str, kinds: list[str], toy: Rewriter) -> None:
    result = toy.rewrite(source, return_edits=True)
    assert result.text == target
    assert [edit.kind for edit in result.edits] == kinds
    assert apply_edits(source, result.edits) == target
    assert toy.rewrite(target) == target


WORDS = st.sampled_from("Lo la un una medo MEDA canta ora `lo` x@lo.la ☀ é .".split())


@given(words=st.lists(WORDS, max_size=12), gap=st.sampled_from([" ", "  ", "\n"]))
def test_the_parts_fit_together(words: list[str], gap: str, toy: Rewriter) -> None:
    """What every language has to keep: spans in order, a gate that misses nothing, edits that replay."""
    text, language = gap.join(words), get_language("toy")
    spans = language.segment(text)
    assert all(a < b for a, b in spans) and all(one[1] <= two[0] for one, two in pairwise(spans))
    assert "".join("".join(text[a:b] for a, b in spans).split()) == "".join(text.split())
    candidates = language.analyze(text).candidates
    assert language.gate(text) or not candidates
    assert all(c.options[0] == (0, text[c.start : c.end]) for c in candidates)
    result = toy.rewrite(text, return_edits=True)
    assert apply_edits(text, result.edits) == result.text
    assert len(result.text.splitlines()) == len(text.splitlines())


def test_the_guard_holds_a_stranger_to_the_grammar(site: Path) -> None:
    text = "Una meda canta la ora."
    proposed = [
        Edit(4, 8, "meda", "mede", "noun", ""),
        Edit(9, 14, "canta", "cante", "other", ""),
        Edit(15, 17, "la", "lu", "pronoun", ""),
    ]
    checked = check(text, (), Proposal(proposed), get_language("toy"))
    assert apply_edits(text, checked.edits) == "Une mede canta la ora."  # the determiner follows
    assert checked.rejected == [("canta -> cante", OUTSIDE), ("la -> lu", NO_OPTION)]


def test_the_public_functions_know_it(toy: Rewriter) -> None:
    assert rewrite("Lo canta.", model="toy") == "Le canta."
    assert list(toy.rewrite(iter(["Lo canta."]))) == ["Le canta."]


@pytest.mark.parametrize(
    ("policy", "result"),
    [
        ({"deny": ("medo",)}, "Le vide un medo."),
        ({"deny_kinds": ("determiner",)}, "Le vide un medo."),  # the noun needs it
        ({"allow_kinds": ("pronoun",)}, "Le vide un medo."),
        ({"scope": "generic"}, "Le vide une mede."),
    ],
)
def test_policies(policy: dict[str, Any], result: str, site: Path) -> None:
    assert Rewriter.from_pretrained("toy", policy=Policy(**policy)).rewrite("Lo vide un medo.") == result


def test_named_persons_are_left_alone_where_that_is_asked_for(site: Path) -> None:
    text = "Lo vide Tali. Lo dorme."
    assert Rewriter.from_pretrained("toy", policy=Policy(scope="generic")).rewrite(text) == text


def test_own_nouns_and_settings(site: Path, tmp_path: Path) -> None:
    (tmp_path / "own.tsv").write_text("gendered\tfair\nbardo\tbarde\n")
    assert Rewriter.from_pretrained("toy", lexicon=str(tmp_path / "own.tsv")).rewrite("Un bardo.") == "Une barde."
    with pytest.raises(UsageError, match="'form' is no setting of the language 'toy', which has extra_nouns"):
        Rewriter.from_pretrained("toy", form="colon")
    with pytest.raises(UsageError, match="the language 'toy' has no setting 'dialect'; it has extra_nouns"):
        Rewriter.from_pretrained("toy", settings={"dialect": "north"})
    assert Options(settings={"b": 1, "a": 2}) == Options(settings=(("a", 2), ("b", 1)))


@pytest.mark.parametrize(
    ("to", "result"),
    [("masculine", "Lo vide un medo. UN KUKO."), ("feminine", "La vide una meda. UNA KUKA.")],
)
def test_the_way_back(to: str, result: str, site: Path) -> None:
    back = Rewriter.from_pretrained("toy", to=to)
    assert back.rewrite("Le vide une mede. UN KUKO.") == result


def test_texts_are_told_from_others(site: Path) -> None:
    assert is_language("Lo canta ora.", "toy")
    assert not is_language("The dog barks.", "toy")
    assert LanguageSelector("toy").identity() == {"language": "toy", "detect": False}


def test_the_command(site: Path) -> None:
    done = command(site, "rewrite", "-", "--lang", "toy", "--json", text="Lo vide un medo.\n")
    assert done.returncode == 0, done.stderr
    assert '"text": "Le vide une mede."' in done.stdout
    done = command(site, "rewrite", "-", "--lang", "toy", "--setting", "dialect=north", text="Lo.\n")
    assert (done.returncode, done.stderr) == (2, "gender-fair: the language 'toy' has no setting 'dialect'; "
                                                 "it has extra_nouns\n")  # fmt: skip


def test_other_processes_find_it(site: Path, corpus: Path, tmp_path: Path) -> None:
    target = tmp_path / "fair.txt"
    done = command(
        site, "rewrite", str(corpus), "-o", str(target), "--lang", "toy", "--shard-lines", "500", "--processes", "2"
    )
    assert done.returncode == 0, done.stderr
    lines = corpus.read_text().splitlines(), target.read_text().splitlines()
    assert len(lines[0]) == len(lines[1])
    assert all(line.startswith("Le ") for source, line in zip(*lines, strict=True) if source.startswith("Lo "))


def test_the_check_mode(site: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "toy.txt").write_text("Il solo vola.\nOra lo vide un medo.\n")
    assert main(["rewrite", str(tmp_path / "toy.txt"), "--check", "--lang", "toy"]) == 1
    places = [line.partition(".txt:")[2] for line in capsys.readouterr().out.splitlines()]
    assert [place.partition(" ->")[0] for place in places] == [
        "2:5: pronoun: 'lo'", "2:13: determiner: 'un'", "2:16: noun: 'medo'"
    ]  # fmt: skip


def test_data_sets(toy: Rewriter) -> None:
    datasets = pytest.importorskip("datasets")
    data = datasets.Dataset.from_dict({"text": ["Lo canta.", None], "id": [1, 2]})
    assert toy.rewrite_dataset(data)["text"][:] == ["Le canta.", None]


# ---------------------------------------------------------------- data, swapping, measuring


@pytest.mark.parametrize("table", ["gendered", "keep"])
def test_cases_are_scored(table: str, site: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["eval", "cases", "toy", str(SOURCE / "cases" / f"{table}.tsv"), "--failures"]) == 0
    assert "100.0 %" in capsys.readouterr().out.splitlines()[0]


def test_pairs_of_a_strategy(corpus: Path, tmp_path: Path) -> None:
    generate(GenerateConfig("plain", [str(corpus)], lang="toy", shard_lines=700, processes=2), output=tmp_path / "out")
    pairs = [pair for path in sorted((tmp_path / "out").glob("pairs-*")) for pair in read_pairs(path)]
    assert len(pairs) > 400
    assert {pair.form for pair in pairs} == {"masculine", "feminine"}
    assert Pair("La canta la ora.", "Le canta la ora.", "toy", "plain", "feminine") in [
        Pair(p.source, p.target, p.lang, p.strategy, p.form) for p in pairs
    ]


def test_a_strategy_by_command(corpus: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["augment", "pairs", "--lang", "toy", "--strategy", "plain", "--explain", "Lo vide una meda la."]
    assert main(words) == 0
    assert "feminine: La vide una meda la.\n    -> Le vide une mede la." in capsys.readouterr().out


def test_strategies_that_it_does_not_have(site: Path) -> None:
    rules = augment_languages.get("toy")
    with pytest.raises(UsageError, match="the language 'toy' has no strategy 'look-alike'; it has plain"):
        rules.look_alike("Ora.", np.random.default_rng(1))


def test_labels_of_a_pair(site: Path) -> None:
    pair = Pair("La vide una meda la ven.", "Le vide une mede la ven.")
    labelled = label(pair, get_language("toy"), PieceTable.load(PIECES))
    assert isinstance(labelled, Labelled)
    assert labelled.kinds == ["pronoun:fair", "determiner:fair", "noun:fair", "pronoun:keep"]
    assert labelled.settled == [False, True, True, False]


@pytest.mark.parametrize(
    ("direction", "result"),
    [
        ("both", "La vide una meda la. Lo dorme."),
        ("to-feminine", "La vide una meda la. La dorme."),
        ("to-masculine", "Lo vide un medo la. Lo dorme."),
    ],
)
def test_swapping(direction: str, result: str, site: Path) -> None:
    swapper = Swapper("toy", direction=direction)
    assert " ".join(swapper.swap(["Lo vide un medo la.", "La dorme."])) == result


def test_errors_by_kind_of_edit(site: Path) -> None:
    report = count_edits(
        source=["Lo vide un medo ."],
        hypothesis=["Le vide un mede ora ."],
        reference=["Le vide une mede ."],
        lang="toy",
        tokenizer="none",
    )
    assert report.kinds == ("pronoun", "determiner", "noun", "other")
    counts = report.counts()
    assert [(k, c.done, c.missed, c.extra) for k, c in counts.items()] == [
        ("pronoun", 1, 0, 0), ("determiner", 0, 1, 0), ("noun", 1, 0, 0), ("other", 0, 0, 1)
    ]  # fmt: skip


# ---------------------------------------------------------------- learnt


@pytest.mark.slow
def test_a_recipe_trains_a_model_that_decides(site: Path, corpus: Path, tmp_path: Path) -> None:
    """From plain text to a model directory; then what only context tells is decided by it."""
    pytest.importorskip("torch")
    pytest.importorskip("transformers")
    run = tmp_path / "run"
    done = command(
        site, "run", str(SOURCE / "toy-edits.yaml"), "-o", str(run), "--set", f"data.inputs=[{corpus}]", folder=tmp_path
    )
    assert done.returncode == 0, done.stderr
    assert read_json(run / "edits" / "manifest.json")["counts"]["accuracy"] > 0.97
    model = Rewriter.from_pretrained(run / "export" / "model")
    assert model.info.convention == "toy-e"
    sources, targets = zip(*BY_MODEL, strict=True)
    assert tuple(model.rewrite(list(sources))) == targets
    for source, target, _ in BY_GRAMMAR:
        if "La " not in source:
            assert model.rewrite(source) == target


# ---------------------------------------------------------------- nothing else was touched


def test_the_toolkit_does_not_name_it() -> None:
    named = [p for package in PACKAGES for p in (ROOT / package).rglob("*.py") if PACKAGE in p.read_text("utf-8")]
    # as an example in the explanation of the mechanism
    assert named == [ROOT / "lexicons" / "languages.py"]


#: comparisons with the code of a language that are left: facts of one language that no other has to repeat
KNOWN_SWITCHES = {
    "augment/balance/forms.py",  # English plurals of terms
    "augment/neutral.py",  # the same, and the table of given names by which English is balanced
    "eval/bec_pro/items.py",  # the article in BEC-Pro's German templates
    "eval/genbit/report.py",  # a hint that GenBiT's lists are lemmas
    "eval/genbit/ranges.py",  # published ranges that are of lemmas, all but the English
    "train/encoder/pretraining.py",  # runs from before there was German have no language in their identity
}


def compares_a_code(node: ast.AST) -> bool:
    if not isinstance(node, ast.Compare):
        return False
    parts = [leaf for side in (node.left, *node.comparators) for leaf in getattr(side, "elts", [side])]
    return any(isinstance(part, ast.Constant) and part.value in ("en", "de", "fr", "es", "it") for part in parts)


def test_no_code_switches_over_languages() -> None:
    """``if lang == "en"`` is what a new language would have to edit."""
    ours = {"en", "de"}
    found = set()
    for package in PACKAGES:
        for path in (ROOT / package).rglob("*.py"):
            name = path.relative_to(ROOT)
            if not ours & set(name.parts) and any(map(compares_a_code, ast.walk(ast.parse(path.read_text("utf-8"))))):
                found.add(str(name))
    assert found <= KNOWN_SWITCHES


def test_every_file_of_the_toy_language_is_explained() -> None:
    page = (ROOT / "docs" / "extend" / "add-a-language.md").read_text(encoding="utf-8")
    files = [p for p in SOURCE.rglob("*") if p.is_file() and p.suffix in (".py", ".tsv", ".toml", ".yaml")]
    names = {str(p.relative_to(SOURCE / PACKAGE if SOURCE / PACKAGE in p.parents else SOURCE)) for p in files}
    assert {name for name in names if name not in page and not name.endswith("__init__.py")} == set()


def test_the_same_files_work_inside_the_toolkit(tmp_path: Path) -> None:
    """A language may move into our packages without a change: its folders are those of its package."""
    skip = shutil.ignore_patterns("__pycache__", "bundled", "*.npz")
    for package in PACKAGES:
        shutil.copytree(ROOT / package, tmp_path / package, ignore=skip)
    for part in PACKAGES[:-1]:
        shutil.copytree(SOURCE / PACKAGE / part, tmp_path / part / "toy", ignore=skip)
    script = (
        "from augment.languages import get; from augment.swap import Swapper; from eval.edits import count_edits\n"
        "from rewriter import Rewriter; from rewriter.model.grammar import write_grammar_model\n"
        "write_grammar_model('model', 'toy')\n"
        "print(Rewriter.from_pretrained('model').rewrite('Lo vide una meda.'))\n"
        "print(Swapper('toy').swap('Lo vide una meda.'), *get('toy').unparsed)\n"
        "print(count_edits(source=['Lo'], hypothesis=['Le'], reference=['Le'], lang='toy', tokenizer='none').kinds)\n"
        "import rewriter.toy.language; print(rewriter.toy.language.__file__)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], cwd=tmp_path, capture_output=True, text=True,
        env={**os.environ, "PYTHONPATH": str(tmp_path)},
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines() == [
        "Le vide une mede.",
        "La vide un medo. plain",
        "('pronoun', 'determiner', 'noun', 'other')",
        str(tmp_path / "rewriter" / "toy" / "language.py"),
    ]


@pytest.mark.slow
def test_pip_installs_it(tmp_path: Path) -> None:
    pytest.importorskip("hatchling")
    shutil.copytree(SOURCE, tmp_path / "source", ignore=shutil.ignore_patterns("__pycache__"))
    pip = [sys.executable, "-m", "pip", "install", "-qq", "--no-index", "--no-deps", "--no-build-isolation"]
    subprocess.run([*pip, "--target", tmp_path / "site", tmp_path / "source"], check=True)
    done = command(tmp_path / "site", "models")
    assert done.returncode == 0, done.stderr
    script = "from rewriter.language.interface import known_languages; print(*known_languages())"
    done = subprocess.run(
        [sys.executable, "-c", script], env=environment(tmp_path / "site"), capture_output=True, text=True
    )
    assert done.stdout == "de en toy\n"


def test_a_description_without_convention_takes_that_of_its_language(site: Path) -> None:
    assert ModelInfo("x", "toy", "edits").convention == "toy-e"
    assert ModelInfo("x", "de", "edits").convention == "de-star"
    assert ModelInfo("x", "en", "full").convention == "en-singular-they"
    assert ModelInfo("x", "nix", "full").convention == "nix"
