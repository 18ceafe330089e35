"""Measure the installation: size of a fresh virtual environment and time of ``import rewriter``.

    python benchmarks/install_size.py                 # the base package
    python benchmarks/install_size.py --extras train  # with an extra

Sizes are of the files in MB (10^6 bytes); the baseline is the empty environment with pip. Import times are medians over
several new interpreters, beside that of an interpreter that imports nothing.
"""

from __future__ import annotations

import argparse
import json
import statistics
import subprocess
import tempfile
import time
import venv
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
STATEMENTS = {
    "nothing": "pass",
    "import rewriter": "import rewriter",
    "engine": "import ctranslate2, sentencepiece",
    "first rewrite": "from rewriter import rewrite; rewrite('She knows her stuff.')",
}


def megabytes(folder: Path) -> float:
    return sum(p.lstat().st_size for p in folder.rglob("*") if p.is_file() and not p.is_symlink()) / 1e6


def seconds(python: Path, statement: str, folder: str, runs: int) -> float | None:
    """Return the median wall-clock time of a new interpreter that runs ``statement``, None where it fails."""
    times = []
    for _ in range(runs + 1):  # the first one writes the byte code
        start = time.perf_counter()
        done = subprocess.run([python, "-c", statement], cwd=folder, capture_output=True, check=False)
        if done.returncode:
            return None
        times.append(time.perf_counter() - start)
    return round(statistics.median(times[1:]), 3)


def measure(extras: str, runs: int) -> dict[str, object]:
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder) / "venv"
        venv.create(home, with_pip=True)
        python = home / "bin" / "python"
        empty = megabytes(home)
        package = f"{ROOT}[{extras}]" if extras else str(ROOT)
        start = time.perf_counter()
        command = [python, "-m", "pip", "install", "-qq", "--constraint", ROOT / "constraints.txt", package]
        subprocess.run(command, check=True)
        installed = time.perf_counter() - start
        return {
            "extras": extras or None,
            "empty environment, MB": round(empty),
            "environment, MB": round(megabytes(home)),
            "installation, s": round(installed, 1),
            "seconds": {name: seconds(python, code, folder, runs) for name, code in STATEMENTS.items()},
        }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--extras", default="", help="extras to install, comma-separated")
    parser.add_argument("--runs", type=int, default=5, help="interpreters per import time (%(default)s)")
    args = parser.parse_args()
    print(json.dumps(measure(args.extras, args.runs), indent=2))


if __name__ == "__main__":
    main()
