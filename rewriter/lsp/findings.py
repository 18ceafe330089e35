"""What a language server tells of a text, before it is put into the words of its protocol."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from functools import cache

from rewriter.corpus.job import RewriterSpec
from rewriter.language.detect import likeliest_language
from rewriter.language.settings import declared_settings, settings_of
from rewriter.model.directory import bundled
from rewriter.options import one_of
from rewriter.pipeline import Rewriter
from rewriter.policy.followers import followed
from rewriter.records import Edit

#: identifiers under which editors know languages of markup and prose; text in others is left alone
PROSE = ("plaintext", "markdown", "html", "latex", "tex", "restructuredtext", "asciidoc", "org", "mail", "text")


@dataclass(frozen=True)
class Group:
    """Edits that make sense only together, like a pronoun and its verb.

    Attributes:
        edits: in the order of the text.
    """

    edits: tuple[Edit, ...]

    @property
    def title(self) -> str:
        """What the fix is called."""
        return ", ".join(f"{edit.before} → {edit.after}" for edit in self.edits)


@dataclass(frozen=True)
class Finder:
    """Finds what would change.

    Attributes:
        models: one for each language, by its code.
        lang: code of the language of all texts; None looks at each.
    """

    models: tuple[tuple[str, RewriterSpec], ...]
    lang: str | None = None

    def groups(self, text: str) -> list[Group]:
        """Return the edits of a text, those together that need each other; none where no model knows its language.

        Raises:
            ModelError: a model is damaged.
        """
        models = dict(self.models)
        lang = self.lang or likeliest_language(text, models)
        if lang is None:
            return []
        rewriter = _loaded(models[lang])
        edits = sorted(rewriter.rewrite(text, return_edits=True, errors="keep").edits, key=lambda edit: edit.start)
        leaders = followed(text, edits, rewriter.language)
        together: dict[int, list[Edit]] = defaultdict(list)
        for index, edit in enumerate(edits):
            while leaders[index] >= 0:
                index = leaders[index]
            together[index].append(edit)
        return [Group(tuple(group)) for group in together.values()]


def finder(model: str | None = None, lang: str | None = None, **options: object) -> Finder:
    """Return a finder with one model, or with all bundled ones.

    Args:
        model: bundled name or model directory.
        lang: language of all texts; None: that of the model, or found for each text.
        **options: of :meth:`rewriter.Rewriter.from_pretrained`; each model gets those that its language has.

    Raises:
        ModelError: there is no such model.
        UsageError: an unknown option.
    """
    names = [model] if model is not None else [folder.name for folder in bundled()]
    models = {}
    for name in names:
        spec = RewriterSpec.of(name)
        models[spec.info().lang] = RewriterSpec.of(name, **_that_fit(options, spec.info().lang))
    if lang is not None:
        one_of(models, lang=lang)
    return Finder(tuple(models.items()), lang or (next(iter(models)) if model is not None else None))


def _that_fit(options: dict[str, object], lang: str) -> dict[str, object]:
    others = {setting.name for setting in declared_settings()} - {setting.name for setting in settings_of(lang)}
    return {name: value for name, value in options.items() if name not in others and value is not None}


@cache
def _loaded(spec: RewriterSpec) -> Rewriter:
    return spec.load()
