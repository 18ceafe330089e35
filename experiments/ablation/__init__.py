"""Ablation and learning curve: many small trainings that differ in one thing, each with the same budget.

A plan (YAML) names cells; a cell says what of the pairs it learns from and what model it trains. Every cell is a folder
that stands for itself: killed and started again, a finished cell is read, one that was interrupted goes on exactly,
and one whose plan changed is refused. Vocabulary, labels and parts of the pairs are made once and shared by the cells.

Budgets are updates, or minutes: then the time of an update is measured on this machine before a cell begins, and the
number of updates that fits is written down, so that its learning rate ends at zero like that of every other.
"""

from experiments.ablation.plan import MODEL, PARTS, VERSION, AblationRun, Budget, Cell, Plan, load_plan
from experiments.ablation.report import report_lines, write_report
from experiments.ablation.run import chosen_pairs, part_of_pairs, run_ablation, run_cell

__all__ = [
    "MODEL",
    "PARTS",
    "VERSION",
    "AblationRun",
    "Budget",
    "Cell",
    "Plan",
    "chosen_pairs",
    "load_plan",
    "part_of_pairs",
    "report_lines",
    "run_ablation",
    "run_cell",
    "write_report",
]
