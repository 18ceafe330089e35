"""The page on which a reader corrects targets in a browser: one file, nothing is loaded, answers are saved as JSONL."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from html import escape
from typing import Any

_PAGE = """\
<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>@TITLE@</title>
<style>
body { font: 18px/1.6 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; }
.context { color: #666; }
.text { font-weight: 600; }
textarea { width: 100%; box-sizing: border-box; font: inherit; padding: .4rem; min-height: 6rem; }
button { font: inherit; margin: .3rem .3rem .3rem 0; padding: .2rem .7rem; }
.note, .keys { color: #666; font-size: .85em; }
.read { color: #0b5a1c; }
progress { width: 100%; }
@media (prefers-color-scheme: dark) { body { color: #e8e8e8; background: #1b1b1b; } .read { color: #7fd68f; }
  .context, .note, .keys { color: #aaa; } textarea, button { color: inherit; background: #2b2b2b; } }
</style>
</head>
<body>
<h1>@TITLE@</h1>
<progress id="progress" value="0" aria-label="read so far"></progress>
<p><span id="count"></span> <span id="state" class="read" role="status"></span></p>
<p><span id="before" class="context"></span> <span id="text" class="text"></span>
<span id="after" class="context"></span></p>
<p><label for="target">What it should be:</label></p>
<textarea id="target" spellcheck="false"></textarea>
<p><label for="note">Note:</label> <input id="note" size="40"></p>
<p>
<button id="accept">Accept (Enter)</button><button id="stays">Stays as it is (F2)</button>
<button id="unsure">Undecidable (F4)</button><button id="previous">Back (Page Up)</button>
<button id="next">On, unread (Page Down)</button><button id="save">Save (Ctrl+S)</button>
</p>
<p class="keys">Answers are kept in this browser; Save writes them to a file for <code>gender-fair augment
import-targets</code>. A sentence that was not accepted is saved as not read.</p>
<script type="application/json" id="rows">@ROWS@</script>
<script>
"use strict";
const rows = JSON.parse(document.getElementById("rows").textContent);
const field = (id) => document.getElementById(id);
const store = "gender-fair " + document.title + " " + rows.length + " " + rows.map((row) => row.digest).join("");
const name = document.title.replace(/[^\\w.-]+/g, "-");
let answers = {}, at = 0;
try { answers = JSON.parse(localStorage.getItem(store)) || {}; } catch (error) { answers = {}; }
function keep() { try { localStorage.setItem(store, JSON.stringify(answers)); } catch (error) { /* private mode */ } }
function show() {
  const row = rows[at], answer = answers[row.id];
  for (const part of ["before", "text", "after"]) field(part).textContent = row[part];
  field("target").value = answer && answer.target !== "?" ? answer.target : row.target || row.text;
  field("note").value = answer ? answer.note : row.note;
  field("state").textContent = !answer ? "" : answer.target === "?" ? "undecidable" : "read";
  const read = Object.keys(answers).length;
  field("count").textContent = (at + 1) + " of " + rows.length + ", " + read + " read";
  field("progress").max = rows.length;
  field("progress").value = read;
  field("target").focus();
}
function go(step) { at = Math.min(rows.length - 1, Math.max(0, at + step)); show(); }
function answer(target) {
  answers[rows[at].id] = { target: target.replace(/\\s*\\n\\s*/g, " "), note: field("note").value };
  keep();
  go(1);
}
function save() {
  const lines = rows.map((row) => JSON.stringify({ ...row, target: "", ...answers[row.id] }) + "\\n");
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob(lines, { type: "application/jsonl" }));
  link.download = name + ".jsonl";
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}
const actions = {
  accept: () => answer(field("target").value), stays: () => answer("="), unsure: () => answer("?"),
  previous: () => go(-1), next: () => go(1), save: save,
};
for (const [id, action] of Object.entries(actions)) field(id).addEventListener("click", action);
document.addEventListener("keydown", (event) => {
  const key = event.key, typing = ["target", "note"].includes(event.target.id);
  const action = key === "F2" ? "stays" : key === "F4" ? "unsure" : key === "PageUp" ? "previous" :
    key === "PageDown" ? "next" : key === "Enter" && typing && !event.isComposing ? "accept" :
    key.toLowerCase() === "s" && (event.ctrlKey || event.metaKey) ? "save" : "";
  if (action) { event.preventDefault(); actions[action](); }
});
at = Math.max(0, rows.findIndex((row) => !answers[row.id]));
show();
</script>
</body>
</html>
"""


def page(records: Sequence[Mapping[str, Any]], *, title: str) -> str:
    """Return the page for the rows of a sheet.

    Args:
        records: the rows by column; a row without a target begins with its sentence.
        title: heading, and the name of the file that is saved.
    """
    rows = json.dumps(list(records), ensure_ascii=False).replace("<", "\\u003c").replace("\u2028", "\\u2028")
    return _PAGE.replace("@TITLE@", escape(title)).replace("@ROWS@", rows.replace("\u2029", "\\u2029"))
