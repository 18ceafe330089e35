"""YAML from people and strangers: safe values only, within bounds, and whatever is wrong is one error for people."""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from typing import Any

import yaml

from rewriter.errors import RecipeError

#: characters of a text; a recipe is a page or two
MOST_CHARACTERS = 1 << 20
#: values that a text may stand for when its aliases are written out
MOST_VALUES = 100_000


def parse_yaml(text: str, *, where: str) -> Any:
    """Return the value of a YAML text.

    Args:
        text: the text.
        where: file or option, for messages.

    Raises:
        RecipeError: it is no YAML, names a key twice, is nested too deep or too large, or its aliases multiply.
    """
    if len(text) > MOST_CHARACTERS:
        raise RecipeError(f"{where}: more than {MOST_CHARACTERS >> 20} MB of YAML, too much for a recipe")
    try:
        return _parse(text, where)
    except RecursionError:
        raise RecipeError(f"{where}: not valid YAML: nested too deep") from None
    except (yaml.YAMLError, ValueError, TypeError) as error:  # such as a date without such a day
        raise RecipeError(f"{where}: not valid YAML: {error}") from None


def _parse(text: str, where: str) -> Any:
    loader = _UniqueKeyLoader(text)
    try:
        node = loader.get_single_node()
        if node is None:
            return None
        if _written_out(node, {}) > MOST_VALUES:
            raise RecipeError(f"{where}: its aliases stand for more than {MOST_VALUES:,} values; write less of them")
        return loader.construct_document(node)
    finally:
        loader.dispose()


def _written_out(node: yaml.Node, known: dict[int, int]) -> int:
    """Return how many values a node stands for, aliases written out; one that holds itself is told by the loader."""
    if id(node) not in known:
        known[id(node)] = 1
        known[id(node)] = 1 + sum(_written_out(child, known) for child in _children(node))
    return known[id(node)]


def _children(node: yaml.Node) -> Iterator[yaml.Node]:
    if isinstance(node, yaml.SequenceNode):
        yield from node.value
    elif isinstance(node, yaml.MappingNode):
        for key, value in node.value:
            yield key
            yield value


class _UniqueKeyLoader(yaml.SafeLoader):
    """Safe loading that refuses a key given twice, which YAML would silently resolve to the last one."""


def _unique_mapping(loader: _UniqueKeyLoader, node: yaml.MappingNode) -> dict[Any, Any]:
    seen: set[Any] = set()
    for key_node, _ in node.value:
        key = loader.construct_object(key_node)
        if not isinstance(key, Hashable) or key in seen:
            wrong = "stands twice" if isinstance(key, Hashable) else "is a list or mapping"
            raise yaml.constructor.ConstructorError(None, None, f"the key '{key}' {wrong}", key_node.start_mark)
        seen.add(key)
    return loader.construct_mapping(node, deep=True)


_UniqueKeyLoader.add_constructor(yaml.resolver.BaseResolver.DEFAULT_MAPPING_TAG, _unique_mapping)
