"""Recipes: commented YAML, validated against dataclasses, with ``${...}`` references and dotted overrides."""

from __future__ import annotations

import dataclasses
import os
import re
import types
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, TypeVar, Union, get_args, get_origin, get_type_hints

import yaml

from rewriter.errors import RecipeError, UsageError
from rewriter.options import MOST_SEED
from rewriter.registry import did_you_mean
from rewriter.runs.yaml_values import MOST_CHARACTERS, parse_yaml

__all__ = ["build", "load_recipe", "to_yaml"]

T = TypeVar("T")
_REFERENCE = re.compile(r"\$\{([A-Za-z0-9_.-]+)\}")
#: ``${data.root}`` and ``${testsets.root}`` fall back to the environment
_ENVIRONMENT = {"data.root": "GENDER_FAIR_DATA", "testsets.root": "GENDER_FAIR_TESTSETS"}


def load_recipe(path: str | Path, schema: type[T], *, overrides: Iterable[str] = ()) -> T:
    """Read a recipe into ``schema`` (a dataclass whose fields are plain values, lists, mappings or dataclasses).

    Args:
        path: a YAML file.
        schema: dataclass type; unknown keys are errors.
        overrides: ``"train.steps=2000"``; the value is parsed as YAML.

    Raises:
        RecipeError: names the file and the key's path, and the nearest known key.
    """
    return build(schema, read_values(path, overrides=overrides), where=str(path))


def read_values(path: str | Path, *, overrides: Iterable[str] = ()) -> dict[str, Any]:
    """Read a recipe as plain values, with overrides applied and references resolved; :func:`build` checks the keys.

    Raises:
        RecipeError: the file cannot be read, is no YAML, or a reference has no value.
    """
    values = _read_yaml(path)
    for override in overrides:
        _apply_override(values, override)
    resolved: dict[str, Any] = _resolve(values, values, str(path))
    return resolved


def without_roots(values: Mapping[str, Any]) -> dict[str, Any]:
    """Return a recipe's values without the folders that only references are for (``data.root``, ``testsets.root``)."""
    sections = {key.partition(".")[0] for key in _ENVIRONMENT}
    return {
        name: {key: value for key, value in section.items() if f"{name}.{key}" not in _ENVIRONMENT}
        if name in sections and isinstance(section, Mapping)
        else section
        for name, section in values.items()
    }


def _read_yaml(path: str | Path) -> dict[str, Any]:
    try:
        with Path(path).open(encoding="utf-8") as stream:
            text = stream.read(MOST_CHARACTERS + 1)  # the next check refuses more than that
    except OSError as error:
        raise RecipeError(f"{path}: cannot be read ({error.strerror or error})") from None
    except UnicodeDecodeError as error:
        raise RecipeError(f"{path}: not UTF-8 ({error.reason} at byte {error.start})") from None
    values = parse_yaml(text, where=str(path))
    if not isinstance(values, dict):
        raise RecipeError(f"{path}: a recipe is a mapping of keys to values")
    return values


def _apply_override(values: dict[str, Any], override: str) -> None:
    key, equals, text = override.partition("=")
    if not equals or not key:
        raise RecipeError(f"--set {override}: write it as key.path=value")
    parent: Any = values
    *parts, last = key.split(".")
    for part in parts:
        parent = parent.setdefault(part, {})
        if not isinstance(parent, dict):
            raise RecipeError(f"--set {override}: '{part}' holds a value, not keys")
    parent[last] = parse_yaml(text, where=f"--set {override}")


def _lookup(values: Mapping[str, Any], key: str) -> Any:
    found: Any = values
    for part in key.split("."):
        if not isinstance(found, Mapping) or part not in found:
            return None
        found = found[part]
    return found


def _resolve(node: Any, values: Mapping[str, Any], where: str, depth: int = 0) -> Any:
    if isinstance(node, dict):
        return {key: _resolve(value, values, where, depth) for key, value in node.items()}
    if isinstance(node, list):
        return [_resolve(value, values, where, depth) for value in node]
    if not isinstance(node, str) or "${" not in node:
        return node
    if depth > 10:
        raise RecipeError(f"{where}: '{node}' refers to itself")
    resolved = _REFERENCE.sub(lambda match: _reference(match.group(1), values, where), node)
    return _resolve(resolved, values, where, depth + 1)


def _reference(key: str, values: Mapping[str, Any], where: str) -> str:
    value = _lookup(values, key)
    if value is None and key in _ENVIRONMENT:
        value = os.environ.get(_ENVIRONMENT[key])
    if value is None:
        hint = (
            f"set {_ENVIRONMENT[key]} or pass --set {key}=FOLDER" if key in _ENVIRONMENT else "define it in the recipe"
        )
        raise RecipeError(f"{where}: ${{{key}}} has no value; {hint}")
    return str(value)


def build(schema: type[T], values: Mapping[str, Any], *, where: str = "", path: str = "") -> T:
    """Make a dataclass from a mapping, checking keys and types recursively.

    Raises:
        RecipeError: unknown or missing key, or a value of the wrong type.
    """
    if not isinstance(values, Mapping):
        raise RecipeError(f"{where}: '{path}' must hold keys, not {values!r}")
    hints = get_type_hints(schema)
    known = {f.name: f for f in dataclasses.fields(schema)}  # type: ignore[arg-type]
    for key in values:
        if key not in known:
            raise RecipeError(f"{where}: unknown key '{_join(path, str(key))}'{did_you_mean(str(key), list(known))}")
    arguments = {}
    for name, spec in known.items():
        if name in values:
            arguments[name] = _convert(values[name], hints[name], where, _join(path, name))
        elif spec.default is dataclasses.MISSING and spec.default_factory is dataclasses.MISSING:
            raise RecipeError(f"{where}: the key '{_join(path, name)}' is missing")
    try:
        return schema(**arguments)
    except (ValueError, UsageError) as error:
        raise RecipeError(f"{where}: {path + ': ' if path else ''}{error}") from None


def _convert(value: Any, hint: Any, where: str, path: str) -> Any:
    if hint is Any:
        return value
    origin, arguments = get_origin(hint), get_args(hint)
    if origin in (Union, types.UnionType):
        if value is None and type(None) in arguments:
            return None
        return _convert(value, next(a for a in arguments if a is not type(None)), where, path)
    if dataclasses.is_dataclass(hint):
        return build(hint, value, where=where, path=path)  # type: ignore[arg-type]
    if origin in (list, tuple):
        return _convert_sequence(value, origin, arguments, where, path)
    if origin is dict:
        if not isinstance(value, dict):
            raise RecipeError(f"{where}: '{path}' must hold keys, not {value!r}")
        return {str(k): _convert(v, arguments[1], where, f"{path}.{k}") for k, v in value.items()}
    return _convert_plain(value, hint, where, path)


def _convert_sequence(value: Any, origin: Any, arguments: tuple[Any, ...], where: str, path: str) -> Any:
    if not isinstance(value, list):
        raise RecipeError(f"{where}: '{path}' must be a list, not {value!r}")
    return origin(_convert(item, arguments[0], where, f"{path}[{i}]") for i, item in enumerate(value))


def _convert_plain(value: Any, hint: Any, where: str, path: str) -> Any:
    if hint is float and isinstance(value, int | str) and not isinstance(value, bool):
        # YAML 1.1 reads 5e-4 as a string
        try:
            return float(value)
        except (ValueError, OverflowError):
            pass
    if hint is Path and isinstance(value, str):
        return Path(value)
    if hint is int and isinstance(value, int) and _is_seed(path) and not 0 <= value <= MOST_SEED:
        raise RecipeError(f"{where}: '{path}' must be from 0 to {MOST_SEED}, not {value}")
    if not isinstance(value, hint) or (hint is int and isinstance(value, bool)):
        raise RecipeError(f"{where}: '{path}' must be {hint.__name__}, not {value!r}")
    return value


def _is_seed(path: str) -> bool:
    return path.rpartition(".")[2].partition("[")[0] in ("seed", "seeds")


def _join(path: str, key: str) -> str:
    return f"{path}.{key}" if path else key


def to_yaml(recipe: Any) -> str:
    """Return the resolved recipe as YAML, to be stored beside a result."""
    plain = dataclasses.asdict(recipe)
    return yaml.safe_dump(_plain(plain), sort_keys=False, allow_unicode=True)


def _plain(value: Any) -> Any:
    if isinstance(value, dict):
        return {k: _plain(v) for k, v in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(v) for v in value]
    return str(value) if isinstance(value, Path) else value
