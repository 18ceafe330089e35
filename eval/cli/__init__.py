"""``gender-fair eval``: word error rate, errors by kind of edit, and suites of sets."""

from __future__ import annotations

from typing import Any

from eval.bec_pro.cli import register_bec_pro
from eval.cli.bias_filter import register_bias_filter
from eval.cli.cases import register_cases
from eval.cli.errors import register_errors
from eval.cli.human import register_human
from eval.cli.pos_probe import register_pos_probe
from eval.cli.rules import register_rules
from eval.cli.suite import register_suite
from eval.cli.wer import register_wer
from eval.example_scores.cli import register_example_scores, register_score_overlap
from eval.fairness.cli import register_fairness, register_templates
from eval.genbit.cli import register_genbit
from eval.mlm_bias.cli import register_mlm_bias
from eval.reading.cli import register_reading
from rewriter.cli.parsers import add_command

DESCRIPTION = """\
Measure rewriters.

examples:
  gender-fair eval wer system.txt reference.txt
  gender-fair eval errors system.txt reference.txt source.txt --html errors.html
  gender-fair eval suite en --sets testsets/en --log measurements.tsv
  gender-fair eval genbit corpus.txt
  gender-fair eval bec-pro bert-base-uncased
  gender-fair eval mlm-bias before after --tests bec-pro disco
  gender-fair eval fairness answers.csv --label Class --score toxic --group gender
  gender-fair eval reading open.jsonl --data corpora --model de
  gender-fair eval rules en corpus.txt
  gender-fair eval human make texts.jsonl -o study --model rewriter=en --reference gold
"""


def register(subparsers: Any) -> None:
    """Add the command ``eval`` with its own commands."""
    parser = add_command(
        subparsers, "eval", "measure: word error rate, errors by kind, suites of sets, language cases", DESCRIPTION
    )
    commands = parser.add_subparsers(title="metrics", metavar="METRIC", required=True)
    register_wer(commands)
    register_errors(commands)
    register_suite(commands)
    register_cases(commands)
    register_bias_filter(commands)
    register_genbit(commands)
    register_bec_pro(commands)
    register_mlm_bias(commands)
    register_pos_probe(commands)
    register_fairness(commands)
    register_templates(commands)
    register_example_scores(commands)
    register_score_overlap(commands)
    register_reading(commands)
    register_rules(commands)
    register_human(commands)
