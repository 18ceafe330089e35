"""Writes a spaCy pipeline as an installed package: a component of its own gives tags, lemmas and heads by a word list.

It is no real parser: it knows the words of a few sentences and attaches them by their order, with the labels that
spaCy's English pipelines use. What is tested with it is the road that such a pipeline takes through the toolkit.
"""

from __future__ import annotations

import json
from pathlib import Path

NAME = "en_toy_md"
#: word -> tag, universal part of speech, lemma
WORDS = {
    "he": ("PRP", "PRON", "he"),
    "she": ("PRP", "PRON", "she"),
    "they": ("PRP", "PRON", "they"),
    "his": ("PRP$", "PRON", "his"),
    "her": ("PRP$", "PRON", "her"),
    "their": ("PRP$", "PRON", "their"),
    "lends": ("VBZ", "VERB", "lend"),
    "lend": ("VBP", "VERB", "lend"),
    "keeps": ("VBZ", "VERB", "keep"),
    "keep": ("VBP", "VERB", "keep"),
    "tools": ("NNS", "NOUN", "tool"),
    "notes": ("NNS", "NOUN", "note"),
    "often": ("RB", "ADV", "often"),
    ".": (".", "PUNCT", "."),
}
LABELS = ("ROOT", "nsubj", "dobj", "pobj", "prep", "attr", "conj", "poss", "advmod", "punct", "det")

_CODE = """
from pathlib import Path

import spacy
from spacy.language import Language

WORDS = {words}
LABELS = {labels}


@Language.factory("{name}_annotator", assigns={assigns})
class Annotator:
    labels = LABELS

    def __init__(self, nlp, name):
        pass

    def __call__(self, doc):
        for token in doc:
            token.tag_, token.pos_, token.lemma_ = WORDS.get(token.lower_, ("NN", "NOUN", token.lower_))
        for sentence in self.sentences(doc):
            self.attach(sentence)
        return doc

    def sentences(self, doc):
        found = [[]]
        for token in doc:
            found[-1].append(token)
            if token.text == ".":
                found.append([])
        return [words for words in found if words]

    def attach(self, words):
        verb = next((word for word in words if word.tag_.startswith("VB")), words[0])
        for word in words:
            head, label = verb, "advmod"
            if word is verb:
                label = "ROOT"
            elif word.tag_ == "PRP$":
                head, label = next((w for w in words if w.i > word.i and w.pos_ == "NOUN"), verb), "poss"
            elif word.tag_ == "PRP":
                label = "nsubj" if word.i < verb.i else "dobj"
            elif word.pos_ == "NOUN":
                label = "nsubj" if word.i < verb.i else "dobj"
            elif word.pos_ == "PUNCT":
                label = "punct"
            word.head, word.dep_ = head, label


def load(**options):
    nlp = spacy.blank("en")
    nlp.add_pipe("{name}_annotator", name="annotations")
    return nlp
"""


def write_pipeline(
    site: Path,
    name: str = NAME,
    *,
    labels: tuple[str, ...] = LABELS,
    assigns: tuple[str, ...] = ("token.tag", "token.pos", "token.lemma", "token.dep", "token.head"),
) -> str:
    """Install the pipeline into a folder that is to stand on Python's path, and return its name.

    Args:
        site: the folder.
        name: of the package.
        labels: of its dependencies.
        assigns: what the component says that it gives.
    """
    package = site / name
    package.mkdir(parents=True)
    code = _CODE.replace("{words}", repr(WORDS)).replace("{labels}", repr(labels)).replace("{assigns}", repr(assigns))
    (package / "__init__.py").write_text(code.replace("{name}", name), encoding="utf-8")
    (package / "meta.json").write_text(json.dumps({"name": name, "lang": "en", "version": "1.0"}), encoding="utf-8")
    about = site / f"{name}-1.0.dist-info"
    about.mkdir()
    (about / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n", encoding="utf-8")
    return name
