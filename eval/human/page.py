"""The questionnaire of a participant: one HTML file with its styles and its script, which loads nothing from elsewhere.

Nothing in it says which version a text has: items have names that mean nothing, and what a check asks for stands in its
sentence alone.
"""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from html import escape
from importlib.resources import files
from typing import Any

from eval.human.answers import FORMAT
from eval.human.study import CHECK, PREFERENCE, RATING, Item, Questionnaire, Study
from eval.human.wording import Question, Wording


def questionnaire_page(study: Study, questionnaire: Questionnaire) -> str:
    """Return the page of a participant."""
    wording = study.wording
    sections = list(_sections(study, questionnaire))
    style, script = _file("style.css"), _file("script.js")
    policy = (
        f"default-src 'none'; script-src {_digest(script)}; style-src {_digest(style)}; img-src data:; "
        "base-uri 'none'; form-action 'none'"
    )
    parts = {
        "lang": escape(wording.lang),
        "policy": escape(policy),
        "title": escape(wording.title),
        "pages": str(len(sections)),
        "sections": "\n".join(sections),
        "data": _data(study, questionnaire),
        "style": style,
        "script": script,
        **{key: escape(wording.ui[key]) for key in ("simulated", "no_script", "back", "next")},
    }
    return _filled(_file("page.html"), parts)


def _filled(template: str, parts: Mapping[str, str]) -> str:
    """Fill ``[[name]]`` in one pass, so that a text which holds such brackets stays as it is."""
    pieces = template.split("[[")
    filled = [pieces[0]]
    for piece in pieces[1:]:
        name, _, after = piece.partition("]]")
        filled += [parts[name], after]
    return "".join(filled)


def _put(text: str, **values: object) -> str:
    """Put values in the place of ``{name}``; other braces stay."""
    for name, value in values.items():
        text = text.replace(f"{{{name}}}", str(value))
    return text


def _file(name: str) -> str:
    return (files("eval") / "human" / "web" / name).read_text(encoding="utf-8")


def _digest(content: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(content.encode()).digest()).decode()}'"


def _data(study: Study, questionnaire: Questionnaire) -> str:
    """Return what the script needs, as JSON that cannot end its element."""
    statements = list(study.wording.statements)
    record: dict[str, Any] = {
        "format": FORMAT,
        "study": study.id,
        "participant": questionnaire.participant,
        "title": study.wording.title,
        "ui": study.wording.ui,
        "items": [
            {"id": item.id, "kind": PREFERENCE if item.kind == PREFERENCE else RATING, "statements": statements}
            for item in questionnaire.items
        ],
        "questions": {
            when: [{"id": question.id, "scale": not question.options} for question in questions]
            for when, questions in (("before", study.wording.before), ("after", study.wording.after))
        },
    }
    return json.dumps(record, ensure_ascii=False).replace("<", "\\u003c")


def _sections(study: Study, questionnaire: Questionnaire) -> Iterator[str]:
    """Yield the pages one after the other."""
    wording = study.wording
    yield _section("intro", wording.title, _introduction(study))
    if wording.before:
        yield _section("before", wording.ui["about_you"], _questions("before", wording.before, wording))
    texts = [item for item in questionnaire.items if item.kind != PREFERENCE]
    for number, item in enumerate(texts, 1):
        heading = _put(wording.ui["text"], number=number, count=len(texts))
        yield _section(item.id, heading, _rating(study, item), item=item)
    comparisons = [item for item in questionnaire.items if item.kind == PREFERENCE]
    for number, item in enumerate(comparisons, 1):
        heading = _put(wording.ui["comparison"], number=number, count=len(comparisons))
        yield _section(item.id, heading, _comparison(study, item), item=item)
    if wording.after:
        yield _section("after", wording.ui["opinions"], _questions("after", wording.after, wording))
    yield _section("finish", wording.ui["finish"], _finish(wording))


def _section(name: str, heading: str, content: str, *, item: Item | None = None) -> str:
    marked = f' data-item="{item.id}"' if item else ""
    return (
        f'<section class="page" aria-labelledby="{name}-title"{marked}>\n'
        f'<h2 id="{name}-title" tabindex="-1">{escape(heading)}</h2>\n{content}\n</section>'
    )


def _introduction(study: Study) -> str:
    wording = study.wording
    first, *others = wording.introduction
    compared = [wording.preference_introduction] if study.design.preferences else []
    paragraphs = "\n".join(f"<p>{escape(paragraph)}</p>" for paragraph in (first, *compared, *others))
    return (
        f'{paragraphs}\n<div id="consent" data-required>'
        f'<label class="box"><input type="checkbox" name="consent" required> '
        f"{escape(wording.consent)}</label>\n{_problem('consent', wording.ui['consent_missing'])}</div>"
    )


def _rating(study: Study, item: Item) -> str:
    wording = study.wording
    if item.kind == CHECK:
        text, lang = _put(wording.check, choice=wording.scale[item.expected - 1]), wording.lang
    else:
        text, lang = study.shown(item.text, item.version), study.lang
    scales = (
        _scale(f"{item.id}.{name}", statement, _numbered(wording.scale), wording)
        for name, statement in wording.statements.items()
    )
    return "\n".join([f'<div class="text" lang="{escape(lang)}">{escape(text)}</div>', *scales])


def _comparison(study: Study, item: Item) -> str:
    wording = study.wording
    shown = "\n".join(
        f"<div><h3>{escape(_put(wording.ui['version'], letter=letter))}</h3>"
        f'<div class="text" lang="{escape(study.lang)}">{escape(study.shown(item.text, version))}</div></div>'
        for letter, version in (("A", item.version), ("B", item.other))
    )
    scale = _scale(f"{item.id}.preference", wording.preference, _numbered(wording.preference_scale), wording)
    return f'<div class="versions">\n{shown}\n</div>\n{scale}'


def _questions(when: str, questions: Sequence[Question], wording: Wording) -> str:
    found = [f'<p class="hint">{escape(wording.ui["optional"])}</p>']
    for question in questions:
        options = dict(question.options) or _numbered(wording.scale)
        found.append(
            _scale(
                f"{when}.{question.id}",
                question.text,
                options,
                wording,
                required=False,
                in_list=bool(question.options),
            )
        )
    return "\n".join(found)


def _finish(wording: Wording) -> str:
    ui = wording.ui
    return (
        f'<p><label for="comment">{escape(wording.comment)}</label></p>\n'
        '<textarea id="comment" name="comment" rows="4"></textarea>\n'
        f'<label class="box"><input type="checkbox" name="withdrawn"> {escape(wording.withdraw)}</label>\n'
        f'<p><button type="button" id="download">{escape(ui["download"])}</button></p>\n'
        f"<p>{escape(wording.hand_in)}</p>\n"
        f'<p><button type="button" id="forget">{escape(ui["forget"])}</button></p>'
    )


def _numbered(labels: Sequence[str]) -> dict[str, str]:
    return {str(value): label for value, label in enumerate(labels, 1)}


def _scale(
    name: str,
    legend: str,
    options: Mapping[str, str],
    wording: Wording,
    *,
    required: bool = True,
    in_list: bool = False,
) -> str:
    """Return a question with its options as radio buttons; the group is one stop of the tabulator key."""
    need = ' data-required aria-required="true"' if required else ""
    buttons = "\n".join(
        f'<label><input type="radio" name="{name}" value="{escape(value)}"> <span>{escape(label)}</span></label>'
        for value, label in options.items()
    )
    look = "options list" if in_list else "options"
    problem = _problem(name, wording.ui["missing"]) if required else ""
    return (
        f'<fieldset role="radiogroup" id="{name}"{need} aria-labelledby="{name}-legend">\n'
        f'<legend id="{name}-legend">{escape(legend)}</legend>\n'
        f'<div class="{look}">\n{buttons}\n</div>\n{problem}</fieldset>'
    )


def _problem(name: str, text: str) -> str:
    return f'<p class="problem" id="{name}-problem" hidden>{escape(text)}</p>\n'
