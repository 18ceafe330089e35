"""Tracked files name no folder of the machine on which they were written."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
CASES = ROOT / "tests" / "data"
#: first folders of absolute paths that exist on one machine and not on another
FOLDERS = ("work", "tmp", "root", "home", "opt", "Users", "mnt", "media")
PATH = re.compile(r"(?<![\w.~$})*\]/-])/(?:" + "|".join(FOLDERS) + r")/\w")


def tracked_files() -> list[Path]:
    done = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, check=False)
    if done.returncode:
        pytest.skip("this is no git checkout")
    return [ROOT / name for name in done.stdout.decode().split("\0") if name and (ROOT / name).is_file()]


def test_no_tracked_file_names_a_path_of_a_machine() -> None:
    found = []
    for path in tracked_files():
        data = path.read_bytes()
        if path == Path(__file__).resolve() or path.is_relative_to(CASES) or b"\0" in data[:8192]:
            continue  # the examples below, sentences in which a path must stay as it is, and models
        for number, line in enumerate(data.decode("utf-8", "replace").splitlines(), 1):
            if PATH.search(line):
                found.append(f"{path.relative_to(ROOT)}:{number}: {line.strip()[:100]}")
    assert found == []


@pytest.mark.parametrize("text", ["cd /opt/x", '"/tmp/out.txt"', "(/home/me/file)", "path=/mnt/x"])
def test_paths_are_seen(text: str) -> None:
    assert PATH.search(text)


@pytest.mark.parametrize("text", ["https://example.org/home/page", "~/opt/x", "$TMP/tmp/x", "a/tmp/b", "/usr/bin/env"])
def test_addresses_and_relative_paths_are_allowed(text: str) -> None:
    assert not PATH.search(text)
