"""The rows of tables 2 and 5 of Amrhein et al. 2023: rewriters that differ in the round trips they learn from.

One run of a recipe of ``kind: round-trip`` makes the pool: gender-fair sentences, found and prompted, their ways back
for every gender, merged. A plan (YAML) says which part of the pool each row learns from; the rows share everything
else. Each row is a rewriter's run of its own, so a finished one is read, and one that was interrupted goes on exactly.
All are measured in one go, as they answer by themselves and through the guard.
"""

from experiments.round_trip.plan import Plan, Row, load_plan
from experiments.round_trip.run import run_rows
from experiments.round_trip.select import chosen_pairs

__all__ = ["Plan", "Row", "chosen_pairs", "load_plan", "run_rows"]
