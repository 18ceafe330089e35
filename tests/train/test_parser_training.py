"""Training a parsing pipeline from a treebank: stage behaviour on a toy treebank, labels, scores."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from augment.dependency import Relation, load_parser
from rewriter.errors import ParserError, ResumeError, UsageError
from rewriter.io.files import read_json, write_lines
from rewriter.runs.manifest import Manifest
from train.parser import FurtherTreebank, ParserConfig, convert, documents, train_parser

spacy = pytest.importorskip("spacy")

# word, lemma, universal tag, tag, head, label; "do n't" stands apart as in treebanks
SENTENCES = [
    "She she PRON PRP 2 nsubj|sells sell VERB VBZ 0 root|the the DET DT 4 det|boat boat NOUN NN 2 obj|"
    ". . PUNCT . 2 punct",
    "They they PRON PRP 4 nsubj|do do AUX VBP 4 aux|n't not PART RB 4 advmod|sleep sleep VERB VB 0 root",
    "He he PRON PRP 4 nsubj|is be AUX VBZ 4 cop|a a DET DT 4 det|cook cook NOUN NN 0 root",
    "The the DET DT 2 det|cook cook NOUN NN 3 nsubj|sings sing VERB VBZ 0 root|in in ADP IN 6 case|"
    "the the DET DT 6 det|boat boat NOUN NN 3 obl|and and CCONJ CC 8 cc|sleeps sleep VERB VBZ 3 conj",
]


def conllu(sentence: str) -> list[str]:
    rows = []
    words = sentence.split("|")
    for number, item in enumerate(words, 1):
        word, lemma, pos, tag, head, label = item.split()
        glued = number < len(words) and words[number].startswith(("n't", "."))
        space = "SpaceAfter=No" if glued else "_"
        if glued and words[number].startswith("n't"):
            rows.append(f"{number}-{number + 1}\t{word}n't" + "\t_" * 8)
        rows.append("\t".join([str(number), word, lemma, pos, tag, "_", head, label, "_", space]))
    return ["# text", *rows, ""]


@pytest.fixture(name="config")
def _config(tmp_path: Path) -> ParserConfig:
    folder = tmp_path / "UD_Toy"
    for part in ("train", "dev", "test"):
        lines = [line for sentence in SENTENCES * 40 for line in conllu(sentence)]
        write_lines(folder / f"{part}.conllu.zst", lines)
    return ParserConfig(
        treebank=folder,
        train="train.conllu.zst",
        dev="dev.conllu.zst",
        test="test.conllu.zst",
        licence="CC0",
        width=32,
        depth=1,
        max_steps=60,
        eval_every=30,
        batch_words=200,
        patience=0,
    )


def test_contractions_are_cut_as_the_tokenizer_cuts_them(config: ParserConfig, tmp_path: Path) -> None:
    from spacy.tokens import DocBin

    count = convert(config.parts()["dev"], tmp_path / "dev.spacy")
    (doc, *_) = DocBin().from_disk(tmp_path / "dev.spacy").get_docs(spacy.blank("en").vocab)
    gold = [t.text for t in doc]
    assert count == 160
    assert "n't" in gold
    assert gold == [t.text for t in spacy.blank("en").make_doc(doc.text)]


@pytest.mark.slow
def test_a_toy_pipeline_is_trained_scored_and_loadable(config: ParserConfig, tmp_path: Path) -> None:
    output = tmp_path / "parser"
    scores = train_parser(config, output=output)
    assert scores == read_json(output / "scores.json")
    assert (scores["treebank"], scores["scheme"]) == ("UD_Toy", "universal-dependencies")
    assert scores["test"]["tag"] > 60  # it learns: four sentences, sixty updates
    assert Manifest.load(output).complete  # type: ignore[union-attr]
    assert not (output / "work").exists()
    parse = load_parser(output).parse("She sells the boat")
    assert [t.text for t in parse.tokens] == ["She", "sells", "the", "boat"]
    assert parse[1].relation in set(Relation)
    meta = read_json(output / "pipeline" / "meta.json")
    assert meta["license"] == "CC0"
    # the finished result is not made again, and another configuration does not overwrite it
    before = (output / "pipeline" / "meta.json").stat().st_mtime_ns
    assert train_parser(config, output=output) == scores
    assert (output / "pipeline" / "meta.json").stat().st_mtime_ns == before
    with pytest.raises(ResumeError, match="max_steps"):
        train_parser(replace(config, max_steps=61), output=output)


def test_further_treebanks_keep_layers_to_themselves(config: ParserConfig) -> None:
    rows = [
        "1\tShe\tshe\tPRON\tPP\tCase=Nom\t2\tnsubj\t_\t_",
        "2\tsleeps\tsleep\tVERB\tV\t_\t0\troot\t_\t_",
        "3\t.\t.\tPUNCT\t.\t_\t2\tp\t_\t_",
        "",
    ]
    write_lines(Path(config.treebank) / "more.conllu", rows)
    more = FurtherTreebank("more.conllu", without=["tag", "morph"], relabel={"p": "punct"}, spaced=True)
    docs = documents(replace(config, further=[more], dev_share=0.5))
    counts = {part: sum(len(list(doc.sents)) for doc in found) for part, found in docs.items()}
    assert counts == {"train": 160 + 1 + 80, "dev": 80, "test": 160}
    (doc,) = [d for d in docs["train"] if d.text.startswith("She sleeps.")]
    assert (doc[0].tag_, doc[0].pos_, str(doc[0].morph), doc[0].lemma_, doc[0].dep_) == ("", "", "", "she", "nsubj")
    assert doc[2].dep_ == "punct"


def test_an_unknown_layer_is_named() -> None:
    with pytest.raises(UsageError, match="'heads' is no layer; known: tag, morph, lemma"):
        FurtherTreebank("more.conllu", without=["heads"])


def test_a_missing_part_is_named(config: ParserConfig, tmp_path: Path) -> None:
    with pytest.raises(ParserError, match=r"dev part.*nothing\.conllu"):
        train_parser(replace(config, dev="nothing.conllu"), output=tmp_path / "parser")
