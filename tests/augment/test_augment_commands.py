"""The commands augment, filter and mix: exit codes, samples to read, messages; real English, no parser."""

import json

import pytest

from augment.page import as_rewrite, page_lines, sample_pairs
from rewriter.cli.main import main
from rewriter.io.files import read_lines, read_pairs, write_lines, write_pairs
from rewriter.records import Pair, apply_edits

LINES = ["We sang all night long.", "She sang all night long.", "The dog slept under the old oak tree. They watched."]
PAIRS = [
    Pair("He knows her.", "They know them.", "en", "backward", "mixed", "a.txt:1", ((9, 12),)),
    Pair("We left.", "We left.", "en", "copy", "neutral", "a.txt:2"),
    Pair("A policeman came in", "A police officer came in", "en", "forward", "masculine", "a.txt:3"),
]


@pytest.fixture
def corpus(tmp_path):
    write_lines(tmp_path / "corpus.txt", LINES)
    return str(tmp_path / "corpus.txt")


def test_from_text_to_a_mixture(corpus, tmp_path, capsys):
    plain, filtered, mixed = (str(tmp_path / name) for name in ("plain", "filtered", "mixed"))
    assert main(["augment", "neutral", corpus, "-o", plain]) == 0
    assert "2 pairs from 2 sentences" in capsys.readouterr().out
    pytest.importorskip("opusfilter")
    assert main(["filter", plain, "-o", filtered]) == 0
    assert "kept: 2" in capsys.readouterr().out
    assert main(["mix", filtered, "-o", mixed, "--set", "dev_size=0", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["train"] == 2
    texts = {pair.source for pair in read_pairs(tmp_path / "mixed" / "train.jsonl.zst")}
    assert texts == {LINES[0], "The dog slept under the old oak tree."}


def test_bad_lines_give_exit_code_3(tmp_path, capsys):
    (tmp_path / "bad.txt").write_bytes(b"We sang all night.\nWe s\xffng.\nWe sl\0pt.\n")
    assert main(["augment", "neutral", str(tmp_path / "bad.txt"), "-o", str(tmp_path / "out")]) == 3
    reasons = [json.loads(line) for line in read_lines(tmp_path / "out" / "rejects.jsonl")]
    assert [r["line"] for r in reasons] == [2, 3]
    assert "1 pairs" in capsys.readouterr().out


def test_a_sample_is_printed_and_nothing_kept(corpus, tmp_path, capsys):
    assert main(["augment", "neutral", corpus, "--sample", "1"]) == 0
    assert "[1] copy, neutral, corpus.txt:" in capsys.readouterr().out
    assert [path.name for path in tmp_path.iterdir()] == ["corpus.txt"]


@pytest.mark.parametrize(("name", "marks"), [("page.html", "<h1>"), ("page.txt", "[1] copy")])
def test_a_sample_can_be_a_page(corpus, tmp_path, name, marks):
    assert main(["augment", "neutral", corpus, "--sample", "5", "--page", str(tmp_path / name)]) == 0
    assert marks in (tmp_path / name).read_text()


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["augment", "backward", "a.txt", "-o", "x"], "needs a parser"),
        (["augment", "neutral", "-o", "x"], "give text files"),
        (["augment", "neutral", "a.txt"], "give an output folder with -o, or --sample"),
        (["augment", "neutral", "none.txt", "-o", "x"], "no such text file"),
        (["augment", "neutral", "a.txt", "-o", "x", "--set", "max_word=3"], "did you mean 'max_words'"),
        (["augment", "neutral", "a.txt", "-o", "x", "--set", "max_words"], "write it as key=value"),
        (["augment", "neutral", "a.txt", "-o", "x", "--set", "max_words=[1"], "not valid YAML"),
        (["filter", "none.jsonl", "-o", "x"], "no file of pairs"),
        (["mix", "none.jsonl", "-o", "x", "--set", "neutral_share=2"], "neutral_share"),
    ],
)
def test_wrong_usage_is_one_sentence(tmp_path, monkeypatch, capsys, words, message):
    monkeypatch.chdir(tmp_path)
    write_lines("a.txt", LINES)
    assert main(words) in (2, 4)
    assert message in capsys.readouterr().err
    assert not (tmp_path / "x" / "manifest.json").exists()


@pytest.mark.parametrize(
    "words", [["augment"], ["augment", "backward"], ["augment", "look-alike"], ["filter"], ["mix"]]
)
def test_every_help_has_an_example(words, capsys):
    with pytest.raises(SystemExit) as stop:
        main([*words, "--help"])
    assert stop.value.code == 0
    assert f"gender-fair {words[0]}" in capsys.readouterr().out.split("examples:")[1]


@pytest.mark.parametrize("pair", PAIRS)
def test_marked_differences_replay(pair):
    rewrite = as_rewrite(pair)
    assert apply_edits(pair.source, rewrite.edits) == pair.target


def test_pages_mark_differences_and_doubt():
    assert page_lines(PAIRS) == [
        "[1] backward, mixed, a.txt:1, doubtful: her",
        "    [-He-]{+They+} [-knows-]{+know+} [-her-]{+them+}.",
        "[2] copy, neutral, a.txt:2",
        "    We left.",
        "[3] forward, masculine, a.txt:3",
        "    A [-policeman-]{+police officer+} came in",
    ]


def test_samples_keep_the_order_and_follow_the_seed(tmp_path):
    pairs = [Pair(f"s{n}", f"t{n}") for n in range(100)]
    one, two = sample_pairs(pairs, 10, seed=1), sample_pairs(pairs, 10, seed=2)
    assert one == sample_pairs(iter(pairs), 10, seed=1) != two
    assert [int(p.source[1:]) for p in one] == sorted(int(p.source[1:]) for p in one)
    write_pairs(tmp_path / "few.jsonl", pairs[:3])
    assert sample_pairs(read_pairs(tmp_path / "few.jsonl"), 10) == pairs[:3]


@pytest.mark.skipif("sys.platform == 'win32'", reason="needs setrlimit")
@pytest.mark.parametrize("command", ["augment", "filter", "mix"])
def test_a_full_disk_is_told_and_leaves_no_half_file(tmp_path, command):
    import subprocess
    import sys

    write_lines(tmp_path / "in.txt", (f"We counted to number {n} and {n * 7919 % 10007}." for n in range(3000)))
    write_pairs(tmp_path / "in.jsonl", (Pair(f"He left {n}.", f"They left {n}.", origin=f"a:{n}") for n in range(9000)))
    words = {"augment": ["augment", "neutral", "in.txt"], "filter": ["filter", "in.jsonl"], "mix": ["mix", "in.jsonl"]}
    code = "import resource, sys; from rewriter.cli.main import main\n"
    code += "resource.setrlimit(resource.RLIMIT_FSIZE, (6000, 6000)); sys.exit(main(sys.argv[1:]))"
    arguments = [sys.executable, "-c", code, *words[command], "-o", "out"]
    done = subprocess.run(arguments, cwd=tmp_path, capture_output=True, text=True, timeout=120)
    assert done.returncode == 4, done.stderr
    assert "cannot be written" in done.stderr
    left = {p.name for p in (tmp_path / "out").rglob("*") if p.is_file()}
    assert not {name for name in left if name.endswith(".zst") or name.endswith(".tmp")}
