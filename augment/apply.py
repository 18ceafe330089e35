"""The forward rules alone as a rewriter: line by line, without a model. The baseline of every table of results."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path

from augment import languages
from augment.dependency import Parser
from rewriter.io.files import read_lines, write_lines
from rewriter.language.interface import get_language

_BATCH = 256


def apply_rules(texts: Iterable[str], parser: Parser, *, lang: str = "en") -> Iterator[str]:
    """Yield the rules' rewrite of every text, in order; a text without candidates is passed through unparsed.

    Args:
        texts: sentences or paragraphs.
        parser: from :func:`augment.dependency.load_parser`.
        lang: language code.
    """
    rules, language = languages.get(lang), get_language(lang)
    stream = iter(texts)
    while batch := list(islice(stream, _BATCH)):
        wanted = [i for i, text in enumerate(batch) if language.gate(text)]
        for i, parse in zip(wanted, parser.parse_all([batch[i] for i in wanted]), strict=True):
            batch[i] = rules.forward(parse).target
        yield from batch


def apply_rules_to_file(source: Path, target: Path, parser: Parser, *, lang: str = "en") -> int:
    """Rewrite a text file by rules, line by line; return the number of lines.

    Raises:
        InputError: the source cannot be read.
        OutputError: the target cannot be written.
    """
    return write_lines(target, apply_rules(read_lines(source), parser, lang=lang))
