"""Nothing depends on the order in which sets are walked: two hash seeds, one result."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

PROGRAM = """
import hashlib, json, sys
sys.path.insert(0, sys.argv[1])
from word_salad import word_salad
from rewriter import Rewriter
found = hashlib.sha256()
ways = [("en", {}), ("en", {"to": "feminine"}), ("de", {}), ("de", {"form": "pair"}), ("de", {"to": "masculine"})]
for lang, options in ways:
    texts = [word_salad(lang, number) for number in range(40)]
    for rewrite in Rewriter.from_pretrained(lang, **options).rewrite(texts, return_edits=True):
        found.update(repr((rewrite.text, rewrite.edits, rewrite.rejected)).encode("utf-8", "backslashreplace"))
print(found.hexdigest())
"""
SUPPORT = Path(__file__).resolve().parents[1] / "support"


def test_two_hash_seeds_give_one_result() -> None:
    digests = set()
    for seed in ("0", "1"):
        environment = {**os.environ, "PYTHONHASHSEED": seed}
        done = subprocess.run(
            [sys.executable, "-c", PROGRAM, SUPPORT], env=environment, capture_output=True, text=True, timeout=600
        )
        assert done.returncode == 0, done.stderr
        digests.add(done.stdout)
    assert len(digests) == 1
