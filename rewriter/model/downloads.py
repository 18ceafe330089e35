"""The one place that decides whether a model may be fetched from the network: only where somebody asked for it.

A model is asked for by ``--allow-download`` (or a ``--revision`` of the hub), in Python by :func:`allow_downloads`.
Without it the libraries are told to stay offline: what they have fetched before is found, nothing else.
"""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Any

__all__ = ["allow_downloads", "stay_offline"]

#: the environment, because worker processes must know it, too
_ALLOWED = "GENDER_FAIR_ALLOW_DOWNLOAD"
#: what huggingface_hub, transformers and datasets look at when they are imported
_OFFLINE = ("HF_HUB_OFFLINE", "TRANSFORMERS_OFFLINE", "HF_DATASETS_OFFLINE")
_HUB_NAME = re.compile(r"[A-Za-z0-9][\w.-]*(?:/[\w.-]+)?")


def allow_downloads() -> None:
    """Let names of the hub be fetched, in this process and those that it starts."""
    os.environ[_ALLOWED] = "1"


def stay_offline() -> None:
    """Tell the libraries to stay offline, unless downloads were allowed or the environment says something else."""
    if _ALLOWED not in os.environ:
        for name in _OFFLINE:
            os.environ.setdefault(name, "1")


def may_download(name: str | Path) -> bool:
    """Return True if ``name`` may be fetched: it is no folder here, looks like a name of the hub, and was asked for."""
    asked = os.environ.get(_ALLOWED) == "1"
    return asked and _HUB_NAME.fullmatch(str(name)) is not None and not Path(name).exists()


def loading(name: str | Path) -> dict[str, Any]:
    """Return the arguments with which ``from_pretrained`` of transformers loads a model: no code of others, and no
    network where nobody asked for it.
    """
    return {"local_files_only": not may_download(name), "trust_remote_code": False}


def advice(name: str | Path) -> str:
    """Return what to do where there is no model of this name here, as the end of a message."""
    if may_download(name):
        return "Pass its folder, or check the name and the network"
    return "Pass the folder of one that is on this machine; --allow-download lets names of the hub be fetched"
