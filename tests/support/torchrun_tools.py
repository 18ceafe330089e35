"""Training a toy model in several processes, as torchrun starts them."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import asdict
from pathlib import Path
from typing import Any

SCRIPT = """
import json, sys
from pathlib import Path
from train.seq2seq import Seq2SeqConfig, train_seq2seq
options, data, tokenizer, output = json.loads(sys.argv[1])
train_seq2seq(Seq2SeqConfig(**options), data=Path(data), tokenizer=Path(tokenizer), output=Path(output))
"""


def torchrun(processes: int, config: Any, toy: Any, output: Path, script: Path) -> None:
    script.write_text(SCRIPT)
    told = json.dumps([asdict(config), str(toy.data), str(toy.tokenizer), str(output)])
    command = [sys.executable, "-m", "torch.distributed.run", "--standalone", f"--nproc_per_node={processes}"]
    # The copy in the checkout counts, also where the script lies elsewhere.
    here = {"PYTHONPATH": os.pathsep.join(sys.path), "OMP_NUM_THREADS": "1"}
    subprocess.run([*command, str(script), told], env={**os.environ, **here}, check=True, timeout=900)
