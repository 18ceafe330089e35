"""Tables change on purpose only: the digest of each stands in ``table_digests.txt``.

After a change that is meant, raise ``LEXICON_VERSION`` where answers change by it and run
``python tests/lexicons/test_table_digests.py``, which writes the digests anew.
"""

from __future__ import annotations

import hashlib
from importlib.resources import files
from pathlib import Path

DIGESTS = Path(__file__).with_name("table_digests.txt")


def current() -> dict[str, str]:
    folder = Path(str(files("lexicons")))
    tables = sorted(path for path in folder.glob("*/*") if path.suffix in (".tsv", ".json"))
    return {path.relative_to(folder).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest()[:16] for path in tables}


def test_no_table_changed_by_accident() -> None:
    known = dict(line.split() for line in DIGESTS.read_text(encoding="utf-8").splitlines())
    assert {name for name, digest in current().items() if known.get(name) != digest} == set()
    assert known.keys() == current().keys()


if __name__ == "__main__":
    DIGESTS.write_text("".join(f"{name} {digest}\n" for name, digest in current().items()), encoding="utf-8")
