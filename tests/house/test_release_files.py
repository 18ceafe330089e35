"""What a release is installed from: every version is the tested one, has hashes, and no file names a place."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest

from rewriter.model.directory import bundled
from tools.release_files import FILES, ROOT, model_component

_PIN = re.compile(r"^([A-Za-z0-9._-]+)(?:\[[\w,-]+\])?==([^\s;\\]+)", re.MULTILINE)


def pins(text: str) -> list[tuple[str, str]]:
    return [(name.lower().replace("_", "-").replace(".", "-"), version) for name, version in _PIN.findall(text)]


def text_of(name: str) -> str:
    return (ROOT / name).read_text(encoding="utf-8")


@pytest.mark.parametrize("name", FILES)
def test_every_version_is_the_one_that_is_tested(name: str) -> None:
    tested = dict(pins(text_of("constraints.txt")))
    found = pins(text_of(name))
    assert len(found) >= len(FILES) and not [pin for pin in found if pin[0] in tested and tested[pin[0]] != pin[1]]


@pytest.mark.parametrize("name", FILES)
def test_every_requirement_has_hashes(name: str) -> None:
    whole = re.sub(r"^#.*\n", "", text_of(name), flags=re.MULTILINE).replace("\\\n", " ")
    lines = [line for line in whole.splitlines() if line.strip()]
    assert lines and all(re.search(r"--hash=sha256:[0-9a-f]{64}\b", line) for line in lines)
    assert len(lines) == len(pins(text_of(name)))


@pytest.mark.parametrize("name", FILES)
def test_no_file_names_where_packages_lie(name: str) -> None:
    assert not re.search(r"https?:|file:|--(?:extra-)?index|--find-links|--trusted|(?<!\w)/\w", text_of(name))


def test_what_the_package_itself_needs_is_in_all_of_them() -> None:
    needed = {"ctranslate2", "sentencepiece", "numpy", "pyyaml", "filelock", "zstandard", "tqdm"}
    for name in FILES:
        assert needed <= dict(pins(text_of(name))).keys()
    assert "fastapi" in dict(pins(text_of("requirements-release-serve.txt")))


def test_the_bill_of_materials_has_the_digests_of_the_bundled_models() -> None:
    entries = {entry["name"]: entry for entry in map(model_component, bundled())}
    assert {"de", "en"} <= entries.keys()
    names = {part["name"] for part in entries["en"]["components"]}
    assert {"en/model.bin", "en/pieces.model", "en/head.json"} <= names
    assert all(len(part["hashes"][0]["content"]) == 64 for e in entries.values() for part in e["components"])


def test_the_documents_name_the_files() -> None:
    for name in FILES:
        assert name in Path(ROOT, "docs", "use", "install.md").read_text(encoding="utf-8")


def test_the_citation_and_the_changelog_go_with_the_version() -> None:
    project = tomllib.loads(text_of("pyproject.toml"))["project"]
    version = tuple(map(int, project["version"].split(".")))
    assert f"\nversion: {project['version']}\n" in text_of("CITATION.cff")
    heading = re.search(r"^## (\d+)\.(\d+)\.(\d+) \((.+)\)$", text_of("CHANGELOG.md"), flags=re.MULTILINE)
    assert heading is not None
    newest = tuple(map(int, heading.groups()[:3]))
    if heading[4] == "unreleased":
        assert newest > version
    else:
        assert newest == version and re.fullmatch(r"\d{4}-\d{2}-\d{2}", heading[4])
