"""A process that is forked loads the model again; it waits neither for threads nor for their end, nor for locks."""

from __future__ import annotations

import multiprocessing
import os
import subprocess
import sys
import threading
from collections.abc import Callable
from functools import cache
from typing import Any

import pytest

from rewriter import Rewriter, rewrite
from rewriter.runs.per_process import PerProcess

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork on this system")

TEXTS = {"en": "She said that he knows her stuff.", "de": "Der Lehrer grüßt seine Schülerin."}
#: seconds after which a child that still runs counts as one that waits for ever
LIMIT = 120


@cache
def loaded(lang: str) -> Rewriter:
    return Rewriter.from_pretrained(lang, threads=2)


def in_children(work: Callable[[], Any], count: int = 4) -> list[Any]:
    """Return what ``work`` gives in each of some forked children."""
    context = multiprocessing.get_context("fork")
    answers: Any = context.SimpleQueue()
    children = [context.Process(target=lambda: answers.put(work())) for _ in range(count)]
    try:
        for child in children:
            child.start()
        for child in children:
            child.join(LIMIT)
        assert [child.exitcode for child in children] == [0] * count
        return [answers.get() for _ in children]
    finally:
        for child in children:
            if child.is_alive():
                child.kill()


@pytest.mark.parametrize("lang", TEXTS)
def test_children_ask_the_model_of_their_parent(lang: str) -> None:
    text = TEXTS[lang]
    ours = loaded(lang).rewrite(text)
    assert ours != text
    new = text.replace("grüßt", "sieht").replace("said", "wrote")  # not remembered: the model itself must answer
    assert in_children(lambda: loaded(lang).rewrite([text, new])) == [loaded(lang).rewrite([text, new])] * 4


def test_children_use_the_function_and_its_default_model() -> None:
    ours = rewrite(TEXTS["en"])
    assert in_children(lambda: rewrite([TEXTS["en"], "He left his bag."])[0], count=2) == [ours] * 2


FORKS = """
import os, signal, sys
from rewriter import rewrite
rewrite("She knows her stuff.")
child = os.fork()
if child == 0:
    signal.alarm(60)  # ends a process that waits for ever
    sys.exit(0)
sys.exit(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
"""


def test_a_child_that_asks_nothing_ends() -> None:
    """The end of the interpreter drops everything but the inherited model, whose end would wait for its threads."""
    assert subprocess.run([sys.executable, "-c", FORKS], timeout=LIMIT, check=False).returncode == 0


class Engine:
    """Stands for an engine; says where it was made."""

    def __init__(self) -> None:
        self.process = os.getpid()


def test_a_thing_is_made_once_in_a_process_and_anew_in_a_child() -> None:
    held = PerProcess(Engine)
    assert held.get() is held.get()
    (made,) = in_children(lambda: held.get().process, count=1)
    assert made != os.getpid() == held.get().process


def test_a_lock_that_was_held_while_the_process_was_forked_is_free_in_the_child() -> None:
    held, release, holds = PerProcess(threading.Lock), threading.Event(), threading.Event()

    def hold() -> None:
        with held.get():
            holds.set()
            release.wait(LIMIT)

    thread = threading.Thread(target=hold)
    thread.start()
    holds.wait(LIMIT)
    try:
        assert in_children(lambda: held.get().acquire(timeout=1), count=1) == [True]
    finally:
        release.set()
        thread.join()
