"""Loading CTranslate2 without the libraries that only its converters need.

``import ctranslate2`` imports torch and transformers whenever they are installed, for its converters; that is seconds
and half a gigabyte for somebody who only wants to rewrite. While nobody has imported torch yet, both are hidden during
that one import. Converting a model needs them, so exports call :func:`load_ctranslate2` with ``converters=True``, which
loads CTranslate2 anew with everything visible.
"""

from __future__ import annotations

import importlib
import os
import platform
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Lock
from types import ModuleType

from rewriter.runs.per_process import PerProcess

_HIDDEN = ("torch", "transformers", "huggingface_hub")
_LOCK = PerProcess(Lock)
_CPUINFO = Path("/proc/cpuinfo")
#: CTranslate2 reads this once; without it, it uses no vectors of 512 bits
_ISA = "CT2_FORCE_CPU_ISA"
#: what it demands for them, and the mark of processors (since 2019) on which they do not lower the clock
_AVX512 = frozenset("avx512f avx512cd avx512vl avx512dq avx512bw avx512_vnni".split())

#: marks of processors that add products of 8 bits up in 32
_VNNI = frozenset(("avx512_vnni", "avx_vnni"))


def load_ctranslate2(*, converters: bool = False) -> ModuleType:
    """Return the module ``ctranslate2``.

    Args:
        converters: its converters will be used, so torch and transformers must be visible to it.
    """
    with _LOCK.get():
        if "ctranslate2" not in sys.modules and _has_avx512():
            # a quarter faster on an EPYC of 2024; a user's own choice stands
            os.environ.setdefault(_ISA, "AVX512")
        if converters:
            if "ctranslate2" in sys.modules and not hasattr(
                sys.modules.get("ctranslate2.converters.transformers"), "torch"
            ):
                _forget_python_parts()
            return importlib.import_module("ctranslate2")
        if "ctranslate2" in sys.modules or "torch" in sys.modules:
            return importlib.import_module("ctranslate2")
        with _hide(_HIDDEN):
            return importlib.import_module("ctranslate2")


def cpu_instructions(cpuinfo: Path = _CPUINFO) -> str:
    """Return the vector instructions that CTranslate2 computes with on this processor, for signatures.

    The last digits of a model's scores depend on them, and with them now and then an answer.
    """
    chosen = os.environ.get(_ISA, "")
    if chosen:
        return chosen
    flags = _cpu_flags(cpuinfo)
    if not flags:
        return platform.machine() or "-"
    if flags >= _AVX512 and "ctranslate2" not in sys.modules:
        return "AVX512"  # what loading will choose
    return next((name.upper() for name in ("avx2", "avx") if name in flags), "GENERIC")


def compute_type(device: str = "cpu", cpuinfo: Path = _CPUINFO) -> str:
    """Return how a model is to be computed, for CTranslate2: ``default`` as it is stored, or ``float32``.

    Without the instructions for products of 8 bits (VNNI) an x86 processor adds them up in 16 bits, which overflow: the
    states of the bundled English model then differ from those of its float weights by 0.19 at most, with float32 by
    nothing, at two thirds of the speed.

    Args:
        device: ``cpu``, ``cuda`` or ``auto``.
        cpuinfo: what the system says of the processor.
    """
    flags = _cpu_flags(cpuinfo)
    if device == "cuda" or not flags or flags & _VNNI:
        return "default"
    return "default" if device == "auto" and load_ctranslate2().get_cuda_device_count() else "float32"


def _has_avx512(cpuinfo: Path = _CPUINFO) -> bool:
    return _cpu_flags(cpuinfo) >= _AVX512


def _cpu_flags(cpuinfo: Path) -> frozenset[str]:
    """Return what the processor can do; nothing where the system does not say so (not Linux, not x86)."""
    try:
        with cpuinfo.open(encoding="utf-8", errors="replace") as stream:
            return frozenset(next((line for line in stream if line.startswith("flags")), "").split())
    except OSError:
        return frozenset()


@contextmanager
def _hide(names: tuple[str, ...]) -> Iterator[None]:
    """Make importing ``names`` fail inside, as if they were not installed."""
    hidden = [name for name in names if name not in sys.modules]
    for name in hidden:
        sys.modules[name] = None  # type: ignore[assignment]
    try:
        yield
    finally:
        for name in hidden:
            del sys.modules[name]


def _forget_python_parts() -> None:
    """Drop CTranslate2's Python modules, but not its compiled extension, which cannot be loaded twice."""
    for name in [n for n in sys.modules if n.split(".")[0] == "ctranslate2" and n != "ctranslate2._ext"]:
        del sys.modules[name]
