"""Writes the first files of a language from the templates in ``rewriter/scaffold``."""

from __future__ import annotations

import re
from pathlib import Path

from rewriter.errors import UsageError
from rewriter.io.files import atomic_write
from rewriter.language.interface import known_languages

TEMPLATES = Path(__file__).resolve().parents[1] / "scaffold"
_CODE = re.compile(r"[a-z]{2,8}")


def write_language(code: str, folder: Path) -> list[Path]:
    """Write a package for a language.

    Args:
        code: of the language, ``nl``.
        folder: does not exist yet.

    Returns:
        the files that were written.

    Raises:
        UsageError: the code is none, or there is such a language; the folder exists.
        OutputError: a file cannot be written.
    """
    if not _CODE.fullmatch(code):
        raise UsageError(f"'{code}' is no code of a language: two to eight small letters, like nl")
    if code in known_languages():
        raise UsageError(f"there is a language '{code}' already")
    if folder.exists():
        raise UsageError(f"{folder} exists; name a new folder with --to")
    written = []
    for template in sorted(path for path in TEMPLATES.rglob("*.in") if path.is_file()):
        name = template.relative_to(TEMPLATES).as_posix().removesuffix(".in")
        path = folder / re.sub("^package/", f"gender_fair_{code}/", name)
        path.parent.mkdir(parents=True, exist_ok=True)
        text = template.read_text(encoding="utf-8").replace("@CODE@", code).replace("@NAME@", code.capitalize())
        with atomic_write(path) as stream:
            stream.write(text.encode("utf-8"))
        written.append(path)
    return written
