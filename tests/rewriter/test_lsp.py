"""The language server, driven over standard input and output as an editor drives it: open, change, fix."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from itertools import count
from typing import Any

import pytest

pytest.importorskip("pygls", reason="needs the extra 'lsp'")
URI = "file:///letter.md"


class Editor:
    """Speaks JSON-RPC with a server process."""

    def __init__(self, *options: str) -> None:
        command = [sys.executable, "-m", "rewriter", "lsp", *options]
        pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.DEVNULL}
        self.process: subprocess.Popen[bytes] = subprocess.Popen(command, **pipes)  # type: ignore[call-overload]
        self.ids, self.diagnostics = count(1), {}
        self.ask("initialize", processId=None, rootUri=None, capabilities={})
        self.tell("initialized")

    def send(self, **message: Any) -> None:
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        assert self.process.stdin is not None
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)
        self.process.stdin.flush()

    def tell(self, method: str, **parameters: Any) -> None:
        self.send(method=method, params=parameters)

    def ask(self, method: str, **parameters: Any) -> Any:
        number = next(self.ids)
        self.send(id=number, method=method, params=parameters or None)
        while True:
            message = self.read()
            if message.get("id") == number:
                assert "error" not in message, message
                return message["result"]

    def read(self) -> dict[str, Any]:
        """Return the next message; what is wrong with a document is noted by its version."""
        assert self.process.stdout is not None
        headers = {}
        while line := self.process.stdout.readline().strip():
            name, _, value = line.partition(b":")
            headers[name.lower()] = value
        message: dict[str, Any] = json.loads(self.process.stdout.read(int(headers[b"content-length"])))
        if message.get("method") == "textDocument/publishDiagnostics":
            self.diagnostics[message["params"].get("version")] = message["params"]["diagnostics"]
        return message

    def wait_for(self, version: int | None) -> list[dict[str, Any]]:
        while version not in self.diagnostics:
            self.read()
        return self.diagnostics[version]

    def open(self, text: str, language: str = "markdown") -> list[dict[str, Any]]:
        document = {"uri": URI, "languageId": language, "version": 1, "text": text}
        self.tell("textDocument/didOpen", textDocument=document)
        return self.wait_for(1)

    def fixes(self, span: dict[str, Any]) -> list[dict[str, Any]]:
        found: list[dict[str, Any]] = self.ask(
            "textDocument/codeAction", textDocument={"uri": URI}, range=span, context={"diagnostics": []}
        )
        return found

    def close(self) -> None:
        self.ask("shutdown")
        self.tell("exit")
        assert self.process.wait(60) == 0


@pytest.fixture
def editor() -> Iterator[Editor]:
    editor = Editor()
    yield editor
    editor.close()


def applied(text: str, fix: dict[str, Any]) -> str:
    """Return a text with a fix applied, as an editor does that counts UTF-16 code units."""
    lines = [line.encode("utf-16-le") for line in text.splitlines(keepends=True)]
    edits = fix["edit"]["changes"][URI]
    for edit in sorted(edits, key=lambda edit: tuple(edit["range"]["start"].values()), reverse=True):
        start, end = edit["range"]["start"], edit["range"]["end"]
        assert start["line"] == end["line"]
        line = lines[start["line"]]
        new = edit["newText"].encode("utf-16-le")
        lines[start["line"]] = line[: 2 * start["character"]] + new + line[2 * end["character"] :]
    return b"".join(lines).decode("utf-16-le")


ENGLISH = "# Letter\n\n👩‍🏫 Yes, she knows her stuff. The `he` stays.\nThe chairman was late.\n"
GERMAN = "Ein Kunde kam.\r\nDie Stadt ist schön. Der Lehrer kennt das.\r\n"


def test_a_session_in_english(editor: Editor) -> None:
    found = editor.open(ENGLISH)
    assert [(d["code"], d["range"]["start"]["line"]) for d in found] == [
        ("pronoun", 2), ("verb", 2), ("pronoun", 2), ("noun", 3)
    ]  # fmt: skip
    fixes = editor.fixes(found[1]["range"])  # the verb
    assert [fix["title"] for fix in fixes] == ["she → they, knows → know", "All 3 gender-fair changes"]
    assert applied(ENGLISH, fixes[0]) == ENGLISH.replace("she knows", "they know")
    both = ENGLISH.replace("she knows her", "they know their").replace("chairman", "chairperson")
    assert applied(ENGLISH, fixes[1]) == both

    start, end = found[3]["range"]["start"], found[3]["range"]["end"]
    change = {"range": {"start": start, "end": end}, "text": "chairperson"}
    editor.tell("textDocument/didChange", textDocument={"uri": URI, "version": 2}, contentChanges=[change])
    assert [d["code"] for d in editor.wait_for(2)] == ["pronoun", "verb", "pronoun"]
    assert editor.fixes({"start": start, "end": start}) == []
    editor.tell("textDocument/didClose", textDocument={"uri": URI})
    assert editor.wait_for(None) == []


def test_a_session_in_german(editor: Editor) -> None:
    found = editor.open(GERMAN, "plaintext")
    assert [d["message"].split(" (")[0] for d in found] == [
        "Ein → Ein*e", "Kunde → Kund*in", "Der → Der*die", "Lehrer → Lehrer*in"
    ]  # fmt: skip
    fixes = editor.fixes(found[3]["range"])
    assert fixes[0]["title"] == "Der → Der*die, Lehrer → Lehrer*in"
    mended = applied(GERMAN, fixes[0])
    assert mended == GERMAN.replace("Der Lehrer", "Der*die Lehrer*in")

    editor.tell("textDocument/didChange", textDocument={"uri": URI, "version": 2}, contentChanges=[{"text": mended}])
    left = editor.wait_for(2)
    assert [d["message"].split(" (")[0] for d in left] == ["Ein → Ein*e", "Kunde → Kund*in"]
    (fix, _) = editor.fixes(left[0]["range"])
    assert applied(mended, fix) == mended.replace("Ein Kunde", "Ein*e Kund*in")


def test_source_code_and_other_languages_are_left_alone(editor: Editor) -> None:
    assert editor.open("she = he  # she knows\n", "python") == []
    editor.tell("textDocument/didClose", textDocument={"uri": URI})
    editor.diagnostics.clear()
    assert editor.open("Han er her nu, og hun vet det.\n") == []


def test_the_form_is_an_option() -> None:
    editor = Editor("--lang", "de", "--form", "colon")
    assert [d["message"].split(" (")[0] for d in editor.open("Die Lehrer singen.\n")] == ["Lehrer → Lehrer:innen"]
    editor.close()
