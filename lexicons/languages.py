"""Where the parts of a language are found: in folders of our packages, or in a package of its own that is installed.

A language of ours is a folder of its code in the packages that need it: ``lexicons/<code>/``, ``rewriter/<code>/``,
``eval/<code>/``, ``augment/<code>/``. A language from elsewhere is a package whose subpackages have the names of ours
(``gender_fair_toy/lexicons/``, ``gender_fair_toy/rewriter/`` ...) and hold the same files; its distribution names it
under the code in the entry-point group ``gender_fair.languages``. What we have ourselves always comes first.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from importlib.util import find_spec
from types import MappingProxyType

__all__ = ["LanguageError", "codes", "installed", "module_name", "resource"]

#: entry points of this group: the name is a language's code, the value its package
GROUP = "gender_fair.languages"


class LanguageError(Exception):
    """An installed language is broken; callers above this package turn it into their own error type."""


@cache
def installed() -> Mapping[str, str]:
    """Return the package of every installed language by its code.

    Raises:
        LanguageError: two packages bring the same language.
    """
    from importlib.metadata import entry_points  # takes a while; our own languages do without

    found: dict[str, str] = {}
    for entry in sorted(entry_points(group=GROUP), key=lambda entry: (entry.name, entry.value)):
        package = entry.value.partition(":")[0]
        if found.setdefault(entry.name, package) != package:
            raise LanguageError(
                f"two installed packages bring the language '{entry.name}': {found[entry.name]} and {package}; "
                "uninstall one of them"
            )
    return MappingProxyType(found)


def module_name(part: str, code: str, name: str) -> str | None:
    """Return what to import for a module of a language, or None where the language has none.

    Args:
        part: package of ours: ``rewriter``, ``eval``, ``augment``.
        code: of the language.
        name: of the module, ``language``.

    Raises:
        LanguageError: the language's package cannot be imported, or two bring the same language.
    """
    if not code.isidentifier():
        return None
    own = f"{part}.{code}.{name}"
    if _exists(own):
        return own
    package = installed().get(code)
    if package is None:
        return None
    if not _exists(package):
        raise LanguageError(f"the package '{package}' of the language '{code}' cannot be imported; install it again")
    return f"{package}.{part}.{name}" if _exists(f"{package}.{part}.{name}") else None


def _exists(module: str) -> bool:
    try:
        return find_spec(module) is not None
    except ModuleNotFoundError:  # a package above it is missing
        return False


def resource(part: str, code: str, name: str) -> Traversable | None:
    """Return a file of a language, or None where it has none.

    Args:
        part: package of ours: ``lexicons``, ``rewriter`` ...
        code: of the language.
        name: of the file, ``nouns.tsv``.

    Raises:
        LanguageError: two packages bring the same language.
    """
    own = files(part).joinpath(code, name)
    if own.is_file() or code not in installed():
        return own if own.is_file() else None
    path = files(installed()[code]).joinpath(part, name)
    return path if path.is_file() else None


def codes(part: str, name: str) -> list[str]:
    """Return the codes of all languages that have a module or file, sorted.

    Args:
        part: package of ours.
        name: of the file, ``language.py``.

    Raises:
        LanguageError: two packages bring the same language.
    """
    own = own_codes(part, name)
    return sorted(own | {code for code in installed() if resource(part, code, name) is not None})


def own_codes(part: str, name: str) -> set[str]:
    """Return the codes of our own languages that have a module or file; see :func:`codes`."""
    # languages are the folders of this package: others have folders for other things, too (``augment/cli/swap.py``)
    ours = [folder.name for folder in files("lexicons").iterdir() if folder.is_dir()]
    return {code for code in ours if files(part).joinpath(code, name).is_file()}
