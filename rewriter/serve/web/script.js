"use strict";
const byId = (id) => document.getElementById(id);
const form = byId("form"), source = byId("source"), result = byId("result"), status = byId("status");
const tools = ["accept-all", "refuse-all", "copy", "download"].map(byId);
const THEMES = { "": "as the system", light: "light", dark: "dark" };
// what is shown: the text that was sent (as code points, which edits count), its edits, and which are accepted
let shown = null, asked = 0, token = "";

// --- asking the service

function settings() {
  const given = {};
  for (const field of form.elements) {
    if (!field.name || field.disabled) continue;
    if (field.type === "checkbox") { if (field.checked) given[field.name] = true; }
    else if (field.selectedIndex > 0) given[field.name] = field.value; // the first one is the default
  }
  return given;
}

async function ask(text, number) {
  const headers = { "Content-Type": "application/json" };
  if (token) headers.Authorization = "Bearer " + token;
  const response = await fetch("rewrite", { method: "POST", headers, body: JSON.stringify({ ...settings(), text }) });
  const answer = await response.json();
  if (number !== asked) return;
  byId("token-row").hidden = response.status !== 401;
  if (!response.ok) throw new Error(answer.error);
  show(text, answer);
}

async function rewrite() {
  const number = ++asked, text = source.value;
  if (!text) { clear(); return tell("There is no text yet."); }
  tell("Rewriting …");
  try { await ask(text, number); }
  catch (error) {
    if (number === asked) { clear(); tell(error instanceof TypeError ? "The service does not answer." : error.message, true); }
  }
}

// --- showing the answer

function show(text, answer) {
  shown = { points: Array.from(text), edits: answer.edits, groups: groups(answer.edits), lang: answer.lang };
  shown.accepted = answer.edits.map(() => true);
  shown.note = answer.error || (answer.lang ? "" : "The text is in no language that is served here; choose one above.");
  draw();
  count();
}

// edits that follow each other are accepted and refused together
function groups(edits) {
  const root = (index) => (edits[index].follows === null ? index : root(edits[index].follows));
  return edits.map((_, index) => root(index));
}

function draw() {
  const pieces = [];
  let position = 0;
  shown.edits.forEach((edit, index) => {
    pieces.push(...plain(shown.points.slice(position, edit.start)), button(edit, index));
    position = edit.end;
  });
  pieces.push(...plain(shown.points.slice(position)));
  result.replaceChildren(...pieces);
  result.lang = shown.lang || "";
  for (const tool of tools) tool.disabled = false;
  byId("accept-all").disabled = byId("refuse-all").disabled = !shown.edits.length;
  byId("reason").textContent = "";
}

function button(edit, index) {
  const made = document.createElement("button");
  Object.assign(made, { type: "button", className: "edit", title: told(edit), tabIndex: index ? -1 : 0 });
  made.dataset.index = index;
  fill(made, index);
  return made;
}

const told = (edit) => `${edit.kind}: ${edit.reason}`;

function fill(made, index) {
  const edit = shown.edits[index], accepted = shown.accepted[index];
  const parts = accepted ? [mark("del", edit.before), mark("ins", edit.after)] : plain(Array.from(edit.before));
  made.replaceChildren(...parts);
  made.setAttribute("aria-pressed", accepted);
  made.setAttribute("aria-label", `change ${edit.before} to ${edit.after}, ${told(edit)}`);
}

function mark(name, text) {
  const made = document.createElement(name);
  made.append(...plain(Array.from(text)));
  return made;
}

// text as text; characters that would be invisible or turn its direction around are shown by their codes
function plain(points) {
  const pieces = [];
  let run = "";
  for (const point of points) {
    if (!/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/.test(point)) { run += point; continue; }
    const made = document.createElement("span");
    made.className = "control";
    made.textContent = "[U+" + point.codePointAt(0).toString(16).toUpperCase().padStart(4, "0") + "]";
    pieces.push(run, made);
    run = "";
  }
  return [...pieces, run];
}

function clear() {
  shown = null;
  result.replaceChildren();
  byId("reason").textContent = "";
  for (const tool of tools) tool.disabled = true;
}

function tell(text, problem = false) {
  status.textContent = text;
  status.classList.toggle("problem", problem);
}

function count() {
  const all = shown.edits.length, accepted = shown.accepted.filter(Boolean).length;
  tell(shown.note || (all ? `${all} changes, ${accepted} accepted` : "Nothing to change."), Boolean(shown.note));
}

// --- accepting and refusing

function set(indexes, accepted) {
  const chosen = new Set(indexes.map((index) => shown.groups[index]));
  for (const made of result.querySelectorAll(".edit")) {
    const index = Number(made.dataset.index);
    if (!chosen.has(shown.groups[index])) continue;
    shown.accepted[index] = accepted;
    fill(made, index);
  }
  count();
}

function text() {
  let made = "", position = 0;
  shown.edits.forEach((edit, index) => {
    made += shown.points.slice(position, edit.start).join("") + (shown.accepted[index] ? edit.after : edit.before);
    position = edit.end;
  });
  return made + shown.points.slice(position).join("");
}

function move(from, key) {
  const all = [...result.querySelectorAll(".edit")];
  const steps = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 };
  const to = key === "Home" ? 0 : key === "End" ? all.length - 1 : from + steps[key];
  if (!all[to]) return;
  for (const made of all) made.tabIndex = made === all[to] ? 0 : -1;
  all[to].focus();
}

result.addEventListener("click", (event) => {
  const made = event.target.closest(".edit");
  if (made) set([Number(made.dataset.index)], made.getAttribute("aria-pressed") === "false");
});
result.addEventListener("keydown", (event) => {
  const made = event.target.closest(".edit");
  if (!made || event.ctrlKey || event.metaKey || event.altKey) return;
  const index = Number(made.dataset.index);
  if (/^(Arrow|Home|End)/.test(event.key)) move(index, event.key);
  else if (event.key === "a" || event.key === "r") set([index], event.key === "a");
  else return;
  event.preventDefault();
});
for (const kind of ["focusin", "mouseover"]) {
  result.addEventListener(kind, (event) => {
    const made = event.target.closest(".edit");
    if (made) byId("reason").textContent = told(shown.edits[Number(made.dataset.index)]);
  });
}
byId("accept-all").addEventListener("click", () => set(shown.edits.map((_, index) => index), true));
byId("refuse-all").addEventListener("click", () => set(shown.edits.map((_, index) => index), false));

// --- taking it away

byId("copy").addEventListener("click", async () => {
  try { await navigator.clipboard.writeText(text()); tell("Copied."); }
  catch { tell("The browser does not let this page copy; use Download.", true); }
});
byId("download").addEventListener("click", () => {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([text()], { type: "text/plain;charset=utf-8" }));
  link.download = "gender-fair.txt";
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
});

// --- settings

function fit() {
  const chosen = form.elements.lang.value;
  for (const label of form.querySelectorAll("[data-langs]")) {
    const fits = chosen === "auto" || label.dataset.langs.split(" ").includes(chosen);
    label.classList.toggle("off", !fits);
    label.querySelector("select, input").disabled = !fits;
  }
}

const names = new Intl.DisplayNames(["en"], { type: "language" });
for (const option of form.elements.lang.options) if (option.value !== "auto") option.textContent = names.of(option.value);
byId("settings").addEventListener("change", () => { fit(); if (shown) rewrite(); });
form.addEventListener("submit", (event) => { event.preventDefault(); rewrite(); });
source.addEventListener("keydown", (event) => {
  if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) { event.preventDefault(); rewrite(); }
});
byId("token-go").addEventListener("click", () => { token = byId("token").value; rewrite(); });
byId("theme").addEventListener("click", () => {
  const known = Object.keys(THEMES), root = document.documentElement;
  const next = known[(known.indexOf(root.dataset.theme || "") + 1) % known.length];
  root.dataset.theme = next;
  root.style.colorScheme = next || "light dark";
  byId("theme").textContent = "Colours: " + THEMES[next];
});
fit();
