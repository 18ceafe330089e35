"""The wheel holds the five packages with their data and the recipes, nothing else, and works without the checkout."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import sysconfig
import venv
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PACKAGES = ("lexicons", "rewriter", "eval", "augment", "train")
#: runs a recipe of an experiment, which the wheel does not hold
EXPERIMENT = """\
from rewriter.cli.main import main
raise SystemExit(main(["run", "debias-bert", "--dry-run", "--set", "data.root=."]))
"""

#: rewrites one sentence with every bundled model and says from where
SCRIPT = """\
import json, rewriter
from rewriter import Rewriter
from rewriter.model.directory import bundled
SENTENCES = {"en": "She knows her stuff.", "de": "Die Lehrerinnen singen."}
answers = {f.name: Rewriter.from_pretrained(f.name).rewrite(SENTENCES[f.name[:2]]) for f in bundled()}
print(json.dumps({"file": rewriter.__file__, "answers": answers}))
"""


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    command = [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", str(folder), str(ROOT)]
    subprocess.run(command, check=True, capture_output=True)
    return next(folder.glob("*.whl"))


def contents(wheel: Path) -> set[str]:
    with zipfile.ZipFile(wheel) as archive:
        return set(archive.namelist())


def tracked(*folders: str) -> set[str]:
    done = subprocess.run(["git", "ls-files", "-z", *folders], cwd=ROOT, capture_output=True, check=False)
    if done.returncode:
        pytest.skip("this is no git checkout")
    return {name for name in done.stdout.decode().split("\0") if name and (ROOT / name).is_file()}


def test_every_file_of_the_packages_and_every_recipe_is_in_the_wheel(wheel: Path) -> None:
    wanted = tracked(*PACKAGES) | {f"train/{name}" for name in tracked("recipes")}
    assert sorted(wanted - contents(wheel)) == []


def test_nothing_else_is_in_the_wheel(wheel: Path) -> None:
    """Above all nothing of ``tools`` and ``experiments``."""
    tops = {name.partition("/")[0] for name in contents(wheel)}
    assert {top for top in tops if not top.endswith(".dist-info")} == set(PACKAGES)
    assert not [name for name in contents(wheel) if "__pycache__" in name or name.endswith(".tmp")]


def test_licence_and_notice_are_in_the_wheel(wheel: Path) -> None:
    names = {Path(name).name for name in contents(wheel) if ".dist-info/" in name}
    assert {"LICENSE", "NOTICE", "METADATA", "entry_points.txt"} <= names


def check_answers(python: Path, folder: Path, home: Path) -> None:
    """Rewrite with every bundled model in an empty folder; what is imported must come from ``home``."""
    folder.mkdir()
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    done = subprocess.run([python, "-c", SCRIPT], cwd=folder, capture_output=True, text=True, env=environment)
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert Path(found["file"]).is_relative_to(home)
    assert found["answers"], "the wheel bundles no model, so there is nothing that `make demo` could run"
    known = {"en": "They know their stuff.", "de": "Die Lehrer*innen singen.", "de-large": "Die Lehrer*innen singen."}
    assert found["answers"] == {name: known[name] for name in found["answers"]}
    done = subprocess.run(
        [home / "bin" / "gender-fair", "demo", "--html", "demo.html"], cwd=folder, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    assert (folder / "demo.html").stat().st_size > 1000


def test_the_unpacked_wheel_rewrites_without_the_checkout(wheel: Path, tmp_path: Path) -> None:
    """Quick form: the wheel alone in a new environment, its dependencies borrowed from the environment of the tests."""
    home = tmp_path / "venv"
    venv.create(home, with_pip=False, symlinks=True)
    site = Path(sysconfig.get_path("purelib", "venv", {"base": str(home), "platbase": str(home)}))
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(site)
    # A folder named in a .pth file is searched, but its own .pth files (the checkout's among them) are not read.
    (site / "borrowed.pth").write_text(sysconfig.get_path("purelib") + "\n", encoding="utf-8")
    script = home / "bin" / "gender-fair"
    script.write_text(
        f"#!{home / 'bin' / 'python'}\nimport sys\nfrom rewriter.cli.main import main\nsys.exit(main())\n"
    )
    script.chmod(0o755)
    check_answers(home / "bin" / "python", tmp_path / "empty", home)
    python = [home / "bin" / "python", "-I", "-c", EXPERIMENT]  # -I: the checkout may be on PYTHONPATH
    done = subprocess.run(python, cwd=tmp_path / "empty", capture_output=True, text=True)
    assert "which only the repository has" in done.stderr


@pytest.mark.slow
def test_the_installed_wheel_rewrites_without_the_checkout(wheel: Path, tmp_path: Path) -> None:
    """Full form: a new environment with the pinned base dependencies and nothing else; it stays under 360 MB."""
    home = tmp_path / "venv"
    venv.create(home, with_pip=True)
    command = [home / "bin" / "python", "-m", "pip", "install", "-qq", "-c", ROOT / "constraints.txt", wheel]
    subprocess.run(command, check=True)
    check_answers(home / "bin" / "python", tmp_path / "empty", home)
    size = sum(p.lstat().st_size for p in home.rglob("*") if p.is_file() and not p.is_symlink())
    assert size < 360e6
