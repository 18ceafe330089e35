"""The notebooks of the documentation run from their first cell to their last, and show what they say."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

FOLDER = Path(__file__).resolve().parents[2] / "docs" / "notebooks"
#: what some cell of a notebook shows
SHOWN = {
    "rewrite-a-corpus": ["<del", "They know their stuff.\nIt rains.\nThey lost their keys.", "They left."],
    "train-on-your-own-text": [
        "Der*die Maler*in liest heute im Garten.",
        "Die Maler*innen lesen heute im Garten.",
        "Es regnet im Garten.",
        "<Figure size",
    ],
    "audit-a-corpus-and-a-model": ["under-represented: True", "women, men, neither: (0, 0, 90)", "genbit: 0.0"],
}


def cells(name: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads((FOLDER / f"{name}.ipynb").read_text(encoding="utf-8"))["cells"]
    return found


def test_every_notebook_is_tried() -> None:
    assert {path.stem for path in FOLDER.glob("*.ipynb")} == set(SHOWN)


@pytest.mark.parametrize("name", SHOWN)
def test_no_output_is_committed(name: str) -> None:
    assert not [cell for cell in cells(name) if cell.get("outputs") or cell.get("execution_count")]


@pytest.mark.slow
@pytest.mark.parametrize("name", SHOWN)
def test_a_notebook_runs(name: str, tmp_path: Path) -> None:
    nbclient = pytest.importorskip("nbclient", reason="needs nbclient and ipykernel (the extra 'dev')")
    pytest.importorskip("ipykernel", reason="needs nbclient and ipykernel (the extra 'dev')")
    import nbformat

    notebook = nbformat.read(FOLDER / f"{name}.ipynb", as_version=4)
    nbclient.NotebookClient(notebook, timeout=900, resources={"metadata": {"path": str(tmp_path)}}).execute()
    shown = "\n".join(texts_shown(notebook.cells))
    for words in SHOWN[name]:
        assert words in shown, shown


def texts_shown(executed: list[Any]) -> list[str]:
    """Return what the cells print and what their last values show."""
    outputs = [output for cell in executed for output in cell.get("outputs", [])]
    return [output.get("text", "") + "\n".join(map(str, output.get("data", {}).values())) for output in outputs]
