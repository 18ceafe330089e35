"""``gender-fair completion``: the script of bash completes commands and options in a real bash."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from rewriter.cli.main import main

pytest.importorskip("shtab", reason="needs the extra 'completion'")

#: what a shell does when somebody presses the tabulator behind the last word
ASK = """\
source "$1"; shift
COMP_WORDS=("$@"); COMP_CWORD=$(( $# - 1 ))
COMP_LINE="$*"; COMP_POINT=${#COMP_LINE}
$(complete -p gender-fair | sed -E 's/.*-F ([^ ]+).*/\\1/')
printf '%s\\n' "${COMPREPLY[@]}"
"""


@pytest.fixture(scope="module")
def script(tmp_path_factory: pytest.TempPathFactory) -> Path:
    import contextlib
    import io

    shown = io.StringIO()
    with contextlib.redirect_stdout(shown):
        assert main(["completion", "bash"]) == 0
    path = tmp_path_factory.mktemp("completion") / "gender-fair.bash"
    path.write_text(shown.getvalue(), encoding="utf-8")
    return path


@pytest.mark.skipif(shutil.which("bash") is None, reason="needs bash")
@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (["rew"], {"rewrite"}),
        (["rewrite", "--norm"], {"--normalise"}),
        (["completion", ""], {"bash", "zsh", "tcsh"}),
        (["eval", "we"], {"wer"}),
    ],
)
def test_bash_completes(script: Path, words: list[str], expected: set[str]) -> None:
    done = subprocess.run(
        ["bash", "-c", ASK, "bash", script, "gender-fair", *words], capture_output=True, text=True, check=True
    )
    assert expected <= set(done.stdout.split())


@pytest.mark.parametrize("shell", ["zsh", "tcsh"])
def test_other_shells_get_a_script(shell: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["completion", shell]) == 0
    assert "rewrite" in capsys.readouterr().out
