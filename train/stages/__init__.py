"""Runs the stages of a recipe one after the other, each only where its output does not stand already.

A stage's identity is its version, its options, the digests of the files that it reads and the digests of what earlier
stages wrote. It is kept in ``stage.json`` inside the stage's folder. A stage is skipped when that record is complete,
has the same identity and its output files are there; it is continued when the record is not complete; it is never
redone silently. The idea of comparing what was *read*, so that an earlier stage that gives the same again costs the
later ones nothing, is that of build systems (Mokhov, Mitchell and Peyton Jones 2018, section 2.3, early cut-off).
"""

from train.stages.outputs import describe_outputs, discard, missing_outputs, output_digest
from train.stages.planning import ancestors, plan, plan_table, select
from train.stages.run import duration, run_stages, run_stages_together
from train.stages.stage import ANEW, FOLLOWS, RECORD, Choice, Stage, StageContext, Step, flatten

__all__ = [
    "ANEW",
    "FOLLOWS",
    "RECORD",
    "Choice",
    "Stage",
    "StageContext",
    "Step",
    "ancestors",
    "describe_outputs",
    "discard",
    "duration",
    "flatten",
    "missing_outputs",
    "output_digest",
    "plan",
    "plan_table",
    "run_stages",
    "run_stages_together",
    "select",
]
