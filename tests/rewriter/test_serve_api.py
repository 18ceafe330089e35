"""The service over HTTP: answers, refusals, limits, what it keeps to itself."""

from __future__ import annotations

import asyncio
import json
import logging
import os
import re
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from rewriter import Edit, Rewriter, apply_edits
from rewriter.errors import UsageError
from rewriter.serve.settings import TOKEN, Limits, ServeOptions, read_token

for library in ("fastapi", "uvicorn", "prometheus_client", "httpx"):
    pytest.importorskip(library, reason="needs the extra 'serve'")

import httpx  # noqa: E402
from serve_tools import running  # noqa: E402

import rewriter.serve.app as serve_app  # noqa: E402
from rewriter.serve.app import build_app  # noqa: E402
from rewriter.serve.layers import FAILED  # noqa: E402

ENGLISH, GERMAN = "She knows her stuff.", "Ein Kunde kam, der nichts kaufte."


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    with running() as address:
        yield address


@pytest.fixture(scope="module")
def client(address: str) -> Iterator[httpx.Client]:
    with httpx.Client(base_url=address, timeout=60, trust_env=False) as client:
        yield client


def post(client: httpx.Client, path: str = "/rewrite", **body: Any) -> Any:
    answer = client.post(path, json=body)
    assert answer.status_code == 200, answer.text
    return answer.json()


def in_process(options: ServeOptions, **more: Any) -> httpx.AsyncClient:
    """Return a client of an application without a server; nothing is loaded before the first request."""
    transport = httpx.ASGITransport(build_app(options))
    return httpx.AsyncClient(transport=transport, base_url="http://service", timeout=120, **more)


def test_an_answer_holds_text_edits_and_reasons(client: httpx.Client) -> None:
    answer = post(client, text=ENGLISH)
    assert (answer["text"], answer["lang"], answer["model"]) == ("They know their stuff.", "en", "en")
    assert answer["error"] is None
    edits = [Edit(**{key: value for key, value in edit.items() if key != "follows"}) for edit in answer["edits"]]
    assert apply_edits(ENGLISH, edits) == answer["text"]
    assert [edit["follows"] for edit in answer["edits"]] == [None, 0, None]
    assert answer["edits"][1]["reason"] == "knows -> know: its subject became 'they'"


def test_each_text_of_a_list_is_read_in_its_own_language(client: httpx.Client) -> None:
    texts = [ENGLISH, GERMAN, "", "Han er her nu, og hun vet det.", "\r\nHe left.\t\x00"]
    results = post(client, texts=texts)["results"]
    assert [result["lang"] for result in results] == ["en", "de", None, None, "en"]
    assert [result["text"] for result in results] == [
        "They know their stuff.",
        "Ein*e Kund*in kam, der*die nichts kaufte.",
        *texts[2:4],
        "\r\nThey left.\t\x00",
    ]


@pytest.mark.parametrize(
    ("settings", "text", "expected"),
    [
        ({"form": "colon"}, GERMAN, "Ein:e Kund:in kam, der:die nichts kaufte."),
        ({"form": "colon"}, ENGLISH, "They know their stuff."),  # which has no form
        ({"lang": "de", "form": "gap"}, "Kunde gesucht", "Kund_in gesucht"),
        ({"to": "feminine"}, "He knows his stuff.", "She knows her stuff."),
        ({"to": "masculine"}, "Eine Lehrerin kam.", "Ein Lehrer kam."),
        ({"scope": "generic"}, "Mary left. She was late.", "Mary left. She was late."),
        ({"deny": ["chairman"]}, "He is the chairman.", "They are the chairman."),
        ({"allow_kinds": ["noun"]}, "He is the chairman.", "He is the chairperson."),
        ({"preset": "publishing"}, "He hurt himself.", "They hurt themselves."),
        ({"preset": "publishing"}, GERMAN, "Ein*e Kund*in kam, der*die nichts kaufte."),  # which has no presets
        ({"preset": "publishing", "scope": "all"}, "Mary left. She was late.", "Mary left. They were late."),
        ({"model": "en", "reflexive": "themselves"}, "He hurt himself.", "They hurt themselves."),
    ],
)
def test_settings(settings: dict[str, Any], text: str, expected: str, client: httpx.Client) -> None:
    assert post(client, text=text, **settings)["text"] == expected


def test_check_tells_lines_and_columns(client: httpx.Client) -> None:
    found = post(client, "/check", text="Nothing here.\nYes, she left.")
    assert [(f["line"], f["column"], f["end_column"], f["after"]) for f in found["findings"]] == [(2, 6, 9, "they")]
    assert [len(result["findings"]) for result in post(client, "/check", texts=[ENGLISH, "No."])["results"]] == [3, 0]


JSON = {"Content-Type": "application/json"}
REFUSED = {
    "no JSON": ("{", JSON, 422, "no valid JSON"),
    "no object": ("[]", JSON, 422, "must be a JSON object with 'text' or 'texts'"),
    "no type": ('{"text": "a"}', {"Content-Type": "text/plain"}, 422, "Content-Type: application/json"),
    "nothing": ("{}", JSON, 400, "either 'text', one string, or 'texts'"),
    "both": ('{"text": "a", "texts": []}', JSON, 400, "either 'text', one string, or 'texts'"),
    "a number": ('{"texts": ["a", 3]}', JSON, 422, "texts.1: input should be a valid string"),
    "half a surrogate": ('{"text": "\\ud800"}', JSON, 422, "half a surrogate pair is no character"),
    "half a surrogate in a setting": ('{"text": "a", "lang": "\\ud800"}', JSON, 400, "lang must be one of"),
    "unknown key": ('{"text": "a", "langs": "en"}', JSON, 422, "langs: extra inputs are not permitted"),
    "unknown language": ('{"text": "a", "lang": "fr"}', JSON, 400, "lang must be one of auto, de, en, not 'fr'"),
    "unknown direction": ('{"text": "she", "lang": "en", "to": "left"}', JSON, 400, "to must be one of fair"),
    "no such setting": ('{"text": "a", "lang": "en", "form": "gap"}', JSON, 400, "'form' is no setting of"),
    "unknown kind": ('{"text": "she", "lang": "en", "deny_kinds": ["x"]}', JSON, 400, "unknown kind"),
    "a path": ('{"text": "a", "model": "../../secret"}', JSON, 400, "model must be one of"),
    "not a number": ('{"text": "she", "lang": "en", "min_confidence": NaN}', JSON, 400, "number from 0 to 1"),
    "too deep": ("[" * 200_000, JSON, 400, "parsing the body"),
    "too large": (json.dumps({"text": "a" * 1_000_000}), JSON, 413, "larger than 1,000,000 bytes"),
    "too many": (json.dumps({"texts": ["a"] * 1001}), JSON, 413, "1001 texts are too many; send at most 1000"),
}


@pytest.mark.parametrize("case", REFUSED)
def test_what_is_wrong_is_refused_with_a_sentence(case: str, client: httpx.Client) -> None:
    content, headers, status, sentence = REFUSED[case]
    answer = client.post("/rewrite", content=content, headers=headers)
    assert (answer.status_code, list(answer.json())) == (status, ["error"])
    assert sentence in answer.json()["error"]


def test_unknown_paths_and_methods_are_told(client: httpx.Client) -> None:
    assert "there is no such path" in client.get("/docs").json()["error"]
    assert "does not take that method" in client.get("/rewrite").json()["error"]


def test_what_the_service_says_about_itself(client: httpx.Client) -> None:
    health, models, described = (client.get(path).json() for path in ("/health", "/models", "/openapi.json"))
    assert (health["status"], sorted(health["models"])) == ("ok", ["de", "de-large", "en"])
    assert {model["name"]: model["presets"] for model in models} == {
        "de": [],
        "de-large": [],
        "en": ["publishing", "corpus"],
    }
    assert not {"path", "folder"} & set(models[0])
    assert set(described["paths"]) == {"/rewrite", "/rewrite/stream", "/check", "/models", "/health", "/metrics"}
    assert "follows" in described["components"]["schemas"]["EditModel"]["properties"]


def test_metrics_count_and_hold_no_text(address: str) -> None:
    with httpx.Client(base_url=address, timeout=60, trust_env=False) as client:
        before = client.get("/metrics").text
        post(client, texts=["He is Rumpelstilzchen.", GERMAN])
        client.post("/rewrite", content="{")
        client.get("/secret-word")
        after = client.get("/metrics").text
    assert value(after, 'gender_fair_texts_total{lang="en"}') == value(before, 'gender_fair_texts_total{lang="en"}') + 1
    assert value(after, 'gender_fair_edits_total{kind="verb",lang="en"}') >= 1
    assert value(after, 'gender_fair_requests_total{path="/rewrite",status="422"}') >= 1
    assert "Rumpelstilzchen" not in after and "secret-word" not in after


def value(metrics: str, name: str) -> float:
    found = re.search(rf"^{re.escape(name)} (\S+)$", metrics, flags=re.MULTILINE)
    return float(found[1]) if found else 0.0


def test_a_token_is_needed_where_there_is_one() -> None:
    async def ask() -> list[int]:
        async with in_process(ServeOptions(models=("en",), token="s3cret")) as client:
            shown = [{}, {"Authorization": "Bearer wrong"}, {"Authorization": "Bearer s3cret"}]
            answers = [await client.post("/rewrite", json={"text": ENGLISH}, headers=headers) for headers in shown]
            answers += [await client.get(path) for path in ("/", "/health", "/metrics", "/models")]
        assert answers[0].headers["www-authenticate"] == "Bearer"
        assert "Authorization: Bearer" in answers[0].json()["error"]
        return [answer.status_code for answer in answers]

    assert asyncio.run(ask()) == [401, 401, 200, 200, 200, 401, 401]


@pytest.mark.parametrize(("origins", "allowed"), [((), None), (("https://a.example",), "https://a.example")])
def test_pages_elsewhere_may_call_only_where_that_is_asked_for(origins: tuple[str, ...], allowed: str | None) -> None:
    async def ask() -> httpx.Response:
        async with in_process(ServeOptions(models=("en",), origins=origins, token="x")) as client:
            headers = {"Origin": "https://a.example", "Access-Control-Request-Method": "POST"}
            return await client.options("/rewrite", headers=headers)

    assert asyncio.run(ask()).headers.get("access-control-allow-origin") == allowed


class Gate:
    """Lets the work of a service begin, and waits in it until it is opened."""

    def __init__(self) -> None:
        self.begun, self.open = threading.Event(), threading.Event()

    def work(self, *arguments: Any) -> list[Any]:
        self.begun.set()
        assert self.open.wait(60)
        return REAL(*arguments)


REAL = serve_app.rewrite_texts


def test_what_comes_on_top_of_those_who_wait_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    gate = Gate()
    monkeypatch.setattr(serve_app, "rewrite_texts", gate.work)

    async def ask() -> list[int]:
        limits = Limits(workers=1, waiting=1)
        async with in_process(ServeOptions(models=("en",), limits=limits)) as client:
            first = [asyncio.create_task(client.post("/rewrite", json={"text": ENGLISH})) for _ in range(2)]
            await asyncio.to_thread(gate.begun.wait, 60)
            while (await client.get("/metrics")).text.count("gender_fair_unfinished 2.0") == 0:
                await asyncio.sleep(0.01)
            refused = await client.post("/rewrite", json={"text": ENGLISH})
            assert (refused.headers["retry-after"], (await client.get("/health")).status_code) == ("1", 200)
            gate.open.set()
            return [refused.status_code, *[(await task).status_code for task in first]]

    assert asyncio.run(ask()) == [503, 200, 200]


def test_an_answer_that_takes_too_long_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    gate = Gate()
    monkeypatch.setattr(serve_app, "rewrite_texts", gate.work)

    async def ask() -> httpx.Response:
        async with in_process(ServeOptions(models=("en",), limits=Limits(seconds=0.05))) as client:
            answer = await client.post("/rewrite", json={"text": ENGLISH})
            gate.open.set()
            return answer

    answer = asyncio.run(ask())
    assert answer.status_code == 504
    assert "takes longer than 0.05 s; send shorter texts, or fewer" in answer.json()["error"]


def test_no_text_is_logged_not_even_where_the_toolkit_fails(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def fail(texts: list[str], *_: Any) -> None:
        raise ValueError(texts[0])

    async def ask() -> httpx.Response:
        async with in_process(ServeOptions(models=("en",))) as client:
            await client.post("/rewrite/stream?deny=Rumpelstilzchen", content='"Rumpelstilzchen left."')
            await client.post("/Rumpelstilzchen", json={"text": "Rumpelstilzchen left."})
            monkeypatch.setattr(serve_app, "rewrite_texts", fail)
            return await client.post("/rewrite", json={"text": "Rumpelstilzchen left."})

    with caplog.at_level(logging.INFO):
        answer = asyncio.run(ask())
    assert (answer.status_code, answer.json()) == (500, {"error": FAILED})
    ours = [record.getMessage() for record in caplog.records if record.name == "gender_fair.serve"]
    assert any("ValueError in " in line for line in ours) and any("POST /rewrite 500" in line for line in ours)
    assert "Rumpelstilzchen" not in "\n".join(ours)


SUBJECTS = ("She", "He", "The chairman", "Nobody", "Der Lehrer", "Die Ärztin")


def numbered(number: int) -> list[str]:
    """Return texts that no other request has, of very different lengths."""
    subject = SUBJECTS[number % len(SUBJECTS)]
    verb = "kennt Fall" if number % len(SUBJECTS) > 3 else "knows case"
    return [f"{subject} {verb} {number}.{part}. " * (1 + 40 * (number % 97 == 0)) for part in range(1 + number % 5)]


def test_a_thousand_requests_of_32_clients_get_their_own_answers() -> None:
    """Each answer is that of the same texts alone; none is lost, none belongs to another request."""

    async def one(client: httpx.AsyncClient, numbers: Iterator[int], found: dict[int, list[str]]) -> None:
        for number in numbers:  # shared by all clients
            answer = await client.post("/rewrite", json={"texts": numbered(number)})
            found[number] = [result["text"] for result in answer.json()["results"]]

    async def all_of_them() -> dict[int, list[str]]:
        found: dict[int, list[str]] = {}
        async with in_process(ServeOptions()) as client:
            numbers = iter(range(1000))
            await asyncio.gather(*(one(client, numbers, found) for _ in range(32)))
        return found

    found = asyncio.run(all_of_them())
    english, german = Rewriter.from_pretrained("en"), Rewriter.from_pretrained("de")
    assert sorted(found) == [*range(1000)]
    for number, texts in found.items():
        rewriter = german if number % len(SUBJECTS) > 3 else english
        assert texts == rewriter.rewrite(numbered(number)), number


def lines_of(answer: httpx.Response) -> list[dict[str, Any]]:
    return [json.loads(line) for line in answer.text.splitlines()]


def test_a_stream_answers_every_line_in_order(client: httpx.Client) -> None:
    body = '"She left."\n{"id": 7, "text": "Der Lehrer kam."}\n\n5\n{"id": "x"}\n{\n"He left"'
    answer = client.post("/rewrite/stream", params={"form": "gap"}, content=body.encode())
    assert answer.headers["content-type"].startswith("application/x-ndjson")
    found = lines_of(answer)
    assert [(line["line"], line.get("id"), line.get("text")) for line in found] == [
        (1, None, "They left."),
        (2, 7, "Der_die Lehrer_in kam."),
        (4, None, None),
        (5, "x", None),
        (6, None, None),
        (7, None, "They left"),
    ]
    assert "neither a JSON string nor an object" in found[2]["error"] and "no valid JSON" in found[4]["error"]


def test_a_stream_with_wrong_settings_is_refused_before_it_begins(client: httpx.Client) -> None:
    answer = client.post("/rewrite/stream", params={"lang": "fr"}, content=b'"a"')
    assert (answer.status_code, "lang must be one of" in answer.json()["error"]) == (400, True)


def test_a_line_that_is_too_long_ends_its_stream() -> None:
    async def ask() -> list[dict[str, Any]]:
        async with in_process(ServeOptions(models=("en",), limits=Limits(bytes=100))) as client:
            return lines_of(await client.post("/rewrite/stream", content=b'"' + b"a" * 200 + b'"\n"she"\n'))

    assert asyncio.run(ask()) == [{"error": "a line is longer than 100 bytes; the stream ends here"}]


def test_a_stream_is_answered_while_it_is_sent_and_holds_nobody_up(client: httpx.Client, address: str) -> None:
    host, port = address.removeprefix("http://").split(":")
    with socket.create_connection((host, int(port)), timeout=60) as slow:
        slow.sendall(b"POST /rewrite/stream HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n")
        slow.sendall(chunk(b'"She left."\n'))
        received = b""
        while b"They left." not in received:
            received += slow.recv(4096)
        assert post(client, text=ENGLISH)["text"] == "They know their stuff."  # meanwhile
        slow.sendall(chunk(b'"He left."\n') + chunk(b""))
        while not received.endswith(b"0\r\n\r\n"):
            received += slow.recv(4096)
    assert received.count(b'"They left."') == 2


def chunk(data: bytes) -> bytes:
    return f"{len(data):x}\r\n".encode() + data + b"\r\n"


def test_a_client_that_sends_its_body_slowly_is_let_go() -> None:
    with running(ServeOptions(models=("en",), limits=Limits(seconds=0.3))) as address:
        host, port = address.removeprefix("http://").split(":")
        with socket.create_connection((host, int(port)), timeout=60) as slow:
            slow.sendall(b"POST /rewrite HTTP/1.1\r\nHost: a\r\nContent-Length: 100\r\n\r\n{")
            assert slow.recv(4096).startswith(b"HTTP/1.1 408")


@pytest.mark.slow
def test_sigterm_lets_what_runs_come_to_its_end() -> None:
    command = [sys.executable, "-m", "rewriter", "serve", "--port", "0", "--model", "en"]
    process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True, env={**os.environ, TOKEN: ""})
    assert process.stderr is not None
    port = next(found[1] for line in process.stderr if (found := re.search(r"running on http://127.0.0.1:(\d+)", line)))
    texts = [f"She knows case {number} and he knows hers. " * 50 for number in range(50)]
    answers: list[httpx.Response] = []

    def ask() -> None:
        url = f"http://127.0.0.1:{port}/rewrite"
        answers.append(httpx.post(url, json={"texts": texts}, timeout=120, trust_env=False))

    asking = threading.Thread(target=ask)
    asking.start()
    with httpx.Client(base_url=f"http://127.0.0.1:{port}", trust_env=False, timeout=60) as client:
        while "gender_fair_unfinished 1.0" not in client.get("/metrics").text:
            pass
    process.send_signal(signal.SIGTERM)
    asking.join(120)
    rest = process.stderr.read()
    assert process.wait(60) == 128 + signal.SIGTERM
    assert [len(answer.json()["results"]) for answer in answers] == [50]
    assert "Traceback" not in rest and "POST /rewrite 200" in rest


#: a service that stands still, as under load, for as many seconds as each line of its input says
STALLING = """
import ctypes, sys, threading, time, uvicorn
from rewriter.serve.run import server_config
from rewriter.serve.settings import ServeOptions
server = uvicorn.Server(server_config(ServeOptions(port=0, models=("en",))))
threading.Thread(target=server.run, daemon=True).start()
while not server.started:
    time.sleep(0.05)
print(server.servers[0].sockets[0].getsockname()[1], flush=True)
for line in sys.stdin:
    ctypes.PyDLL(None).usleep(int(line) * 1_000_000)  # keeps Python's lock
    print("awake", flush=True)
"""


@pytest.mark.slow
def test_a_request_that_comes_while_the_service_stands_still_is_not_lost() -> None:
    """With uvicorn's own limit for idle connections about every second of these was reset."""
    command = [sys.executable, "-c", STALLING]
    process = subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    )
    assert process.stdin is not None and process.stdout is not None
    try:
        address = ("127.0.0.1", int(process.stdout.readline()))
        for _ in range(4):
            with socket.create_connection(address, timeout=60) as one, socket.create_connection(address) as other:
                assert answered(one) == "HTTP/1.1 200 OK"
                process.stdin.write("7\n")
                process.stdin.flush()
                time.sleep(1)
                other.sendall(HEALTH)  # wakes the loop, which then waits for the lock
                time.sleep(0.5)
                assert answered(one) == "HTTP/1.1 200 OK"
                assert process.stdout.readline() == "awake\n"
    finally:
        process.kill()
        process.wait()


HEALTH = b"GET /health HTTP/1.1\r\nHost: a\r\n\r\n"


def answered(connection: socket.socket) -> str:
    """Ask for the health of a service and return the first line of its answer."""
    connection.sendall(HEALTH)
    received = b""
    while not received.endswith(b"}"):
        received += connection.recv(4096) or b"}"
    return received.decode().partition("\r\n")[0]


def test_the_token_comes_from_a_file_or_the_environment(tmp_path: Path) -> None:
    file, empty = tmp_path / "token", tmp_path / "empty"
    file.write_text("from-file\n", encoding="utf-8")
    empty.write_text("\n", encoding="utf-8")
    assert read_token(file, {TOKEN: "x"}) == "from-file"
    assert (read_token(None, {TOKEN: " x "}), read_token(None, {})) == ("x", "")
    for path, environment in ((empty, {}), (tmp_path / "none", {}), (None, {TOKEN: "ä"}), (None, {TOKEN: "a b"})):
        with pytest.raises(UsageError, match="token"):
            read_token(path, environment)


def test_limits_that_make_no_sense_are_refused() -> None:
    for wrong in ({"bytes": 0}, {"seconds": 0}, {"waiting": -1}):
        with pytest.raises(UsageError, match=next(iter(wrong))):
            Limits(**wrong)
