"""The rewriters that a service has: its models, each with the options that requests ask for."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from threading import Lock

from rewriter.corpus.job import RewriterSpec
from rewriter.errors import ModelError, UsageError
from rewriter.language.detect import likeliest_language
from rewriter.language.interface import find_module, known_settings
from rewriter.model.directory import ModelInfo, bundled
from rewriter.model.options import with_preset
from rewriter.options import PRESETS, one_of
from rewriter.pipeline import Rewriter
from rewriter.policy import Policy
from rewriter.runs.per_process import PerProcess
from rewriter.serve.schema import AUTO, Settings
from rewriter.serve.settings import Limits

#: combinations of model and options that stay loaded, about 15 MB each
MOST_LOADED = 12


@dataclass(frozen=True)
class Served:
    """A model that requests may name.

    Attributes:
        name: what they call it.
        spec: how it is loaded.
        info: what it is.
    """

    name: str
    spec: RewriterSpec
    info: ModelInfo


def served_models(models: Sequence[str], *, sentences: int = Limits.sentences) -> list[Served]:
    """Return the models of bundled names and directories; all bundled ones where none is named.

    Args:
        models: names and directories.
        sentences: that each remembers.

    Raises:
        ModelError: there is no such model, it is damaged, or nothing is bundled.
        UsageError: two have one name.
    """
    names = list(models) or [folder.name for folder in bundled()]
    if not names:
        raise ModelError("there is no bundled model in this installation; pass --model DIRECTORY")
    found: dict[str, Served] = {}
    for name in names:
        spec = RewriterSpec.of(name, cache=sentences)
        info = spec.info()
        if info.name in found:
            raise UsageError(f"two models are called '{info.name}'; serve one of them")
        found[info.name] = Served(info.name, spec, info)
    return list(found.values())


class Rewriters:
    """Finds the model for a text and loads it with the options of a request. Thread-safe."""

    def __init__(self, models: Iterable[Served], *, most: int = MOST_LOADED) -> None:
        """Serve models, the first of a language being its default.

        Args:
            models: at least one.
            most: combinations of model and options that stay loaded.
        """
        self.models = {model.name: model for model in models}
        self.languages = list(dict.fromkeys(model.info.lang for model in self.models.values()))
        self._most, self._lock = most, Lock()
        self._loaded: OrderedDict[RewriterSpec, PerProcess[Rewriter]] = OrderedDict()

    def warm(self) -> None:
        """Load the default of every language."""
        for code in self.languages:
            self.of(Settings(lang=code), code)

    def language_of(self, text: str, settings: Settings) -> str | None:
        """Return the language in which a text is to be rewritten, None where it is in none that is served.

        Raises:
            UsageError: the language or model that was asked for is not served, or they do not fit.
        """
        if settings.model is not None:
            one_of(self.models, model=settings.model)
            lang = self.models[settings.model].info.lang
            if settings.lang not in (AUTO, lang):
                raise UsageError(f"the model '{settings.model}' is for '{lang}', not for '{settings.lang}'")
            return lang
        if settings.lang != AUTO:
            one_of([AUTO, *self.languages], lang=settings.lang)
            return settings.lang
        return likeliest_language(text, self.languages)

    def model_of(self, settings: Settings, lang: str) -> Served:
        """Return the model that was asked for, or the default of a language."""
        if settings.model is not None:
            return self.models[settings.model]
        return next(model for model in self.models.values() if model.info.lang == lang)

    def of(self, settings: Settings, lang: str) -> Rewriter:
        """Return the rewriter for texts of a language.

        Args:
            settings: of the request. Where its language is ``auto``, settings and presets that a language does not
                have are left out for it.
            lang: code.

        Raises:
            UsageError: a setting has an unknown value, or the language does not have it.
        """
        options = settings.options()
        if settings.lang == AUTO and settings.model is None:
            options = self._that_fit(options, lang)
        options = with_preset(options, lang)
        policy = replace(options.pop("policy", None) or Policy(), **settings.policy())
        spec = self.model_of(settings, lang).spec
        loaded = self._load(RewriterSpec.of(spec.model, **dict(spec.options), **options))
        return loaded.with_policy(None if policy.idle else policy)

    def _that_fit(self, options: dict[str, object], lang: str) -> dict[str, object]:
        others = {name for code in self.languages for name in known_settings(code)} - set(known_settings(lang))
        if options.get("preset") in PRESETS and options["preset"] not in presets_of(lang):
            others.add("preset")
        return {name: value for name, value in options.items() if name not in others}

    def _load(self, spec: RewriterSpec) -> Rewriter:
        with self._lock:
            entry = self._loaded.setdefault(spec, PerProcess(spec.load))
            self._loaded.move_to_end(spec)
            while len(self._loaded) > self._most:
                self._loaded.popitem(last=False)
        try:
            return entry.get()  # one loads, whoever else wants the same waits for it
        except Exception:
            with self._lock:
                self._loaded.pop(spec, None)
            raise


def presets_of(lang: str) -> list[str]:
    """Return the names of the presets that a language has."""
    module = find_module("rewriter", lang, "settings")
    return [] if module is None else list(getattr(module, "PRESETS", {}))
