"""The extension for VS Code: its manifest says what the language server can do, and it starts that server."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from rewriter.cli.main import build_parser
from rewriter.lsp.findings import PROSE

FOLDER = Path(__file__).resolve().parents[2] / "editors" / "vscode"

#: stands in for what the editor and its library give an extension; says what the extension asked of them
EDITOR = """
const Module = require("module");
const told = { commands: [], errors: [], started: 0, stopped: 0 };
const settings = { command: "gender-fair", arguments: ["--lang", "de"] };
let changed;
const vscode = {
  workspace: {
    getConfiguration: () => ({ get: (name) => settings[name] }),
    onDidChangeConfiguration: (heard) => { changed = heard; return {}; },
  },
  commands: { registerCommand: (name) => told.commands.push(name) },
  window: { showErrorMessage: (text) => told.errors.push(text) },
};
class LanguageClient {
  constructor(id, name, server, options) { told.server = server; told.selector = options.documentSelector; }
  async start() { if (settings.broken) throw new Error("ENOENT"); told.started += 1; this.runs = true; }
  isRunning() { return Boolean(this.runs); }
  async stop() { told.stopped += 1; }
}
const known = { vscode, "vscode-languageclient/node": { LanguageClient } };
const load = Module._load;
Module._load = (name, ...rest) => known[name] ?? load(name, ...rest);
const extension = require(process.argv[1]);
(async () => {
  const context = { subscriptions: [] };
  await extension.activate(context);
  await changed({ affectsConfiguration: (name) => name === "genderFair" });
  await changed({ affectsConfiguration: () => false });
  settings.broken = true;
  await changed({ affectsConfiguration: () => true });
  await extension.deactivate();
  console.log(JSON.stringify({ ...told, kept: context.subscriptions.length }));
})();
"""


@pytest.fixture(scope="module")
def manifest() -> dict[str, Any]:
    loaded: dict[str, Any] = json.loads((FOLDER / "package.json").read_text(encoding="utf-8"))
    return loaded


def test_the_manifest_names_what_is_there(manifest: dict[str, Any]) -> None:
    assert (FOLDER / manifest["main"]).is_file()
    assert manifest["engines"]["vscode"] and manifest["dependencies"].keys() == {"vscode-languageclient"}
    scopes = {value["scope"] for value in manifest["contributes"]["configuration"]["properties"].values()}
    assert scopes == {"machine"}, "a folder that is opened must not choose what is run"


def test_it_is_for_prose_that_the_server_reads(manifest: dict[str, Any]) -> None:
    languages = [event.removeprefix("onLanguage:") for event in manifest["activationEvents"]]
    assert set(languages) <= set(PROSE)
    code = (FOLDER / "extension.js").read_text(encoding="utf-8")
    listed = re.search(r"LANGUAGES = (\[.*?\]);", code)
    assert listed and json.loads(listed[1]) == languages


def test_it_starts_the_server_and_starts_it_anew_when_settings_change() -> None:
    node = shutil.which("node")
    if node is None:
        pytest.skip("needs Node.js")
    done = subprocess.run([node, "-e", EDITOR, FOLDER / "extension.js"], capture_output=True, text=True, check=True)
    told = json.loads(done.stdout)
    words = [*told["server"]["args"]]
    assert told["server"]["command"] == "gender-fair" and words == ["lsp", "--lang", "de"]
    assert build_parser(words).parse_args(words)
    assert {entry["language"] for entry in told["selector"]} <= set(PROSE)
    assert (told["started"], told["stopped"], told["commands"]) == (2, 2, ["genderFair.restart"])
    assert told["kept"] == 2
    assert len(told["errors"]) == 1 and "pip install" in told["errors"][0] and "ENOENT" in told["errors"][0]
