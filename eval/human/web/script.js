"use strict";
const byId = (id) => document.getElementById(id);
const data = JSON.parse(byId("data").textContent), ui = data.ui;
const form = byId("form"), status = byId("status"), pages = [...document.querySelectorAll("section.page")];
const key = `gender-fair-human/${data.study}/${data.participant}`;
// a script that answers says so in the address, and the file that it saves says so too
const simulated = location.hash === "#simulated";
let page = 0, seconds = {}, since = performance.now();

const fill = (text, values) => text.replace(/\{(\w+)\}/g, (whole, name) => (name in values ? values[name] : whole));

// --- keeping answers in this browser

function values() {
  const given = {};
  for (const field of form.elements) {
    if (!field.name) continue;
    if (field.type === "radio") { if (field.checked) given[field.name] = field.value; }
    else if (field.type === "checkbox") { if (field.checked) given[field.name] = true; }
    else if (field.value) given[field.name] = field.value;
  }
  return given;
}

function keep() {
  try { localStorage.setItem(key, JSON.stringify({ page, seconds, values: values() })); }
  catch { tell(ui.not_kept, true); }
}

function restore() {
  let kept = null;
  try { kept = JSON.parse(localStorage.getItem(key)); } catch { tell(ui.not_kept, true); }
  if (!kept) return 0;
  seconds = kept.seconds;
  for (const field of form.elements) {
    if (!(field.name in kept.values)) continue;
    if (field.type === "radio") field.checked = field.value === kept.values[field.name];
    else if (field.type === "checkbox") field.checked = true;
    else field.value = kept.values[field.name];
  }
  return Math.min(kept.page, pages.length - 1);
}

// --- going from page to page

function openPage(number, focus = true) {
  page = number;
  pages.forEach((section, index) => { section.hidden = index !== page; });
  byId("back").hidden = page === 0;
  byId("next").hidden = page === pages.length - 1;
  byId("next").textContent = page === 0 ? ui.begin : ui.next;
  byId("progress").value = page + 1;
  byId("place").textContent = fill(ui.progress, { number: page + 1, count: pages.length });
  const heading = pages[page].querySelector("h2");
  document.title = `${heading.textContent} – ${data.title}`;
  if (focus) { heading.focus(); scrollTo(0, 0); }
  tell(page === pages.length - 1 && openGroups().length ? fill(ui.incomplete, { count: openGroups().length }) : "");
}

function countTime() {
  const item = pages[page].dataset.item, now = performance.now();
  if (item) seconds[item] = Math.round(((seconds[item] || 0) + (now - since) / 1000) * 10) / 10;
  since = now;
}

function turn(to) {
  countTime();
  openPage(to);
  keep();
}

const answered = (group) => group.querySelector("input:checked") !== null;
const openGroups = (root = form) => [...root.querySelectorAll("[data-required]")].filter((group) => !answered(group));

// shows beside each question of a page whether it still has no answer; returns those that have none
function complaints() {
  const missing = openGroups(pages[page]);
  for (const group of pages[page].querySelectorAll("[data-required]")) complain(group, missing.includes(group));
  return missing;
}

function complain(group, wrong) {
  const note = byId(`${group.id}-problem`);
  note.hidden = !wrong;
  const marked = group.matches("fieldset") ? group : group.querySelector("input");
  if (wrong) { marked.setAttribute("aria-invalid", "true"); marked.setAttribute("aria-describedby", note.id); }
  else { marked.removeAttribute("aria-invalid"); marked.removeAttribute("aria-describedby"); }
}

function tell(text, problem = false) {
  status.textContent = text;
  status.classList.toggle("problem", problem);
}

form.addEventListener("submit", (event) => {
  event.preventDefault();
  const missing = complaints();
  if (!missing.length) { if (page < pages.length - 1) turn(page + 1); return; }
  tell(page === 0 ? ui.consent_missing : fill(ui.missing_count, { count: missing.length }), true);
  missing[0].querySelector("input").focus();
});
form.addEventListener("change", (event) => {
  const group = event.target.closest("[data-required]");
  if (group && answered(group)) complain(group, false);
  keep();
});
byId("back").addEventListener("click", () => turn(page - 1));
addEventListener("pagehide", () => { countTime(); keep(); });

// --- the file

function record() {
  const given = values(), items = {};
  for (const { id, kind, statements } of data.items) {
    const found = kind === "preference" ? one(given, id) : many(given, id, statements);
    if (found) items[id] = { ...found, seconds: seconds[id] || 0 };
  }
  return {
    format: data.format, study: data.study, participant: data.participant, simulated,
    before: asked(given, "before"), items, after: asked(given, "after"),
    comment: given.comment || "", withdrawn: given.withdrawn === true,
  };
}

function many(given, id, statements) {
  const found = statements.filter((name) => `${id}.${name}` in given).map((name) => [name, Number(given[`${id}.${name}`])]);
  return found.length ? { ratings: Object.fromEntries(found) } : null;
}

const one = (given, id) => (`${id}.preference` in given ? { preference: Number(given[`${id}.preference`]) } : null);

function asked(given, when) {
  const found = data.questions[when].filter(({ id }) => `${when}.${id}` in given);
  return Object.fromEntries(found.map(({ id, scale }) => {
    const value = given[`${when}.${id}`];
    return [id, scale ? Number(value) : value];
  }));
}

byId("download").addEventListener("click", () => {
  const name = `answers-${data.study}-${data.participant}.json`;
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([JSON.stringify(record(), null, 2) + "\n"], { type: "application/json" }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
  tell(fill(ui.downloaded, { file: name }));
});

byId("forget").addEventListener("click", () => {
  if (!confirm(ui.forget_sure)) return;
  form.reset();
  seconds = {};
  openPage(0);
  try { localStorage.removeItem(key); } catch { /* nothing was kept */ }
  tell(ui.forgotten);
});

byId("simulated").hidden = !simulated;
openPage(restore(), false);
