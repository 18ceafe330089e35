"""The page for people: one file with its styles and its script, which loads nothing from elsewhere."""

from __future__ import annotations

import base64
import hashlib
import re
from collections.abc import Iterable, Sequence
from html import escape
from importlib.resources import files

from rewriter.language.settings import Setting, settings_of
from rewriter.model.direction import DIRECTIONS
from rewriter.policy import SCOPES
from rewriter.report.display import MARKS, MARKS_DARK
from rewriter.serve.rewriters import presets_of
from rewriter.serve.schema import AUTO

_INLINE = re.compile(r"<(script|style)>(.*?)</\1>", re.DOTALL)


def page(languages: Sequence[str]) -> str:
    """Return the page.

    Args:
        languages: codes of what is served; they decide which settings the page offers.
    """
    languages = list(dict.fromkeys(languages))
    parts = {
        "style": _file("style.css").replace("/* MARKS */", MARKS).replace("/* MARKS_DARK */", MARKS_DARK),
        "script": _file("script.js"),
        "settings": "\n".join(_settings(languages)),
    }
    html = _file("page.html")
    for name, part in parts.items():
        html = html.replace(f"[[{name}]]", part)
    return html


def page_headers(html: str) -> dict[str, str]:
    """Return headers that let the browser run this page's own script and styles and nothing else."""
    hashes = {"script": "", "style": ""}
    for kind, content in _INLINE.findall(html):
        digest = base64.b64encode(hashlib.sha256(content.encode()).digest()).decode()
        hashes[kind] += f" 'sha256-{digest}'"
    policy = (
        f"default-src 'none'; script-src{hashes['script']}; style-src{hashes['style']}; connect-src 'self'; "
        "img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    )
    return {
        "Content-Security-Policy": policy,
        "X-Content-Type-Options": "nosniff",
        "Referrer-Policy": "no-referrer",
        "Cache-Control": "no-cache",
    }


def _file(name: str) -> str:
    return (files("rewriter") / "serve" / "web" / name).read_text(encoding="utf-8")


def _settings(languages: Sequence[str]) -> Iterable[str]:
    """Yield the settings as labelled fields, those of a language marked with its code."""
    yield _select("lang", "Language", [AUTO, *languages], "auto: found by the words of the text")
    yield _select("to", "Direction", DIRECTIONS, "fair, or the way back")
    yield _select("scope", "Persons", SCOPES, "generic: sentences that name a person stay")
    presets = {code: presets_of(code) for code in languages}
    names = list(dict.fromkeys(name for found in presets.values() for name in found))
    if names:
        having = " ".join(code for code in languages if presets[code])
        yield _select("preset", "Preset", ["", *names], "settings for a purpose", having)
    for code in languages:
        yield from (_setting(setting, code) for setting in settings_of(code))


def _setting(setting: Setting, code: str) -> str:
    label = setting.name.replace("_", " ").capitalize()
    if setting.choices:
        return _select(setting.name, label, setting.choices, setting.help, code)
    if setting.default is False:
        told = f'title="{escape(setting.help)}" data-langs="{code}"'
        return f'<label class="box" {told}><input type="checkbox" name="{setting.name}"> {label}</label>'
    return ""


def _select(name: str, label: str, values: Iterable[str], told: str, langs: str = "") -> str:
    options = "".join(f'<option value="{escape(value)}">{escape(value or "none")}</option>' for value in values)
    marked = f' data-langs="{langs}"' if langs else ""
    return f'<label title="{escape(told)}"{marked}>{escape(label)} <select name="{name}">{options}</select></label>'
