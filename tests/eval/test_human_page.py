"""The questionnaire in a real browser: answered by keyboard and mouse, offline, and its answers read back.

Needs Chromium and ``pip install playwright axe-playwright-python``. With ``GENDER_FAIR_SCREENSHOTS=FOLDER`` pictures of
the page are written, to be looked at. All answers here are simulated; the page is told so, and its file says so.
"""

from __future__ import annotations

import json
import os
import re
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from eval.human.answers import answers_from, collect
from eval.human.make import StudyOptions, make
from eval.human.study import CHECK, PREFERENCE, RATING, Study
from eval.human.texts import TextSource

sync_api = pytest.importorskip("playwright.sync_api", reason="needs playwright: pip install playwright")
BROWSER = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
if BROWSER is None:
    pytest.skip("needs Chromium (Debian: apt-get install chromium)", allow_module_level=True)

pytestmark = pytest.mark.slow
DATA = Path(__file__).resolve().parents[1] / "data" / "human" / "texts.jsonl"
Open = Callable[..., Any]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("study")


@pytest.fixture(scope="module")
def study(folder: Path) -> Study:
    source = TextSource(DATA, reference="gold")
    writers = {"capitals": lambda texts: [text.upper() for text in texts]}
    return make(StudyOptions(source, writers, participants=3), folder).study


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    with sync_api.sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=BROWSER, args=["--no-sandbox"])
        yield browser
        browser.close()


@pytest.fixture
def opened(browser: Any, folder: Path, study: Study) -> Iterator[Open]:
    """Opens a page from its file, without a network; it may ask for nothing but itself and raise no error."""
    contexts, asked, errors = [], [], []

    def open_page(participant: str = "p001", path: Path | None = None, **settings: Any) -> Any:
        context = browser.new_context(**{"viewport": {"width": 1000, "height": 900}, "offline": True, **settings})
        contexts.append(context)
        page = context.new_page()
        page.on("request", lambda request: asked.append(request.url))
        page.on("pageerror", lambda error: errors.append(str(error)))
        page.on("console", lambda message: errors.append(message.text) if message.type == "error" else None)
        page.goto((path or folder / "questionnaires" / f"questionnaire-{participant}.html").as_uri() + "#simulated")
        return page

    yield open_page
    for context in contexts:
        context.close()
    assert [url for url in asked if not url.startswith(("file:", "blob:", "data:"))] == []
    assert errors == []


def heading(page: Any) -> str:
    return str(page.evaluate("document.querySelector('section.page:not([hidden]) h2').textContent"))


def picture(page: Any, name: str) -> None:
    if folder := os.environ.get("GENDER_FAIR_SCREENSHOTS"):
        page.screenshot(path=str(Path(folder) / f"human-{name}.png"), full_page=True)


def begin(page: Any) -> None:
    page.check("[name=consent]")
    page.click("#next")
    page.click("#next")


def answer_by_mouse(page: Any, study: Study, number: int = 0) -> None:
    """Answer all pages: ratings 4 and 2, checks as they ask, the left side slightly preferred."""
    begin(page)
    for item in study.questionnaires[number].items:
        if item.kind == PREFERENCE:
            page.check(f"[name='{item.id}.preference'][value='2']")
        else:
            for name, value in (("fair", 4), ("understandable", 2)):
                page.check(f"[name='{item.id}.{name}'][value='{item.expected or value}']")
        page.click("#next")
    page.click("#next")


def saved(page: Any) -> dict[str, Any]:
    with page.expect_download() as download:
        page.click("#download")
    name = download.value.suggested_filename
    assert re.fullmatch(r"answers-[0-9a-f]{12}-p\d{3}\.json", name)
    assert page.inner_text("#status") == f"The file {name} was saved."
    return dict(json.loads(Path(download.value.path()).read_text(encoding="utf-8")))


def test_a_questionnaire_is_answered_saved_and_collected(opened: Open, study: Study, tmp_path: Path) -> None:
    page = opened()
    answer_by_mouse(page, study)
    page.fill("#comment", "Ünïcode & <b>more</b>")
    record = saved(page)
    (tmp_path / "saved.json").write_text(json.dumps(record), encoding="utf-8")
    collected = collect(study, [tmp_path])
    assert collected.problems == ()
    (answers,) = collected.answers
    questionnaire = study.questionnaires[0]
    assert (answers.participant, answers.simulated, answers.withdrawn) == ("p001", True, False)
    assert answers.comment == "Ünïcode & <b>more</b>"
    assert list(answers.items) == [item.id for item in questionnaire.items]
    for item in questionnaire.items:
        given = answers.items[item.id]
        if item.kind == RATING:
            assert given.ratings == {"fair": 4, "understandable": 2}
        elif item.kind == PREFERENCE:
            assert given.preference == 2
    assert answers.failed_checks(questionnaire) == 0
    assert all(answer.seconds >= 0 for answer in answers.items.values())


def test_everything_can_be_done_by_keyboard(opened: Open, study: Study) -> None:
    """Tabulator and space alone go through the whole questionnaire; arrows choose inside a scale."""
    page = opened()
    press = page.keyboard.press
    for key in ("Tab", "Space", "Tab", "Enter"):  # the box, the button
        press(key)
    assert heading(page) == "About you"
    for key in ("Tab", "ArrowDown", "Tab", "Space", "Tab", "Tab", "Enter"):  # two questions; back, next
        press(key)
    for item in study.questionnaires[0].items:
        assert page.evaluate("document.activeElement.tagName") == "H2"
        for _ in range(1 if item.kind == PREFERENCE else 2):
            press("Tab")
            press("Space")  # the first of the scale
            for _ in range((item.expected or 3) - 1):
                press("ArrowRight")
        for key in ("Tab", "Tab", "Enter"):
            press(key)
    assert heading(page) == "Your opinion in general"
    for key in ("Tab", "Space", "Tab", "Space", "Tab", "Tab", "Enter"):
        press(key)
    assert heading(page) == "Save your answers"
    answers = answers_from(study, saved(page), where="page")
    assert answers.before == {"gender": "male", "english": "first"}
    assert answers.after == {"error_free": 1, "matters": 1}
    for item in study.questionnaires[0].items:
        given = answers.items[item.id]
        assert set(given.ratings.values()) == (set() if item.kind == PREFERENCE else {item.expected or 3})
        assert given.preference == (3 if item.kind == PREFERENCE else 0)


def test_what_is_missing_is_said_beside_the_question_and_focused(opened: Open, study: Study) -> None:
    page = opened()
    page.click("#next")
    assert page.inner_text("#status") == "Please tick the box to go on."
    assert page.evaluate("document.activeElement.name") == "consent"
    begin(page)
    page.click("#next")
    assert page.inner_text("#status") == "Questions without an answer on this page: 2"
    first = study.questionnaires[0].items[0]
    assert page.evaluate("document.activeElement.name") == f"{first.id}.fair"
    group = page.get_by_role("radiogroup", name="This text is gender-fair.")
    assert group.get_attribute("aria-invalid") == "true"
    problem = page.locator(f"[id='{group.get_attribute('aria-describedby')}']")
    assert problem.inner_text() == "Please choose an answer."
    picture(page, "missing")
    page.check(f"[name='{first.id}.fair'][value='5']")
    assert group.get_attribute("aria-invalid") is None and problem.is_hidden()
    assert heading(page) == "Text 1 of 8"


def test_answers_and_place_are_kept_when_the_page_is_closed(opened: Open, study: Study) -> None:
    page = opened()
    begin(page)
    first = study.questionnaires[0].items[0]
    for name in ("fair", "understandable"):
        page.check(f"[name='{first.id}.{name}'][value='5']")
    page.click("#next")
    page.reload()
    assert heading(page) == "Text 2 of 8"
    page.click("#back")
    assert page.is_checked(f"[name='{first.id}.fair'][value='5']")


def test_two_questionnaires_in_one_browser_do_not_mix(opened: Open, study: Study, folder: Path) -> None:
    page = opened()
    begin(page)
    page.goto((folder / "questionnaires" / "questionnaire-p002.html").as_uri())
    assert heading(page) == study.wording.title
    assert page.is_hidden("#simulated")


def test_answers_are_deleted_on_demand(opened: Open, study: Study) -> None:
    page = opened()
    answer_by_mouse(page, study)
    page.on("dialog", lambda dialog: dialog.accept())
    page.click("#forget")
    assert page.inner_text("#status") == study.wording.ui["forgotten"]
    page.reload()
    assert heading(page) == study.wording.title
    assert page.locator("input:checked").count() == 0


def test_the_page_says_when_a_script_answers(opened: Open) -> None:
    page = opened()
    assert page.inner_text("#simulated").startswith("Simulated")


def test_texts_are_shown_as_text_whatever_they_hold(browser: Any, opened: Open, tmp_path: Path) -> None:
    nasty = "She said </script><script>document.title = 'x'</script> & <b>[[data]]</b> {choice}\nHe left."
    rows = [{"text": f"{n} {nasty}", "own": f"{n} they"} for n in range(2)]
    table = tmp_path / "t.jsonl"
    table.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    options = StudyOptions(TextSource(table, columns={"own": "own"}), participants=2, texts=2, preferences=2, checks=0)
    made = make(options, tmp_path / "study")
    page = opened(path=made.pages[0])
    shown = [text.strip() for text in page.locator("section[data-item] .text").all_text_contents()]
    assert sorted(shown)[:1] == [f"0 {nasty}"] and page.locator("section b").count() == 0
    assert page.title() == f"{made.study.wording.title} – {made.study.wording.title}"


LOOKS: dict[str, dict[str, Any]] = {
    "light": {"color_scheme": "light"},
    "dark": {"color_scheme": "dark"},
    "narrow": {"viewport": {"width": 340, "height": 740}},
}


@pytest.mark.parametrize("look", LOOKS)
def test_every_page_is_accessible(look: str, opened: Open, study: Study) -> None:
    axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="needs axe-playwright-python").Axe()
    page = opened(bypass_csp=True, **LOOKS[look])
    seen = 0

    def check(name: str) -> None:
        nonlocal seen
        seen += 1
        picture(page, f"{name}-{look}")
        found = [v for v in axe.run(page).response["violations"] if v["impact"] in ("serious", "critical", "moderate")]
        assert [(v["id"], v["help"], [n["html"][:160] for n in v["nodes"][:3]]) for v in found] == []
        assert page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth")

    check("introduction")
    page.check("[name=consent]")
    page.click("#next")
    check("about-you")
    page.click("#next")
    kinds = []
    for item in study.questionnaires[0].items:
        if item.kind not in kinds:
            kinds.append(item.kind)
            check(item.kind)
        for group in page.locator("section:not([hidden]) fieldset").all():
            group.locator("input").nth(1).check()
        page.click("#next")
    check("opinions")
    page.click("#next")
    check("finish")
    assert sorted(kinds) == sorted([RATING, CHECK, PREFERENCE]) and seen == 7
