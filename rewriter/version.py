"""The toolkit's version; ``pyproject.toml`` is the only place where it is written."""

from __future__ import annotations

from importlib.metadata import PackageNotFoundError, version

try:
    __version__ = version("gender-fair-rewriter")
except PackageNotFoundError:  # a checkout that was never installed
    __version__ = "0+unknown"
