"""Build the documentation as a site: the pages as they are grouped in docs/README.md, and an API reference.

    python -m tools.site [--to site]

The pages are copied as they lie in the repository, with the files that they link, so that every link of theirs holds.
The reference shows the modules that the pages import in their examples. Warnings are errors, and nothing is fetched.
"""

from __future__ import annotations

import argparse
import re
import shutil
import tempfile
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
PACKAGES = ("rewriter", "eval", "augment", "train", "lexicons")
#: pages of the root that belong to the site
PROJECT = {
    "README.md": "Overview",
    "CHANGELOG.md": "Changelog",
    "CONTRIBUTING.md": "Contributing",
    "SECURITY.md": "Security",
}
_LINK = re.compile(r"\]\(([^)\s#]+)(?:#[^)\s]*)?\)")
_ENTRY = re.compile(r"\[([^\]]+)\]\(([^)\s#]+\.md)\)")
_IMPORT = re.compile(r"^\s*(?:from|import) ((?:" + "|".join(PACKAGES) + r")[\w.]*)", flags=re.MULTILINE)
_FENCE = re.compile(r"^```.*?^```", flags=re.MULTILINE | re.DOTALL)


def pages() -> list[Path]:
    """Return the pages of the site below the repository."""
    return [*map(Path, PROJECT), *sorted(path.relative_to(ROOT) for path in (ROOT / "docs").rglob("*.md"))]


def copy_pages(folder: Path) -> None:
    """Copy the pages, and what they link, to the same places below a folder; pages linked by pages, too."""
    waiting, done = pages(), set[Path]()
    while waiting:
        path = waiting.pop()
        if path in done or not (ROOT / path).is_file():
            continue
        done.add(path)
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(ROOT / path, folder / path)
        if path.suffix == ".md":
            text = _FENCE.sub("", (ROOT / path).read_text(encoding="utf-8"))
            linked = ((ROOT / path.parent / link).resolve() for link in _LINK.findall(text) if ":" not in link)
            waiting += [found.relative_to(ROOT) for found in linked if found.is_relative_to(ROOT)]


def modules() -> list[str]:
    """Return the modules that the pages import in their examples."""
    text = "".join((ROOT / page).read_text(encoding="utf-8") for page in pages())
    paths = {name: ROOT / name.replace(".", "/") for name in _IMPORT.findall(text)}
    return sorted(n for n, p in paths.items() if p.with_suffix(".py").is_file() or (p / "__init__.py").is_file())


def write_reference(folder: Path) -> list[dict[str, str]]:
    """Write a page of each package; return their entries of the navigation."""
    entries = []
    (folder / "api").mkdir()
    for package in PACKAGES:
        own = [name for name in modules() if name.partition(".")[0] == package]
        if own:
            text = f"# {package}\n\n" + "".join(f"::: {name}\n\n" for name in own)
            (folder / "api" / f"{package}.md").write_text(text, encoding="utf-8")
            entries.append({package: f"api/{package}.md"})
    return entries


def navigation(reference: list[dict[str, str]]) -> list[dict[str, Any]]:
    """Return the groups of docs/README.md with their pages, the reference, and what concerns the project."""
    index = (ROOT / "docs" / "README.md").read_text(encoding="utf-8")
    groups: list[dict[str, Any]] = [{"Overview": "README.md"}, {"All pages": "docs/README.md"}]
    for section in index.split("\n## ")[1:]:
        title, _, body = section.partition("\n")
        listed = [{name: f"docs/{page}"} for name, page in _ENTRY.findall(body) if not page.startswith("..")]
        groups.append({title: listed})
    project: list[dict[str, Any]] = [{name: page} for page, name in PROJECT.items() if page != "README.md"]
    return [*groups, {"API reference": reference}, {"Project": project}]


def settings(pages_folder: Path, site: Path, nav: list[dict[str, Any]]) -> dict[str, Any]:
    """Return the configuration of MkDocs."""
    palette = [
        {"media": f"(prefers-color-scheme: {name})", "scheme": scheme, "primary": "teal", "accent": "teal"}
        for name, scheme in (("light", "default"), ("dark", "slate"))
    ]
    theme = {"name": "material", "font": False, "palette": palette, "features": ["navigation.indexes", "toc.follow"]}
    checks = {"anchors": "warn", "not_found": "warn", "omitted_files": "ignore", "unrecognized_links": "ignore"}
    options = {"docstring_style": "google", "show_source": False, "members_order": "source", "heading_level": 2,
               "show_root_heading": True, "show_root_full_path": True, "filters": ["!^_"],
               "separate_signature": True, "show_if_no_docstring": False, "warn_unknown_params": False}  # fmt: skip
    return {
        "site_name": "gender-fair-rewriter",
        "docs_dir": str(pages_folder),
        "site_dir": str(site),
        "strict": True,
        "use_directory_urls": False,  # so that the pages can be read from the disk, too
        "nav": nav,
        "theme": theme,
        "plugins": ["search", {"mkdocstrings": {"handlers": {"python": {"paths": [str(ROOT)], "options": options}}}}],
        "markdown_extensions": ["tables", "pymdownx.superfences", "pymdownx.highlight",
                                {"toc": {"slugify": _slug, "permalink": True}}],
        "validation": checks,
    }  # fmt: skip


def _slug(heading: str, separator: str) -> str:
    """Return the anchor of a heading as GitHub makes it, which the links of the pages name."""
    return re.sub(r"[^\w\- ]", "", heading.strip().lower()).replace(" ", separator)


def build(site: Path) -> None:
    """Build the site.

    Args:
        site: folder of the site; what it held before is replaced.

    Raises:
        Abort: of MkDocs, where there was a warning.
    """
    from mkdocs.commands.build import build as build_site
    from mkdocs.config import load_config

    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary) / "pages"
        folder.mkdir()
        copy_pages(folder)
        nav = navigation(write_reference(folder))
        written = Path(temporary) / "mkdocs.yml"
        written.write_text("site_name: gender-fair-rewriter\n", encoding="utf-8")  # MkDocs reads a file in any case
        build_site(load_config(str(written), **settings(folder, site.resolve(), nav)))


def main() -> None:
    """Build."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--to", type=Path, default=ROOT / "site", help="folder of the site (default: %(default)s)")
    build(parser.parse_args().to)


if __name__ == "__main__":
    main()
