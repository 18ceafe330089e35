"""Template sets: our generator, published forms."""

from __future__ import annotations

import os
from collections import Counter
from pathlib import Path

import pytest

from eval.fairness.templates import TemplateOptions, make_templates, name_pairs, read_templates
from rewriter.cli.main import main
from rewriter.errors import InputError, LexiconError, UsageError
from rewriter.io.columns import read_columns, write_columns


def test_both_versions_differ_in_the_person_only():
    made = make_templates(TemplateOptions(pairs=200))
    assert len(made) == 400
    for man, woman in zip(made[::2], made[1::2], strict=True):
        assert (man.group, woman.group) == ("male", "female")
        assert (man.pair, man.label, man.frame) == (woman.pair, woman.label, woman.frame)
        assert man.text != woman.text


def test_labels_are_balanced_and_the_seed_decides():
    made = make_templates(TemplateOptions(pairs=201))
    assert Counter(template.label for template in made) == {0: 202, 1: 200}
    assert made == make_templates(TemplateOptions(pairs=201))
    assert made != make_templates(TemplateOptions(pairs=201, seed=2))


def test_sentences():
    texts = [template.text for template in make_templates(TemplateOptions(pairs=4000))]
    assert all(text[0].isupper() and text.endswith(".") and "{" not in text for text in texts)
    assert not [text for text in texts if " a a" in text or " a e" in text or " a i" in text]
    assert any(" an accountant" in text for text in texts)


def test_all_combinations_are_different():
    made = make_templates(TemplateOptions(pairs=None, names=1))
    assert len({template.text for template in made}) == len(made)


def test_names_belong_to_one_gender():
    pairs = name_pairs("en", 50)
    assert len({name for pair in pairs for name in pair}) == 100
    assert pairs[0] == ("James", "Mary")


def test_too_much_is_asked_for():
    with pytest.raises(UsageError, match="combinations"):
        make_templates(TemplateOptions(pairs=10_000_000))
    with pytest.raises(LexiconError, match="no table 'template_frames' for language 'xx'"):
        make_templates(TemplateOptions(lang="xx"))


class TestPublished:
    def test_with_groups(self, tmp_path):
        path = tmp_path / "set.csv"
        write_columns(path, {"Text": ["a he", "a she"], "Gender": ["male", "female"], "Label": ["BAD", "NOT_BAD"]})
        assert [(t.group, t.label) for t in read_templates(path)] == [("male", 1), ("female", 0)]

    def test_groups_from_terms(self, tmp_path):
        path = tmp_path / "set.tsv"
        write_columns(path, {"text": ["like old men", "like very old men"], "Class": [0, 0]})
        found = read_templates(path, identities=["old", "very old"])
        assert [t.group for t in found] == ["old", "very old"]
        with pytest.raises(UsageError, match="--identities"):
            read_templates(path)
        with pytest.raises(InputError, match="row 1 holds none"):
            read_templates(path, identities=["young"])

    @pytest.mark.data
    def test_the_authors_set(self):
        folder = os.environ.get("GENDER_FAIR_DATA")
        if not folder:
            pytest.skip("GENDER_FAIR_DATA is not set")
        path = Path(folder) / "diet" / "madlib.csv.zst"
        if not path.exists():
            pytest.skip("the template sets are not there")
        found = read_templates(path)
        assert len(found) == 76_497
        assert {t.group for t in found} == {"male", "female"}


def test_command(tmp_path, capsys):
    path = tmp_path / "templates.jsonl"
    assert main(["eval", "templates", "-o", str(path), "--pairs", "20"]) == 0
    assert "40 sentences" in capsys.readouterr().out
    assert set(read_columns(path).columns) == {"text", "group", "label", "pair", "frame"}
