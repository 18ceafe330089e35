"""The page of the service in a real browser: what people do with it, by mouse and by keyboard.

Needs Chromium and ``pip install playwright axe-playwright-python``. With ``GENDER_FAIR_SCREENSHOTS=FOLDER`` pictures of
the page are written, to be looked at.
"""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

for library in ("fastapi", "uvicorn", "prometheus_client"):
    pytest.importorskip(library, reason="needs the extra 'serve'")
sync_api = pytest.importorskip("playwright.sync_api", reason="needs playwright: pip install playwright")
BROWSER = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
if BROWSER is None:
    pytest.skip("needs Chromium (Debian: apt-get install chromium)", allow_module_level=True)

from serve_tools import running  # noqa: E402

from rewriter.serve.settings import ServeOptions  # noqa: E402

ENGLISH = "She knows her stuff. The chairman was late."
GERMAN = "Ein Kunde kam, der nichts kaufte. Der Lehrer kennt seine Schüler. " * 12
NASTY = "She said <script>document.title = 'x'</script> & <b>left</b>\u0007 \u202etfel.\n\tHe\u00a0left 👩‍🏫."

Open = Callable[..., Any]


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    with running() as address:
        yield address


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    with sync_api.sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=BROWSER, args=["--no-sandbox"])
        yield browser
        browser.close()


@pytest.fixture
def opened(browser: Any, address: str) -> Iterator[Open]:
    """Opens the page; at the end nothing may have been asked of another host, and no error may have been raised."""
    contexts, asked, errors = [], [], []

    def open_page(**settings: Any) -> Any:
        context = browser.new_context(**{"viewport": {"width": 1200, "height": 800}, **settings})
        contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(60_000)
        page.on("request", lambda request: asked.append(request.url))
        page.on("pageerror", lambda error: errors.append(str(error)))
        page.on("console", lambda message: errors.append(message.text) if message.type == "error" else None)
        page.goto(address)
        return page

    yield open_page
    for context in contexts:
        context.close()
    assert [url for url in asked if not url.startswith((address, "blob:", "data:"))] == []
    assert errors == []


def rewrite(page: Any, text: str) -> Any:
    page.fill("#source", text)
    page.press("#source", "Control+Enter")
    told = page.locator("#status")
    sync_api.expect(told).to_have_text(re.compile("accepted|Nothing|no language"), timeout=60_000)
    return page


def taken(page: Any) -> str:
    """Return what the page would copy or download."""
    with page.expect_download() as download:
        page.click("#download")
    assert download.value.suggested_filename == "gender-fair.txt"
    return Path(download.value.path()).read_bytes().decode("utf-8")


def picture(page: Any, name: str) -> None:
    if folder := os.environ.get("GENDER_FAIR_SCREENSHOTS"):
        page.screenshot(path=str(Path(folder) / f"{name}.png"), full_page=True)


def test_changes_are_marked_and_taken_away(opened: Open) -> None:
    page = rewrite(opened(), ENGLISH)
    assert page.locator("#result del").all_text_contents() == ["She", "knows", "her", "chairman"]
    assert page.locator("#result ins").all_text_contents() == ["They", "know", "their", "chairperson"]
    assert page.inner_text("#status") == "4 changes, 4 accepted"
    assert taken(page) == "They know their stuff. The chairperson was late."
    picture(page, "light")


def test_a_click_refuses_a_change_with_what_needs_it_and_takes_it_back(opened: Open) -> None:
    page = rewrite(opened(), ENGLISH)
    page.locator(".edit").nth(1).click()
    assert (page.inner_text("#status"), taken(page)) == (
        "4 changes, 2 accepted",
        "She knows their stuff. The chairperson was late.",
    )
    page.locator(".edit").nth(0).click()
    assert taken(page) == "They know their stuff. The chairperson was late."
    page.click("#refuse-all")
    assert taken(page) == ENGLISH
    picture(page, "refused")
    page.click("#accept-all")
    assert page.inner_text("#status") == "4 changes, 4 accepted"


def test_everything_can_be_done_by_keyboard(opened: Open) -> None:
    page = opened()
    page.focus("#source")
    page.keyboard.insert_text(ENGLISH)
    page.keyboard.press("Control+Enter")
    page.wait_for_selector(".edit")
    page.keyboard.press("Tab")  # the button
    page.keyboard.press("Tab")  # into the result
    focused = "document.activeElement.dataset.index || document.activeElement.id"
    assert page.evaluate(focused) == "0"
    for key, index, text in [
        ("ArrowRight", "1", "They know their stuff. The chairperson was late."),
        ("r", "1", "She knows their stuff. The chairperson was late."),
        ("End", "3", "She knows their stuff. The chairperson was late."),
        ("Enter", "3", "She knows their stuff. The chairman was late."),
        ("Space", "3", "She knows their stuff. The chairperson was late."),
        ("ArrowLeft", "2", "She knows their stuff. The chairperson was late."),
        ("Home", "0", "She knows their stuff. The chairperson was late."),
        ("a", "0", "They know their stuff. The chairperson was late."),
    ]:
        page.keyboard.press(key)
        assert page.evaluate(focused) == index
        assert page.evaluate("text()") == text
    order = []
    for _ in range(4):
        page.keyboard.press("Tab")
        order.append(page.evaluate(focused))
    assert order == ["accept-all", "refuse-all", "copy", "download"]


def test_reasons_are_told_on_hover_on_focus_and_to_screen_readers(opened: Open) -> None:
    page = rewrite(opened(), ENGLISH)
    verb = page.locator(".edit").nth(1)
    reason = "verb: knows -> know: its subject became 'they', rule 'beside its pronoun'"
    assert verb.get_attribute("title") == reason
    verb.hover()
    assert page.inner_text("#reason") == reason
    page.locator(".edit").nth(3).focus()
    assert page.inner_text("#reason").startswith("noun: ")
    assert page.get_by_role("button", name=f"change knows to know, {reason}", pressed=True).count() == 1


def test_form_direction_and_language_are_switched(opened: Open) -> None:
    page = rewrite(opened(), "Der Lehrer kam.")
    assert taken(page) == "Der*die Lehrer*in kam."
    for field, value, expected in [
        ("form", "colon", "Der:die Lehrer:in kam."),
        ("to", "feminine", "Die Lehrerin kam."),
    ]:
        page.select_option(f"[name={field}]", value)
        attempts = iter(range(600))
        while page.evaluate("text()") != expected and next(attempts, None) is not None:
            page.wait_for_timeout(100)
        assert page.evaluate("text()") == expected
    page.select_option("[name=lang]", "en")
    assert page.locator("[name=form]").is_disabled() and page.locator("[name=nouns]").is_enabled()


def test_a_text_is_shown_as_text_whatever_it_holds(opened: Open) -> None:
    page = rewrite(opened(), NASTY)
    assert page.title() == "Gender-fair rewriting"
    assert page.locator("#result script, #result b").count() == 0
    shown = page.inner_text("#result")
    assert "<script>document.title = 'x'</script> & <b>left</b>[U+0007] [U+202E]tfel." in shown
    assert taken(page) == NASTY.replace("She", "They").replace("He", "They")


def test_copying_takes_what_is_accepted(opened: Open) -> None:
    page = rewrite(opened(permissions=["clipboard-read", "clipboard-write"]), ENGLISH)
    page.click("#copy")
    sync_api.expect(page.locator("#status")).to_have_text("Copied.")
    assert page.evaluate("navigator.clipboard.readText()") == "They know their stuff. The chairperson was late."


def test_what_cannot_be_done_is_said(opened: Open) -> None:
    page = opened()
    page.click("#go")
    assert page.inner_text("#status") == "There is no text yet."
    rewrite(page, "Han er her nu, og hun vet det.")
    assert "in no language that is served" in page.inner_text("#status")


def test_the_token_is_asked_for_where_one_is_needed(browser: Any) -> None:
    with running(ServeOptions(models=("en",), token="s3cret")) as address:
        page = browser.new_page()
        page.goto(address)
        assert page.is_hidden("#token")
        page.fill("#source", ENGLISH)
        page.click("#go")
        page.wait_for_selector("#token", state="visible")
        page.fill("#token", "s3cret")
        page.click("#token-go")
        page.wait_for_selector(".edit")
        assert page.is_hidden("#token")
        page.close()


LOOKS: dict[str, dict[str, Any]] = {
    "light": {"color_scheme": "light"},
    "dark": {"color_scheme": "dark"},
    "narrow": {"viewport": {"width": 360, "height": 740}},
}


@pytest.mark.parametrize("look", LOOKS)
def test_the_page_is_accessible(look: str, opened: Open) -> None:
    axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="needs axe-playwright-python").Axe()
    page = rewrite(opened(bypass_csp=True, **LOOKS[look]), GERMAN)
    page.locator(".edit").nth(2).click()
    picture(page, f"german-{look}")
    found = [v for v in axe.run(page).response["violations"] if v["impact"] in ("serious", "critical", "moderate")]
    assert [(v["id"], v["help"], [n["html"][:120] for n in v["nodes"][:3]]) for v in found] == []
    assert page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth")


def test_the_colours_can_be_chosen(opened: Open) -> None:
    page = rewrite(opened(color_scheme="light"), ENGLISH)
    backgrounds = []
    for _ in range(3):
        page.click("#theme")
        backgrounds.append(page.evaluate("getComputedStyle(document.body).backgroundColor"))
        backgrounds.append(page.evaluate("getComputedStyle(document.querySelector('#result ins')).backgroundColor"))
    light, dark, system = backgrounds[:2], backgrounds[2:4], backgrounds[4:]
    assert light == system and light[0] != dark[0] and light[1] != dark[1]


def test_the_page_names_no_other_host_and_lets_none_in(opened: Open) -> None:
    page = opened()
    html = page.request.get(page.url)
    assert re.findall(r"(?:https?:)?//[a-z]", html.text().replace("// ", "")) == []
    policy = html.headers["content-security-policy"]
    assert policy.startswith("default-src 'none'; script-src 'sha256-") and "unsafe" not in policy
