"""Spans that are no running text whatever they hold: code, addresses, markup, formulas, keys, handles."""

from __future__ import annotations

import re
from collections.abc import Iterator

from rewriter.text.offsets import joined
from rewriter.text.spans import LONGEST_SENTENCE

_FENCE = r"(?m:^[ \t]*(?P<fence>`{3,}+|~{3,}+)[^\n]*+\n(?s:.*?)(?:^[ \t]*(?P=fence)[ \t]*$|\Z))"
#: LaTeX commands whose argument is running text
_TEXT_COMMANDS = (
    r"emph|text(?:bf|it|sc|sl|sf|rm|up|md|normal|quote)|underline|uline|footnote|footnotetext|caption|title|subtitle"
    r"|section|subsection|subsubsection|chapter|part|paragraph|subparagraph|enquote|mbox|textquote|blockquote|marginpar"
    r"|item|thanks|quote|hl|sout|text|todo|marginnote|sidenote|alert|say|frametitle|framesubtitle"
)
# Every part takes linear time, whatever the text: what repeats is bounded, possessive, or stops at its own beginning.
_PARTS = (
    _FENCE,
    # ``quoted'' is no code, nor is an apostrophe: he`s late
    r"(?<!`)``(?!`)(?=\S|\s\S)(?:(?!'')[^\n])*?(?<!`)``(?!`)",
    r"(?<!`)(?!``(?!`))(?!(?<=\w)`(?:s|d|t|m|ll|re|ve)\b)(?P<ticks>`++)(?=\S|\s\S)[^\n]*?(?<!`)(?P=ticks)(?!`)",
    r"<(?:code|pre|script|style)\b[^<>]*>(?s:(?!<(?:code|pre|script|style)\b).)*?</(?:code|pre|script|style)>",
    r"<!--(?s:(?!<!--).)*?-->",
    r"</?[A-Za-z][^<>\n]*>",
    r"&lt;/?[A-Za-z](?:(?!&[lg]t;)[^\n]){0,200}&gt;",
    r"\b(?:https?|ftp|file)://[^\s<>\"”]+",
    r"\bwww\.[^\s<>\"”]+",
    r"\b[\w.+-]{1,64}@[\w-]+\.[\w.-]*\w",
    r"\b[\w-]{1,63}(?:\.[\w-]{1,63}){0,9}\.(?:com|org|net|edu|gov|io|info|de|uk|co|app|dev|me|tv|ai)\b(?:/[^\s<>\"”]*)?",
    r"(?<![\w@])[@#][\w.-]*\w",
    # formulas between dollar signs; prices ("$5 and he paid $6") lack the signs of a formula
    r"\$\$(?s:.+?)\$\$",
    r"\$(?=\S)(?=[^$\n]*[\\^_={}+])[^$\n]*+(?<=\S)\$",
    r"\\(?:\((?:(?!\\\().)*?\\\)|\[(?:(?!\\\[).)*?\\\])",
    # LaTeX: what is verbatim or no text; of commands whose argument is text only the command
    r"\\begin\{(?P<env>(?:verbatim|lstlisting|minted|alltt|comment|equation|align|eqnarray|gather|multline|tikzpicture"
    r"|filecontents)\*?)\}(?s:(?!\\begin\{(?P=env)\}).)*?\\end\{(?P=env)\}",
    r"\\(?:verb|lstinline)\*?(?P<bar>[|!+/@\"'=])[^\n]*?(?P=bar)",
    rf"\\(?:{_TEXT_COMMANDS})\*?(?:\[[^\]\n]*\])?\{{",
    r"\\(?:textcolor|href|colorbox|parbox)\{[^{}\n]*\}\{",
    r"\{\\(?:em|it|bf|sl|sc|tt|rm|sf|itshape|bfseries|small|large|Large|footnotesize)(?![A-Za-z])",
    r"\\[A-Za-z]+\*?(?:\[[^\]\n]{0,200}\])?(?:\{[^{}\n]*\})*",
    # paths: rooted, home, relative, drive; or several parts with an ending
    r"(?<![\w/<])(?:~|\.{1,2})?/(?:[\w.+-]+/)*[\w.+-]+",
    r"\b[A-Za-z]:\\[^\s\"<>|]+",
    # the end of a contraction begins none: he's/U.S.
    r"(?!(?<=\w['’])(?:s|d|t|m|ll|re|ve)/)(?!\w+/in(?:nen)?\.(?-i:[A-ZÄÖÜ][a-zäöü]))\b[\w-]{1,99}"
    r"(?:/[\w.-]{1,99}){0,19}/[\w-]{1,99}\.\w{1,5}\b",
    r"\b[\w-]{1,99}\.(?:py|js|ts|txt|md|json|ya?ml|csv|tsv|html?|css|cpp|java|pdf|docx?|png|jpe?g|mp[34]|zip|gz|sh)\b",
    # identifiers: snake_case, calls, attributes, placeholders
    r"\b\w*[^\W_]_\w+",
    # _her_ is emphasis, not an identifier
    r"(?<!\w)_+(?![^\W_]+_(?!\w))\w+",
    r"\b\w+(?:\.\w+){0,19}\(\)",
    # left.He knew: a full stop without its space
    r"(?!(?-i:[a-z]{2,}\.[A-Z][a-z]*[ '’]))\b[a-z]+(?:\.[a-z]\w*)+\b(?!\.[ \n]|\.$)",
    r"\{\{?[^{}\n]*\}?\}",
    r"%\(\w+\)s|\$\w+",
    r"(?<![\w-])--?[a-z][\w-]*(?==)",
    # keys and assignments
    r"[\"']\w+[\"']\s*:(?=\s|\S)",
    r"(?m:^[ \t-]*\w+:(?=[ \t]+\S|[ \t]*$))",
    r"\b\w+\s*(?:[-+*/|&]?=|:=|==|!=|=>|->)\s*(?=[\w\"'\[({-])",
    # declared pronouns are a person's own words: she/her, he/him/his, they/she; he/she/they names whoever it may be
    r"\b(?:(?:she|he|they|xe|ze|any|it) ?/ ?(?:her|him|them|hers|his|theirs|xem|zir|its)\b"
    r"(?: ?/ ?(?:hers|his|theirs|her|their|himself|herself|themself|themselves)\b)?"
    r"|(?:they|xe|ze) ?/ ?(?:she|he)\b|(?:(?:she|he) ?/ ?){1,2}(?:xe|ze)\b|(?<!he/)(?<!he / )(?:she|he) ?/ ?they\b)",
)
_PROTECTED = re.compile("|".join(_PARTS), re.IGNORECASE)
#: words that stand beside others in code too
_OPERATORS = r"(?:and|or|not|in|is|if|else|for|lambda|await|yield|from|new)\b"
#: a line of code: a keyword in its place and the punctuation of code, a call or an assignment and nothing else
_CODE_LINE = re.compile(
    r"^[ \t]*(?:(?:async )?(?:def|class|func|fn) \w+[ \t]*[(:{][^\n]*"
    r"|(?:async )?for \(?\w+(?:, ?\w+)*\)? in [^\n]*:[ \t]*"
    r"|(?:if|elif|while|with|return|assert|raise|yield|await|except|del|print)\b[^\n]*"
    r"(?:[a-z_\])]\((?!e?s\))|[\w\])]\[(?!\d)|[=!]=|[{}]|;$|\b[a-z_]\w*\.[a-z_]\w*[:,)\]])[^\n]*(?<![.!?\w])"
    r"|(?:return|import|from|del|yield) [a-z_][\w.]*(?: import [\w., ]+)?[ \t]*"
    r"|(?:if|elif|while)\b(?=[^\n]*:[ \t]*$)[^\n]*?(?:[<>]| in \([^()\s]+[,)]|\) (?:in|and|or|not|is) )[^\n]*+"
    r"|return\b(?: \(|[^\n]*?[=!<>]=)[^\n]*+"
    r"|(?:[a-z_][\w.]*|[A-Z]\w*\.[\w.]+|[A-Z]\w*[a-z][A-Z]\w*)\([^\n]*\)(?:\.\w+)*[;,]?[ \t]*"
    # an assignment, to several names or with a type too, without two words side by side as in prose
    rf"|\(?[A-Za-z_][\w.]*(?:\[[^\]\n]*\])?(?:, ?[A-Za-z_][\w.]*)*\)?(?:: ?[\w.]+(?:\[[^\]\n]*\])?)? ?[-+*/|&%]?= "
    rf"(?![^\n]*->|[^\n]*\b(?!{_OPERATORS})[A-Za-z]+ (?!{_OPERATORS})[A-Za-z])[^\s=][^\n]*(?<![.!?\s])[ \t]*"
    r"|[a-z_][\w.\[\]]* ?[-+*/|&]?= ?(?:\S+|[^\n]*[\[(][^\n]*[\])][;,]?)[ \t]*)$",
    re.MULTILINE,
)
#: a comment of LaTeX, in a text with a command of LaTeX that holds something: *50 %* elsewhere is no comment
_LATEX = re.compile(r"\\(?:[A-Za-z]{2,}\*?[\[{]|item\b)")
_LATEX_COMMENT = re.compile(r"(?m:(?:^|(?<=\s))%[^\n]*)")
#: what every line of code holds that the pattern above finds
_CODE_HINT = re.compile(
    r"\w\(|=|^[ \t]*(?:return|import|from|del|yield|for|if|elif|while|with|assert|except) ", re.MULTILINE
)
#: every protected span holds one of these; where there is none, the costly pattern need not look
_HINT = re.compile(r"[`<@#$\\/_={}:%]|&lt;|\.(?:\w|(?<=[wW][wW][wW]\.))|\(\)|--|->|~~~")
#: these may begin a span over several words or lines; every other span ends with its word or the next one
_LONG = re.compile(r"[`<\\{]|&lt;|~~~|\$[^$]*\$")
#: characters without white space beyond which a text is data, no running text; half of a sentence that is cut, so that
#: no word is cut except in data (rewriter.spans)
LONGEST_RUN = LONGEST_SENTENCE // 2
_RUN = re.compile(rf"(?<!\S)\S{{{LONGEST_RUN},}}+")


def protected_spans(text: str) -> list[tuple[int, int]]:
    """Return the spans (start, end in characters) that must come out as they are, in order, not overlapping."""
    whole = [match.span() for match in _CODE_LINE.finditer(text)] if _CODE_HINT.search(text) else []
    if "%" in text and _LATEX.search(text) is not None:
        whole += [match.span() for match in _LATEX_COMMENT.finditer(text)]
    if len(text) >= LONGEST_RUN:
        whole += [match.span() for match in _RUN.finditer(text)]
    return joined([*whole, *_short_spans(text)]) if whole else _short_spans(text)


def _short_spans(text: str) -> list[tuple[int, int]]:
    first = _HINT.search(text)
    if first is None:
        return []
    if _LONG.search(text, first.start()) is not None:
        return [match.span() for match in _PROTECTED.finditer(text)]
    return [match.span() for window in _windows(text) for match in _PROTECTED.finditer(text, *window)]


def _windows(text: str) -> Iterator[tuple[int, int]]:
    """Yield the stretches around hints, from one word before to one behind; each short span lies inside one of them.

    They make the costly pattern look at a few words instead of the whole text: three times as fast in ordinary text.
    """
    start = word_end = end = -1
    for hint in _HINT.finditer(text):
        at = hint.start()
        if at < word_end:
            continue
        new_start = _word_before(text, at, max(end, 0))
        if end < 0 or new_start > end:
            if end >= 0:
                yield start, end
            start = new_start
        word_end = _space_after(text, at)
        end = _space_after(text, _skip_space(text, word_end))
    if end >= 0:
        yield start, end


def _word_before(text: str, at: int, low: int) -> int:
    """Return the start of the word before the word at ``at``, not below ``low``, or of the line if little is before."""
    position = text.rfind(" ", low, at)
    while position > low and text[position - 1].isspace():
        position -= 1
    position = text.rfind(" ", low, max(position, low)) + 1 or low
    line_start = position
    while line_start and text[line_start - 1] in " \t-":
        line_start -= 1
    return line_start if not line_start or text[line_start - 1] == "\n" else position


def _skip_space(text: str, position: int) -> int:
    while position < len(text) and text[position].isspace():
        position += 1
    return position


def _space_after(text: str, position: int) -> int:
    found = text.find(" ", position)
    return len(text) if found < 0 else found
