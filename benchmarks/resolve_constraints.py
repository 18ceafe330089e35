"""Resolve the newest versions of all dependencies and write ``constraints.txt`` (``make constraints``).

Run it with the oldest supported Python: releases that support it also run on the later ones.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
FILE = ROOT / "constraints.txt"


def header() -> str:
    return "".join(line for line in FILE.read_text(encoding="utf-8").splitlines(True) if line.startswith("#"))


def pinned(name: str) -> str:
    """Return the line that pins ``name`` now."""
    lines = FILE.read_text(encoding="utf-8").splitlines()
    return next(line for line in lines if line.partition("==")[0] == name)


def resolve(keep: list[str]) -> list[str]:
    """Return ``name==version`` of everything that the package with all its extras needs, build tools included."""
    command = [sys.executable, "-m", "pip", "install", "--dry-run", "--ignore-installed", "-qq", "--report", "-"]
    wanted = [pinned(name) for name in keep] + [f"{ROOT}[all,dev]", "hatchling", "editables"]
    done = subprocess.run(command + wanted, stdout=subprocess.PIPE, check=True)
    found = {
        item["metadata"]["name"].lower().replace("_", "-"): item["metadata"]["version"].partition("+")[0]
        for item in json.loads(done.stdout)["install"]
    }
    found.pop("gender-fair-rewriter")
    # The CUDA libraries belong to the GPU build of torch, which pins them itself.
    skip = ("nvidia-", "cuda-", "triton")
    return [f"{name}=={version}" for name, version in sorted(found.items()) if not name.startswith(skip)]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--keep", nargs="*", default=["torch"], help="keep the pinned version of these (%(default)s)")
    lines = resolve(parser.parse_args().keep)
    FILE.write_text(header() + "\n".join(lines) + "\n", encoding="utf-8")
    print(f"wrote {len(lines)} versions to {FILE.name}")


if __name__ == "__main__":
    main()
