"""Answers that nobody gave: a script answers the questionnaires of a study, and every file says so.

What the made-up people think is known, so that a report can be tested against it: each version has a quality, each
person a mildness, and the rating is their sum with noise, rounded to the scale.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from eval.human.answers import FORMAT
from eval.human.study import CHECK, PREFERENCE, Item, Questionnaire, Study, load_study


def simulated_answers(
    study: Study,
    questionnaire: Questionnaire,
    quality: Mapping[str, float],
    generator: np.random.Generator,
    *,
    noise: float = 0.8,
    attentive: bool = True,
) -> dict[str, Any]:
    """Return the answers of one made-up person, in the form of the files that pages save.

    Args:
        study: the study.
        questionnaire: of the person.
        quality: what every version is worth on the scale of agreement.
        generator: decides about mildness and noise.
        noise: standard deviation of both.
        attentive: answer the attention checks as they ask.
    """
    mild = float(generator.normal(0, noise / 2))

    def felt(version: int) -> float:
        return quality[study.versions[version]] + mild + float(generator.normal(0, noise))

    def answer(item: Item) -> dict[str, Any]:
        if item.kind == CHECK:
            value = item.expected if attentive else item.expected % len(study.wording.scale) + 1
            return {"ratings": dict.fromkeys(study.wording.statements, value), "seconds": 8.0}
        if item.kind == PREFERENCE:
            middle = study.wording.middle
            lean = felt(item.other) - felt(item.version)
            return {"preference": _on_scale(middle + lean, 2 * middle - 1), "seconds": 20.0}
        scale = len(study.wording.scale)
        return {"ratings": {n: _on_scale(felt(item.version), scale) for n in study.wording.statements}, "seconds": 30.0}

    return {
        "format": FORMAT,
        "study": study.id,
        "participant": questionnaire.participant,
        "simulated": True,
        "before": {question.id: next(iter(question.options)) for question in study.wording.before},
        "items": {item.id: answer(item) for item in questionnaire.items},
        "after": {question.id: int(generator.integers(1, 6)) for question in study.wording.after},
        "comment": "simulated",
        "withdrawn": False,
    }


def answer_study(folder: Path, answers: Path, *, seed: int = 7) -> None:
    """Answer every questionnaire of a study, and write a file each; the first version is worst, the last one best."""
    study = load_study(folder)
    generator = np.random.default_rng(seed)
    worth = dict(zip(study.versions, np.linspace(1.8, 4.0, len(study.versions)).tolist(), strict=True))
    answers.mkdir(parents=True, exist_ok=True)
    for questionnaire in study.questionnaires:
        made = simulated_answers(study, questionnaire, worth, generator)
        name = f"answers-{study.id}-{questionnaire.participant}.json"
        (answers / name).write_text(json.dumps(made, ensure_ascii=False), encoding="utf-8")


def _on_scale(value: float, most: int) -> int:
    return int(np.clip(round(value), 1, most))
