"""What goes over the wire: requests, answers, and what may be asked for."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any

from pydantic import AfterValidator, BaseModel, ConfigDict, Field

from rewriter.model.direction import DIRECTIONS, THEY
from rewriter.options import PRESETS
from rewriter.policy import AMBIGUOUS, KINDS, PLACES, SCOPES

#: the language is looked for in the text itself
AUTO = "auto"
#: fields of :class:`Settings` that are options of a rewriter, and those that belong to its policy
OPTIONS = ("to", "they", "form", "normalise", "reflexive", "nouns", "preset")
POLICY = ("scope", "on_ambiguous", "allow", "deny", "allow_kinds", "deny_kinds", "min_confidence")


def _whole(text: str) -> str:
    """Refuse what no answer could hold."""
    try:
        text.encode()
    except UnicodeEncodeError:
        raise ValueError("half a surrogate pair is no character") from None
    return text


Text = Annotated[str, AfterValidator(_whole)]
Words = Annotated[tuple[str, ...] | None, Field(max_length=10_000)]


def _one_of(values: Sequence[str]) -> str:
    return f"one of {', '.join(values)}"


class Settings(BaseModel):
    """What may be asked for beside the texts; what is left out has the default of the command line."""

    model_config = ConfigDict(extra="forbid")

    lang: str = Field(default=AUTO, description="a code, or auto: of each text, by its words")
    model: str | None = Field(default=None, description="of a model that is served; else that of the language")
    to: str | None = Field(default=None, description=_one_of(DIRECTIONS))
    they: str | None = Field(default=None, description=f"on the way back, {_one_of(THEY)}")
    form: str | None = Field(default=None, description="German: star, colon, gap, slash, binnen-i, pair")
    normalise: bool | None = Field(default=None, description="German: existing gender-fair forms, too")
    reflexive: str | None = Field(default=None, description="English: themself, themselves")
    nouns: str | None = Field(default=None, description="English: literature, wide")
    preset: str | None = Field(default=None, description=_one_of(PRESETS))
    scope: str | None = Field(default=None, description=f"{_one_of(SCOPES)}; generic: no sentences with names")
    keep: Words = Field(default=None, description=f"places that stay: {', '.join(PLACES)}")
    on_ambiguous: str | None = Field(default=None, description=_one_of(AMBIGUOUS))
    allow: Words = Field(default=None, description="words that alone may change")
    deny: Words = Field(default=None, description="words that never change")
    allow_kinds: Words = Field(default=None, description=f"kinds of edit that alone are made: {', '.join(KINDS)}")
    deny_kinds: Words = Field(default=None, description="kinds of edit that are never made")
    min_confidence: float | None = Field(default=None, description="from 0 to 1")

    def options(self) -> dict[str, Any]:
        """Return the options of a rewriter that were given."""
        return {name: value for name in OPTIONS if (value := getattr(self, name)) is not None}

    def policy(self) -> dict[str, Any]:
        """Return the fields of a policy that were given."""
        given = {name: value for name in POLICY if (value := getattr(self, name)) is not None}
        return given if self.keep is None else {**given, "places": self.keep}


class Request(Settings):
    """One text or several."""

    text: Text | None = Field(default=None, description="one text: the answer is an object")
    texts: list[Text] | None = Field(default=None, description="several: one object for each, in order")


class EditModel(BaseModel):
    """One replaced span; offsets count characters (Unicode code points) of the source."""

    start: int
    end: int
    before: str
    after: str
    kind: str
    reason: str
    score: float
    follows: int | None = Field(description="index of the edit without which this one makes no sense")


class Answer(BaseModel):
    """What became of one text."""

    text: str
    edits: list[EditModel]
    lang: str | None = Field(description="null: the text is in no language that is served, and stays")
    model: str | None
    error: str | None = Field(default=None, description="why the text stays as it is, where it could not be worked on")


class Answers(BaseModel):
    """What became of several texts, in their order."""

    results: list[Answer]


class FindingModel(BaseModel):
    """A place where the text would change; lines and columns count from 1, columns in characters."""

    line: int
    column: int
    end_line: int
    end_column: int
    kind: str
    before: str
    after: str
    reason: str
    score: float


class Check(BaseModel):
    """The places of one text."""

    findings: list[FindingModel]
    lang: str | None
    model: str | None
    error: str | None = None


class Checks(BaseModel):
    """The places of several texts, in their order."""

    results: list[Check]


class ModelEntry(BaseModel):
    """A model that is served."""

    name: str
    lang: str
    convention: str
    convention_version: int
    identity: str
    scores: list[dict[str, Any]]
    settings: list[str] = Field(description="settings of the language that requests may name")
    presets: list[str]


class Health(BaseModel):
    """That the service answers."""

    status: str
    version: str
    models: list[str]


class Problem(BaseModel):
    """What every refusal holds."""

    error: str = Field(description="a sentence: what is wrong, and what to do")
