"""The spaCy component: found by name, notes edits, leaves documents alone, is saved with its model."""

from __future__ import annotations

import pickle
from pathlib import Path
from typing import Any

import pytest

from rewriter import Edit, Rewriter
from rewriter.errors import ModelError, UsageError

spacy = pytest.importorskip("spacy")

TINY = Path(__file__).resolve().parents[1] / "data" / "models" / "tiny-edits"
#: the tiny model is sure of these, because the grammar alone decides them
TEXTS = ["Then she said so.", "It rains.", "", "  So he left\t😀.\n\nThen she said: 'HE'."]
NAME = "gender_fair_rewriter"


def pipeline(**config: Any) -> Any:
    nlp = spacy.blank("en")
    nlp.add_pipe(NAME, config={"model": str(TINY), **config})
    return nlp


@pytest.fixture(scope="module")
def nlp() -> Any:
    return pipeline()


@pytest.fixture(scope="module")
def fair() -> list[str]:
    return Rewriter.from_pretrained(TINY).rewrite(TEXTS)


def test_the_bundled_model_is_the_default() -> None:
    nlp = spacy.blank("en")
    nlp.add_pipe(NAME)
    assert nlp("She knows her stuff.")._.fair_text == "They know their stuff."


@pytest.mark.parametrize("text", TEXTS)
def test_a_document_stays_and_its_edits_are_noted(nlp: Any, text: str) -> None:
    doc = nlp(text)
    assert doc.text == text
    assert doc._.fair_text == Rewriter.from_pretrained(TINY).rewrite(text)
    assert all(doc.text[edit.start : edit.end] == edit.before for edit in doc._.fair_edits)


def test_edits_can_be_made_spans(nlp: Any) -> None:
    doc = nlp("Then she said so.")
    (edit,) = doc._.fair_edits
    assert isinstance(edit, Edit)
    span = doc.char_span(edit.start, edit.end, label=edit.kind)
    assert (span.text, span.label_, edit.after) == ("she", "pronoun", "they")


def test_nothing_is_said_about_a_document_that_the_component_did_not_see(nlp: Any) -> None:
    doc = nlp.make_doc("Then she said so.")
    assert doc._.fair_text is None and doc._.fair_edits is None
    with nlp.select_pipes(disable=[NAME]):
        assert nlp("Then she said so.")._.fair_text is None


@pytest.mark.parametrize("batch_size", [1, 3, 100])
def test_many_documents(nlp: Any, fair: list[str], batch_size: int) -> None:
    found = nlp.pipe([(text, number) for number, text in enumerate(TEXTS)], batch_size=batch_size, as_tuples=True)
    assert [(doc._.fair_text, number) for doc, number in found] == [(text, i) for i, text in enumerate(fair)]


def test_documents_are_taken_as_they_come(nlp: Any) -> None:
    taken = []

    def stream() -> Any:
        for text in TEXTS:
            taken.append(text)
            yield nlp.make_doc(text)

    next(nlp.get_pipe(NAME).pipe(stream(), batch_size=2))
    assert len(taken) == 2


def test_several_processes(nlp: Any, fair: list[str]) -> None:
    nlp("Then she said so.")  # a process that is forked now inherits a model without its threads
    found = list(nlp.pipe(TEXTS * 3, n_process=2, batch_size=2))
    assert [doc._.fair_text for doc in found] == fair * 3
    assert isinstance(found[0]._.fair_edits[0], Edit)


def test_documents_are_stored_with_their_edits(nlp: Any, fair: list[str]) -> None:
    from spacy.tokens import Doc, DocBin

    doc = nlp(TEXTS[0])
    assert Doc(nlp.vocab).from_bytes(doc.to_bytes())._.fair_edits == doc._.fair_edits
    stored = DocBin(store_user_data=True, docs=list(nlp.pipe(TEXTS))).to_bytes()
    assert [doc._.fair_text for doc in DocBin().from_bytes(stored).get_docs(nlp.vocab)] == fair


@pytest.mark.parametrize(
    ("config", "text", "expected"),
    [
        ({"policy": {"deny": ["she"]}}, "Then she said so. So he left.", "Then she said so. So they left."),
        ({"policy": {"deny_kinds": ["pronoun"]}}, "Then she said so.", "Then she said so."),
        ({"policy": {"scope": "generic"}}, "Then she said to Mary Smith so.", "Then she said to Mary Smith so."),
        ({"policy": {"protect": ["'[^']*'"]}}, "So he said 'she'.", "So they said 'she'."),
        ({"options": {"reflexive": "themselves"}}, "So he said it himself.", "So they said it themselves."),
    ],
)
def test_options_and_policy(config: dict[str, Any], text: str, expected: str) -> None:
    assert pipeline(**config)(text)._.fair_text == expected


@pytest.mark.parametrize(
    ("config", "message"),
    [
        ({"policy": {"scop": "generic"}}, r"no 'policy.scop' \(did you mean 'scope'\?\)"),
        ({"policy": {"scope": "some"}}, "scope must be one of all, generic"),
        ({"options": {"batch": 3}}, "no 'options.batch'"),
    ],
)
def test_wrong_options_are_named(config: dict[str, Any], message: str) -> None:
    with pytest.raises(UsageError, match=message):
        pipeline(**config)


def test_a_missing_model_is_named_when_it_is_needed() -> None:
    nlp = pipeline(model="no-such-model")
    with pytest.raises(ModelError, match="there is no model 'no-such-model'"):
        nlp("Then she said so.")


def test_the_config_makes_the_same_pipeline() -> None:
    from spacy.util import load_model_from_config

    nlp = pipeline(policy={"deny": ["she"], "min_confidence": 0.5})
    section = nlp.config["components"][NAME]
    assert section["policy"]["deny"] == ["she"] and section["policy"]["scope"] == "all"
    again = load_model_from_config(type(nlp.config)().from_str(nlp.config.to_str()), auto_fill=True)
    assert again.config["components"] == nlp.config["components"]
    assert again("Then she said so. So he left.")._.fair_text == "Then she said so. So they left."


def test_a_saved_pipeline_holds_its_model_and_nouns(tmp_path: Path) -> None:
    (tmp_path / "model").mkdir()
    for path in TINY.iterdir():
        (tmp_path / "model" / path.name).write_bytes(path.read_bytes())
    nouns = tmp_path / "nouns.tsv"
    nouns.write_text("gendered\tfair\nbossman\tboss\n")
    nlp = pipeline(model=str(tmp_path / "model"), options={"lexicon": str(nouns)}, policy={"deny": ["she"]})
    nlp.to_disk(tmp_path / "pipeline")
    content = nlp.to_bytes()
    for path in (nouns, *(tmp_path / "model").iterdir()):
        path.unlink()

    loaded = spacy.load(tmp_path / "pipeline")
    other = pipeline(options={"lexicon": str(nouns)}, policy={"deny": ["she"]}).from_bytes(content)
    for again in (loaded, other):
        text = "So he saw the bossman. Then she said so."
        assert again(text)._.fair_text == "So they saw the boss. Then she said so."
    loaded.to_disk(tmp_path / "second")
    assert spacy.load(tmp_path / "second")("So he left.")._.fair_text == "So they left."


def test_a_damaged_saved_model_is_refused(tmp_path: Path) -> None:
    pipeline().to_disk(tmp_path / "pipeline")
    model = tmp_path / "pipeline" / NAME / "model" / "model.bin"
    model.write_bytes(model.read_bytes()[:-10])
    with pytest.raises(ModelError, match="truncated or exchanged"):
        spacy.load(tmp_path / "pipeline")


def test_bytes_hold_nothing_but_a_model(tmp_path: Path) -> None:
    srsly = pytest.importorskip("srsly")
    with pytest.raises(ModelError, match="no saved gender_fair_rewriter"):
        pipeline().get_pipe(NAME).from_bytes(srsly.msgpack_dumps({"../evil": b"x"}))


def test_a_component_can_be_pickled(nlp: Any) -> None:
    component = pickle.loads(pickle.dumps(nlp.get_pipe(NAME)))
    assert component(nlp.make_doc("Then she said so."))._.fair_text == "Then they said so."


def test_a_pipeline_of_another_language_is_warned_about(caplog: pytest.LogCaptureFixture) -> None:
    nlp = spacy.blank("de")
    nlp.add_pipe(NAME, config={"model": str(TINY)})
    nlp("Then she said so.")
    assert "the model is for 'en', the pipeline for 'de'" in caplog.text
