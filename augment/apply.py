"""The forward rules alone as a rewriter: line by line, without a model. The baseline of every table of results."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice
from pathlib import Path

from augment import languages
from augment.dependency import Parser
from rewriter.errors import Fault
from rewriter.faults import each
from rewriter.io.files import read_lines, write_lines
from rewriter.language.interface import get_language
from rewriter.records import Reject

_BATCH = 256


def apply_rules(
    texts: Iterable[str], parser: Parser, *, lang: str = "en", failed: Callable[[int, Fault], object] | None = None
) -> Iterator[str]:
    """Yield the rules' rewrite of every text, in order; a text without candidates is passed through unparsed.

    Args:
        texts: sentences or paragraphs.
        parser: from :func:`augment.dependency.load_parser`.
        lang: language code.
        failed: is told the number (from 1) of a text on which the rules fail, and why; the text is passed through.
            None raises the error.
    """
    rules, language = languages.get(lang), get_language(lang)
    stream = iter(texts)

    def rewritten(batch: Sequence[str]) -> list[str]:
        found = list(batch)
        wanted = [i for i, text in enumerate(batch) if language.gate(text)]
        for i, parse in zip(wanted, parser.parse_all([batch[i] for i in wanted]), strict=True):
            found[i] = rules.forward(parse).target
        return found

    number = 0
    while batch := list(islice(stream, _BATCH)):
        for text, result in zip(batch, each(rewritten, batch) if failed else rewritten(batch), strict=True):
            number += 1
            if failed and isinstance(result, Fault):
                failed(number, result)
            yield text if isinstance(result, Fault) else result


def apply_rules_to_file(
    source: Path, target: Path, parser: Parser, *, lang: str = "en", rejects: list[Reject] | None = None
) -> int:
    """Rewrite a text file by rules, line by line; return the number of lines.

    Args:
        source: text file.
        target: the result.
        parser: from :func:`augment.dependency.load_parser`.
        lang: language code.
        rejects: gets the lines on which the rules fail, which stay as they are; None raises the error.

    Raises:
        InputError: the source cannot be read.
        OutputError: the target cannot be written.
    """

    def failed(number: int, fault: Fault) -> None:
        assert rejects is not None
        rejects.append(Reject(source.name, number, *fault))

    report = None if rejects is None else failed
    return write_lines(target, apply_rules(read_lines(source), parser, lang=lang, failed=report))
