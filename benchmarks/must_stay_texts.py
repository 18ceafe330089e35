"""Choose the texts of the must-stay measurement: those without gendered words, and traps that hold them.

What counts as gendered is read from ``tests/data/en/must-stay/gendered-words.tsv``, a list of its own: neither the gate
nor a word table of the toolkit takes part, so a word that both forgot would show. Real text comes from the folder in
``GENDER_FAIR_DATA``, code from the source files of the running interpreter, other scripts from Unicode's own tables.
Equal seeds choose equal texts.
"""

from __future__ import annotations

import ast
import io
import keyword
import os
import re
import tokenize
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import NamedTuple

import numpy
import zstandard

TABLES = Path(__file__).resolve().parents[1] / "tests" / "data" / "en" / "must-stay"
PRONOUNS = ("he", "she", "him", "her", "his", "hers", "himself", "herself")
NOUNS = ("chairman", "actress", "fireman", "steward", "mankind", "waitress", "policemen", "spokeswoman")
WORDS = "valve table index report queue river signal draft anchor cloud paper window orbit ledger metal garden".split()


class Item(NamedTuple):
    """A text that must come out as it is."""

    kind: str
    text: str


class Gendered:
    """The list of gendered words: those that the convention rewrites, and those that it leaves."""

    def __init__(self, path: Path = TABLES / "gendered-words.tsv") -> None:
        self.changes: set[str] = set()
        self.stays: set[str] = set()
        for line in path.read_text(encoding="utf-8").splitlines():
            words, _, kind = line.partition("\t")
            if kind == "changes":
                self.changes.update(words.split())
            elif kind == "stays":
                self.stays.update(words.split())

    def in_text(self, text: str) -> tuple[bool, bool]:
        """Tell whether ``text`` holds a word that changes, and one that stays."""
        words = set(re.findall(r"[^\W\d_]+", text.casefold()))
        return bool(words & self.changes), bool(words & self.stays)

    def free(self, text: str) -> bool:
        """Tell whether ``text`` holds no gendered word at all."""
        return self.in_text(text) == (False, False)


# ---------------------------------------------------------------------------------------------------------------------
# real text


def data_folder() -> Path:
    """Return the folder of real text, or end with a sentence that says what to set."""
    folder = os.environ.get("GENDER_FAIR_DATA")
    if not folder or not Path(folder).is_dir():
        raise SystemExit("set GENDER_FAIR_DATA to the folder that holds en/train and de/train")
    return Path(folder)


@cache
def read_lines(path: Path) -> list[str]:
    """Return the lines of a ``.zst`` file; kept, since every kind of text is looked for in all files."""
    with path.open("rb") as stream:
        data = zstandard.ZstdDecompressor(max_window_size=2**27).stream_reader(stream).read()
    return data.decode("utf-8").split("\n")


def sentences(line: str) -> Iterator[str]:
    """Cut a paragraph where an end mark, white space and a capital meet: rough, and no code of the toolkit."""
    for piece in re.split(r"(?<=[.!?])\s+(?=[\"“„(]?[A-ZÄÖÜ])", line.strip()):
        if 15 <= len(piece) <= 400 and piece.count(" ") >= 2:
            yield piece


class Chooser:
    """Draws texts, each one once; every draw comes from one generator."""

    def __init__(self, seed: int, gendered: Gendered | None = None) -> None:
        self.rng = numpy.random.default_rng(seed)
        self.gendered = gendered or Gendered()
        self.seen: set[str] = set()

    def pick(self, values: Sequence[str]) -> str:
        """Return one of ``values``."""
        return values[int(self.rng.integers(len(values)))]

    def shuffled(self, values: Sequence[str]) -> list[str]:
        """Return ``values`` in another order."""
        return [values[i] for i in self.rng.permutation(len(values))]

    def take(self, kind: str, number: int, texts: Iterator[str]) -> list[Item]:
        """Return the first ``number`` texts that did not occur yet."""
        items: list[Item] = []
        for text in texts:
            if len(items) == number:
                break
            if text not in self.seen:
                self.seen.add(text)
                items.append(Item(kind, text))
        return items

    def real(
        self, files: Sequence[Path], accept: Callable[[str], object], hint: re.Pattern[str] | None = None
    ) -> Iterator[str]:
        """Yield accepted sentences of lines that hold ``hint``, the files taking turns."""
        streams = [self._accepted(path, accept, hint) for path in files]
        while streams:
            for stream in list(streams):
                sentence = next(stream, None)
                if sentence is None:
                    streams.remove(stream)
                else:
                    yield sentence

    def _accepted(self, path: Path, accept: Callable[[str], object], hint: re.Pattern[str] | None) -> Iterator[str]:
        lines = read_lines(path)
        for index in self.rng.permutation(len(lines)):
            if hint is None or hint.search(lines[index]):
                yield from (sentence for sentence in sentences(lines[index]) if accept(sentence))

    def changed(
        self, files: Sequence[Path], change: Callable[[str], str | None], hint: re.Pattern[str]
    ) -> Iterator[str]:
        """Yield what ``change`` makes of sentences without words that change; None leaves one out."""
        for sentence in self.real(files, lambda s: change(s) and not self.gendered.in_text(s)[0], hint):
            made = change(sentence)
            if made is not None:
                yield made


def english(folder: Path) -> list[Path]:
    """Return the English files."""
    return sorted((folder / "en" / "train").glob("*.txt.zst"))


def german(folder: Path) -> list[Path]:
    """Return the German files."""
    return sorted((folder / "de" / "train").glob("general-*.txt.zst"))


# ---------------------------------------------------------------------------------------------------------------------
# no gendered words


def without_gendered_words(number: int, seed: int) -> list[Item]:
    """Return ``number`` texts without any gendered word: English, code, tables, markup, other scripts, German."""
    folder, chooser = data_folder(), Chooser(seed)
    free = chooser.gendered.free
    share = number // 100
    plain = chooser.real(english(folder), free)
    items = chooser.take("code line", 10 * share, code_lines(chooser))
    items += chooser.take("code block", 2 * share, code_blocks(chooser))
    items += chooser.take("treebank row", 3 * share, _treebank_rows(chooser, folder))
    items += chooser.take("table", 5 * share, tables(chooser, plain))
    items += chooser.take("markup", 8 * share, markup(chooser, plain))
    items += chooser.take("other script", 8 * share, other_scripts(chooser))
    items += chooser.take("odd spacing", 2 * share, odd_spacing(chooser, plain))
    items += chooser.take("German", 8 * share, chooser.real(german(folder), free))
    items += chooser.take("English", number - len(items), plain)
    return [items[i] for i in chooser.rng.permutation(len(items))]


def library_files() -> list[Path]:
    """Return the source files of the running interpreter's standard library."""
    return sorted(p for p in Path(os.__file__).parent.rglob("*.py") if "site-packages" not in p.parts)


def _sources(chooser: Chooser) -> Iterator[list[str]]:
    for name in chooser.shuffled([str(p) for p in library_files()]):
        try:
            yield Path(name).read_text(encoding="utf-8").split("\n")
        except (OSError, UnicodeDecodeError):
            continue


def code_lines(chooser: Chooser) -> Iterator[str]:
    for lines in _sources(chooser):
        for line in chooser.shuffled(lines)[:60]:
            if line.strip() and chooser.gendered.free(line):
                yield line


def code_blocks(chooser: Chooser) -> Iterator[str]:
    for lines in _sources(chooser):
        for start in range(0, len(lines) - 20, 97):
            block = "\n".join(lines[start : start + 20]) + "\n"
            if block.strip() and chooser.gendered.free(block):
                yield block


def _treebank_rows(chooser: Chooser, folder: Path) -> Iterator[str]:
    rows = read_lines(folder / "ud" / "UD_English-GUM" / "en_gum-ud-dev.conllu.zst")
    return (row for row in chooser.shuffled(rows) if row.count("\t") == 9 and chooser.gendered.free(row))


def tables(chooser: Chooser, plain: Iterator[str]) -> Iterator[str]:
    for sentence in plain:
        cells = sentence.split(" ")[:8]
        number = str(chooser.rng.integers(10_000))
        separator = chooser.pick(["\t", ",", ";", " | "])
        row = separator.join([number, *cells, f"{number}.5 %"])
        yield f"| {row} |" if separator == " | " else row


def markup(chooser: Chooser, plain: Iterator[str]) -> Iterator[str]:
    forms = (
        "<p>{0} <b>{1}</b> {2}</p>",
        "<li class='x'>{0} <em>{1}</em> {2}",
        "* {0} **{1}** {2}",
        "## {0} _{1}_ {2}",
        "> {0} [{1}](https://example.org/{1}) {2}",
        "\\section{{{0}}} \\emph{{{1}}} {2} \\cite{{{1}}}",
        "{0} `{1}` {2}",
        "== {0} == '''{1}''' [[{1}|{2}]] {{{{cite|{1}}}}}",
        '<!-- {0} --><span data-x="{1}">{2}</span>&nbsp;&amp;',
        '{0}&#160;{1}<br/>{2}<ref name="{1}"/>',
    )
    for sentence in plain:
        words = sentence.split(" ")
        at = int(chooser.rng.integers(len(words)))
        yield chooser.pick(forms).format(" ".join(words[:at]), words[at], " ".join(words[at + 1 :]))


def odd_spacing(chooser: Chooser, plain: Iterator[str]) -> Iterator[str]:
    odd = ["  ", "\t", "\u00a0", " \u200b", "\r\n", "\u2009", " 🙂 ", "\ufe0f", "\n\n", "…", "\u2028", "\x07", "\ufeff"]
    for sentence in plain:
        yield "".join(w + (chooser.pick(odd) if chooser.rng.random() < 0.3 else " ") for w in sentence.split(" "))


#: ranges of letters outside the Latin script
SCRIPTS = (
    (0x0391, 0x03C9), (0x0410, 0x044F), (0x0531, 0x0586), (0x05D0, 0x05EA), (0x0621, 0x064A), (0x0905, 0x0939),
    (0x0985, 0x09B9), (0x0B85, 0x0BB9), (0x0E01, 0x0E3A), (0x10D0, 0x10F0), (0x1200, 0x1248), (0x1780, 0x17B3),
    (0x3041, 0x3096), (0x30A1, 0x30FA), (0x4E00, 0x9FA5), (0xAC00, 0xD7A3), (0x13A0, 0x13F4), (0x16A0, 0x16EA),
    (0xFF21, 0xFF5A), (0x1D400, 0x1D433), (0x1F300, 0x1F5FF), (0x10330, 0x1034A),
)  # fmt: skip


def other_scripts(chooser: Chooser) -> Iterator[str]:
    marks = [".", "。", "؟", "।", "!", "", "…", "·", "᠃"]
    while True:
        low, high = SCRIPTS[int(chooser.rng.integers(len(SCRIPTS)))]
        letters = [chr(c) for c in range(low, high + 1) if unicodedata.category(chr(c))[0] in "LMS"]
        lengths = chooser.rng.integers(1, 9, size=int(chooser.rng.integers(3, 15)))
        words = ["".join(letters[i] for i in chooser.rng.integers(len(letters), size=length)) for length in lengths]
        if chooser.rng.random() < 0.3:
            words.insert(int(chooser.rng.integers(len(words))), chooser.pick(WORDS))
        yield " ".join(words) + chooser.pick(marks)


# ---------------------------------------------------------------------------------------------------------------------
# traps: words of the gate that must stay


def traps(number: int, seed: int) -> list[Item]:
    """Return ``number`` texts that hold gendered words or look-alikes of them, none of which may change.

    Real sentences without pronouns and nouns of the convention, in which a name, a gas or a word was replaced by its
    look-alike where the words around settle the reading; and templates. Of each kind a fixed share; the last kind
    fills up what others could not give.
    """
    folder, chooser = data_folder(), Chooser(seed)
    files = english(folder)
    changes = chooser.gendered.in_text
    share = number / 20_000
    items: list[Item] = []
    factual = [f for f in files if f.name.startswith(_FACTUAL)]
    for kind, wanted, texts in (
        ("real: title and name", 2000, chooser.changed(files, _name_after_title, _TITLE)),
        ("real: full name", 200, chooser.changed(files, _full_name, _PINYIN)),
        ("real: HE for higher education", 350, chooser.changed(files, _higher_education, _HIGHER)),
        ("real: He for a gas", 700, chooser.changed(factual, _gas, _GAS)),
        ("real: best man", 50, chooser.real(files, lambda s: _BEST.search(s) and not changes(s)[0], _BEST)),
        ("real: German her", 2000, chooser.real(german(folder), _german_her, _HER)),
        ("real: code line", 900, _renamed_lines(chooser)),
        ("real: code block", 700, _renamed_blocks(chooser)),
        ("real: plural they", 2300, chooser.real(files, lambda s: _THEY.search(s) and not changes(s)[0], _THEY)),
    ):
        items += chooser.take(kind, round(wanted * share), texts)
    plain = chooser.real(files, chooser.gendered.free)
    for kind, wanted in TEMPLATES.items():
        items += chooser.take(kind, round(wanted * share), filled(chooser, kind, plain))
    rest = chooser.real(files, lambda s: changes(s) == (False, True) and not _PHRASES.search(s))
    items += chooser.take("real: noun that stays", number - len(items), rest)
    return [items[i] for i in chooser.rng.permutation(len(items))]


#: how many of 20,000 per kind of template
TEMPLATES = {
    "abbreviation": 700, "helium": 500, "histidine and anatomy": 200, "name with title": 500, "full name": 350,
    "surname like a noun": 250, "compound": 350, "best man": 250, "noun that stays": 200, "plural they": 200,
    "declared pronouns": 150, "mention": 400, "quoted foreign words": 400, "other language": 350,
    "insert url": 500, "insert e-mail": 300, "insert path": 350, "insert handle": 300, "insert hash tag": 250,
    "insert code span": 600, "insert identifier": 350, "insert formula": 300, "insert tag": 300,
    "insert placeholder": 200, "data": 400,
}  # fmt: skip

_TITLE = re.compile(
    r"\b(?:(?:Mr|Ms|Mrs|Dr|Prof)\.|Professor|Senator|Captain|Colonel|Governor|President|Judge|Secretary) "
    r"(?P<name>[A-Z][a-z]{2,})(?!\w)(?! [A-Z]|-|\.? [A-Z]\.)"
)
_PINYIN = re.compile(
    r"(?:^|(?<=[a-z,;:(\"“] ))(?P<family>Wang|Zhang|Chen|Liu|Zhao|Huang|Zhou|Xu|Yang|Guo)"
    r" (?=(?:[BPMFDTNLGKHJQXRZCSYW]|Zh|Ch|Sh)[aeiouü]{1,3}(?:n|ng)?"
    r"(?:(?:[bpmfdtnlgkhjqxrzcsyw]|zh|ch|sh)[aeiouü]{1,3}(?:n|ng)?){0,2}\b)"
)
#: where sentences about gases are prose about gases
_FACTUAL = ("enwiki", "featured", "openstax", "wikisplit", "gum")
_GAS = re.compile(
    r"\b(?P<before>of|liquid|gaseous|with|by|from|into|through|pure|solid|the) "
    r"(?P<gas>helium|hydrogen|oxygen|nitrogen|argon|neon|xenon)\b(?! (?:peroxide|bomb|sulfide|cyanide))(?!-)"
)


@cache
def _surnames() -> frozenset[str]:
    """Return the words that stand after Mr., Ms. or Dr. at least five times: surnames, not General *Motors*."""
    found: Counter[str] = Counter()
    for path in english(data_folder()):
        for line in read_lines(path):
            found.update(re.findall(r"\b(?:Mr|Ms|Mrs|Dr)\. ([A-Z][a-z]{2,})\b", line))
    return frozenset(name for name, count in found.items() if count >= 5)


def _name_after_title(sentence: str) -> str | None:
    match = _TITLE.search(sentence)
    if match is None or match["name"] not in _surnames() or sentence.count(match["name"]) > 1:
        return None
    # by length, so that a sentence is always changed alike
    name = ("He", "She", "Her", "He", "He", "His", "She", "He")[len(sentence) % 8]
    return sentence[: match.start("name")] + name + sentence[match.end() :]


def _full_name(sentence: str) -> str | None:
    match = _PINYIN.search(sentence)
    if match is None:
        return None
    return sentence[: match.start()] + "He" + sentence[match.end("family") :]


def _higher_education(sentence: str) -> str | None:
    changed = sentence.replace("higher education", "HE")
    return None if changed == sentence or sentence.isupper() else changed


def _gas(sentence: str) -> str | None:
    match = _GAS.search(sentence)
    return None if match is None else sentence[: match.start("gas")] + "He" + sentence[match.end("gas") :]


_HIGHER = re.compile("higher education")
_BEST = re.compile(r"\bbest (?:man|men)\b(?! for\b)", re.IGNORECASE)
#: phrases of the convention whose single words stay
_PHRASES = re.compile(
    r"\b(?:best|average|cleaning|boss) (?:man|men|lady|ladies)\b|\bman and wife\b|\bman[ -]made\b", re.IGNORECASE
)
_THEY = re.compile(r"\b(?:they|them|their|theirs|themselves)\b", re.IGNORECASE)
_HER = re.compile(r"\b(?:her|he|his)\b", re.IGNORECASE)
_GERMAN = frozenset("der die das und nicht ist ich ein eine den dem von zu mit es auf war sich so auch wie".split())
_NOT_GERMAN = frozenset(
    "the and of you with she him this that they for my love your is not all be been should have has because what really"
    " worth who do does are were s it at as can well fight if or".split()
)


def _german_her(sentence: str) -> bool:
    words = set(re.findall(r"[^\W\d_]+", sentence.casefold()))
    return bool(words & {"her", "he", "his"}) and len(words & _GERMAN) > 1 and not words & _NOT_GERMAN


def _names_in(line: str) -> list[str]:
    """Return the identifiers of a line of Python, none if it is no complete statement or holds text."""
    code = line.strip()
    try:
        ast.parse(f"{code} pass" if code.endswith(":") else code)
        tokens = list(tokenize.generate_tokens(io.StringIO(f"{code}\n").readline))
    except (tokenize.TokenError, SyntaxError, ValueError):
        return []
    if any(token.type in (tokenize.STRING, tokenize.COMMENT, tokenize.ERRORTOKEN) for token in tokens):
        return []
    names = [token.string for token in tokens if token.type == tokenize.NAME]
    return [name for name in names if not keyword.iskeyword(name) and name.isalpha() and name.islower()]


def _renamed_lines(chooser: Chooser) -> Iterator[str]:
    for lines in _sources(chooser):
        for line in chooser.shuffled(lines)[:40]:
            if not 12 <= len(line) <= 100 or not re.search(r"[=(\[{]", line) or not chooser.gendered.free(line):
                continue
            names = _names_in(line)
            if names:
                yield _rename(line, chooser.pick(names), chooser.pick(PRONOUNS))


def _rename(code: str, name: str, new: str) -> str:
    return re.sub(rf"(?<!\w){re.escape(name)}(?!\w)", new, code)


def _renamed_blocks(chooser: Chooser) -> Iterator[str]:
    frames = ("```python\n{0}\n```", "```\n{0}\n```\n", "~~~ py\n{0}\n~~~", "<pre><code>{0}</code></pre>")
    for lines in _sources(chooser):
        for start in range(0, len(lines) - 12, 83):
            code = "\n".join(lines[start : start + int(chooser.rng.integers(3, 12))])
            names = Counter(n for line in code.split("\n") for n in _names_in(line))
            if names and chooser.gendered.free(code) and not re.search(r"```|~~~|</?pre|</?code", code):
                renamed = _rename(code, names.most_common(1)[0][0], chooser.pick(PRONOUNS))
                yield chooser.pick(frames).format(renamed)


# ---------------------------------------------------------------------------------------------------------------------
# templates


@dataclass(frozen=True)
class Fillings:
    """What templates are filled with.

    Attributes:
        path: the table of templates and slots.
        pronouns: for ``%p``, mostly, and ``%P``.
        nouns: for ``%p``, now and then.
        words: for ``%w`` and ``%W``.
        see: the word before a reference in brackets.
    """

    path: Path
    pronouns: Sequence[str]
    nouns: Sequence[str]
    words: Sequence[str]
    see: str = "see"


def english_fillings() -> Fillings:
    """Return what English templates are filled with."""
    return Fillings(TABLES / "templates.tsv", PRONOUNS, NOUNS, WORDS)


@cache
def _templates(path: Path) -> tuple[dict[str, list[str]], dict[str, list[str]]]:
    """Return the templates by kind and the values by slot."""
    forms: dict[str, list[str]] = {}
    slots: dict[str, list[str]] = {}
    for line in path.read_text(encoding="utf-8").splitlines()[4:]:
        kind, _, text = line.partition("\t")
        if kind.startswith("slot "):
            slots[kind.removeprefix("slot ")] = text.split(" | ")
        elif text:
            forms.setdefault(kind, []).append(text)
    return forms, slots


def filled(chooser: Chooser, kind: str, plain: Iterator[str], fillings: Fillings | None = None) -> Iterator[str]:
    """Yield texts of the templates of one kind; give up when a thousand draws brought nothing new."""
    fillings = fillings or english_fillings()
    forms = _templates(fillings.path)[0][kind]
    dry = 0
    while dry < 1000:
        text = _fill(chooser, chooser.pick(forms), fillings)
        if kind.startswith("insert "):
            text = _insert(chooser, next(plain), text, fillings.see)
        dry = dry + 1 if text in chooser.seen else 0
        yield text


def _fill(chooser: Chooser, form: str, fillings: Fillings) -> str:
    slots = _templates(fillings.path)[1]
    makers: dict[str, Callable[[], str]] = {
        "%p": lambda: chooser.pick(fillings.pronouns if chooser.rng.random() < 0.8 else fillings.nouns),
        "%P": lambda: chooser.pick(fillings.pronouns).capitalize(),
        "%w": lambda: chooser.pick(fillings.words),
        "%W": lambda: chooser.pick(fillings.words).capitalize(),
        "%n": lambda: str(chooser.rng.integers(2, 1000)),
    }
    text = re.sub(r"%[pPwWn]", lambda m: makers[m.group()](), form)
    while (match := re.search(r"\{(\w+)\}", text)) and match[1] in slots:
        text = text[: match.start()] + chooser.pick(slots[match[1]]) + text[match.end() :]
    return re.sub(r"%[pPwWn]", lambda m: makers[m.group()](), text)


def _insert(chooser: Chooser, sentence: str, thing: str, see: str) -> str:
    words = sentence.split(" ")
    match int(chooser.rng.integers(3)):
        case 0:
            at = int(chooser.rng.integers(1, len(words)))
            return " ".join([*words[:at], thing, *words[at:]])
        case 1 if not sentence[-1].isalnum():
            return f"{sentence[:-1]} ({see} {thing}){sentence[-1]}"
        case _:
            return f"{thing} – {sentence}"
