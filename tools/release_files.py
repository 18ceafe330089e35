"""What a release is installed from and made of: exact versions with hashes, and a bill of materials.

    python -m tools.release_files requirements    writes requirements-release*.txt anew from constraints.txt
    python -m tools.release_files sbom            writes dist/sbom.cdx.json: packages with hashes, bundled models

``make release-files`` does both, with the tools that it needs (uv, cyclonedx-bom) in an environment of their own.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from rewriter.model.directory import bundled, load_info
from rewriter.version import __version__

ROOT = Path(__file__).resolve().parents[1]
SBOM = Path("dist/sbom.cdx.json")
#: file -> extras that it installs
FILES = {
    "requirements-release.txt": (),
    "requirements-release-serve.txt": ("serve",),
    "requirements-release-all.txt": ("all",),
}
_HEADER = """\
# Exact versions with hashes of what {what} needs, for Python 3.11.5 to 3.13 on every platform.
# Made from constraints.txt by `make release-files`; docs/use/install.md says how to install from it.
"""
#: soupsieve, which opusfilter needs, wants this one of the 3.11 line
_OLDEST = "3.11.5"
#: commands of the tools beside the running Python
_BIN = Path(sys.executable).parent


def write_requirements(name: str, extras: Sequence[str]) -> None:
    """Write a file of exact versions with the hashes of all their files.

    Args:
        name: of the file.
        extras: of the package that it installs.
    """
    command = [str(_BIN / "uv"), "pip", "compile", "pyproject.toml", "--constraints", "constraints.txt", "--quiet"]
    command += ["--generate-hashes", "--universal", "--python-version", _OLDEST]
    # neither who asked for what nor where it was looked up: both are of this machine
    command += ["--no-header", "--no-annotate", "--no-emit-index-url", "--no-emit-find-links"]
    command += [f"--extra={extra}" for extra in extras]
    done = subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, check=True, text=True)
    what = f"the package with {', '.join(extras)}" if extras else "the package alone"
    (ROOT / name).write_text(_HEADER.format(what=what) + done.stdout, encoding="utf-8")


def write_sbom(target: Path) -> None:
    """Write the bill of materials: what the package with all extras installs, and the models in its wheel."""
    command = [
        str(_BIN / "cyclonedx-py"),
        "requirements",
        "requirements-release-all.txt",
        "--pyproject",
        "pyproject.toml",
    ]
    command += ["--output-reproducible", "--output-format", "JSON", "--spec-version", "1.6"]
    done = subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, check=True, text=True)
    bill = json.loads(done.stdout)
    for component in bill["components"]:
        component.pop("externalReferences", None)  # where a package was looked up says nothing about it
    bill["components"] += map(model_component, bundled())
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_text(json.dumps(bill, indent=1) + "\n", encoding="utf-8")


def model_component(folder: Path) -> dict[str, Any]:
    """Return the entry of a bundled model: its name, version and the digest of every file."""
    info = load_info(folder)
    parts = [
        {"type": "file", "name": f"{info.name}/{name}", "hashes": [{"alg": "SHA-256", "content": digest}]}
        for name, digest in sorted(info.files.items())
    ]
    return {
        "type": "machine-learning-model",
        "bom-ref": f"model-{info.name}",
        "name": info.name,
        "version": info.toolkit_version or __version__,
        "description": f"gender-fair rewriter for {info.lang}, {info.convention} {info.convention_version}",
        "components": parts,
    }


def main(arguments: Sequence[str] | None = None) -> None:
    """Write what was asked for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=("requirements", "sbom"))
    args = parser.parse_args(arguments)
    if args.what == "sbom":
        write_sbom(ROOT / SBOM)
        print(f"wrote {SBOM}")
        return
    for name, extras in FILES.items():
        write_requirements(name, extras)
        print(f"wrote {name}")


if __name__ == "__main__":
    main()
