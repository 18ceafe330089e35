"""The documentation as a site: the pages go where they are listed, nothing is fetched, no warning (MkDocs, strict)."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tools.site import modules, navigation, pages


def test_every_page_stands_in_the_navigation_once() -> None:
    nav = [
        entry
        for group in navigation([])
        for value in group.values()
        for entry in ([{"": value}] if isinstance(value, str) else value)
    ]
    listed = [page for entry in nav for page in entry.values()]
    assert sorted(listed) == sorted(str(page) for page in pages())


def test_the_reference_holds_what_people_import() -> None:
    assert {"rewriter", "rewriter.policy", "eval.genbit", "augment.swap"} <= set(modules())


@pytest.mark.slow
def test_the_site_is_built_without_a_warning_and_loads_nothing_from_elsewhere(tmp_path: Path) -> None:
    for module in ("mkdocs", "material", "mkdocstrings"):
        pytest.importorskip(module, reason="needs the extra 'docs'")
    from tools.site import build

    build(tmp_path / "site")
    reference = (tmp_path / "site" / "api" / "rewriter.html").read_text(encoding="utf-8")
    assert 'id="rewriter.Rewriter.from_pretrained"' in reference
    for page in (tmp_path / "site").rglob("*.html"):
        text = page.read_text(encoding="utf-8")
        assert not re.findall(r'<(?:script|img|iframe)[^>]* src="(?:https?:)?//', text), page
        assert not re.findall(r'<link[^>]* rel="(?:stylesheet|preconnect)"[^>]* href="(?:https?:)?//', text), page
