"""Nothing that ships names a folder of the machine that it was made on."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
#: a rooted path of three parts or more, which a vocabulary of words does not hold
_PATH = re.compile(rb"/(?:home|root|tmp|work|mnt|Users|var|opt)/[\w.-]+/[\w./-]+")
MODELS = sorted(
    path
    for folder in (ROOT / "rewriter", ROOT / "tests")
    for pattern in ("*.model", "*.bin", "*.npz")
    for path in folder.rglob(pattern)
)


@pytest.mark.parametrize("path", MODELS, ids=lambda path: str(path.relative_to(ROOT)))
def test_model_files_name_no_path(path: Path) -> None:
    assert _PATH.search(path.read_bytes()) is None
