// The page on which people rank answers, or write their own. Ids are opaque: what was done to an answer is known to nobody who reads this file.
// What has been done is kept in the browser at once, so that the page can be closed at any time, and is saved as a file to be sent back.
"use strict";

/**
 * @typedef {{ id: string, text: string }} Answer
 * @typedef {{ id: string, resident: string, question: string, answers: Answer[] }} Block
 * @typedef {{ study: string, kind: "rank" | "write", words: Record<string, string>, residents: Record<string, { name: string, about: string, memories: string[] }>, blocks: Block[] }} Study
 * @typedef {{ rater: string, at: number, done: Record<string, string[] | string> }} Progress
 */

/** @type {Study} */
const study = JSON.parse(document.getElementById("data")?.textContent ?? "{}");
const main = /** @type {HTMLElement} */ (document.querySelector("main"));
const place = `hometown-${study.kind}-${study.study}`;
const progress = recall();
const blocks = shuffled(study.blocks, progress.rater);
/** @type {string[]} Ids of the answers placed so far, the best first. */
let placed = [];

/** @returns {Progress} */
function recall() {
  const kept = localStorage.getItem(place);
  if (kept) return JSON.parse(kept);
  return { rater: crypto.getRandomValues(new Uint32Array(2)).join("-"), at: 0, done: {} };
}

function keep() {
  localStorage.setItem(place, JSON.stringify(progress));
}

/**
 * The same order for the same rater, another one for each.
 * @template {{ id: string }} T
 * @param {T[]} items
 * @param {string} salt
 */
function shuffled(items, salt) {
  return items
    .map((item) => ({ item, key: hash(salt + item.id) }))
    .sort((one, other) => one.key - other.key)
    .map(({ item }) => item);
}

/** FNV-1a, as an unsigned number. @param {string} text */
function hash(text) {
  let value = 0x811c9dc5;
  for (const sign of text) value = Math.imul(value ^ (sign.codePointAt(0) ?? 0), 0x01000193) >>> 0;
  return Math.imul(value ^ (value >>> 15), 0x2c1b3c6d) >>> 0;
}

/**
 * @param {string} name
 * @param {Record<string, string>} attributes
 * @param {(Node | string)[]} children
 */
function element(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...children);
  return made;
}

/** @param {string} text @param {() => void} act */
function button(text, act) {
  const made = element("button", { type: "button" }, text);
  made.addEventListener("click", act);
  return made;
}

function shown() {
  return shuffled(blocks[progress.at].answers, progress.rater);
}

function show() {
  if (progress.at >= blocks.length) progress.at = blocks.length - 1;
  const block = blocks[progress.at];
  const done = progress.done[block.id];
  placed = Array.isArray(done) ? [...done] : [];
  draw();
}

function draw() {
  const block = blocks[progress.at];
  const resident = study.residents[block.resident];
  const count = Object.keys(progress.done).length;
  const memories = element("ul", {}, ...resident.memories.map((memory) => element("li", {}, memory)));
  main.replaceChildren(
    element("p", { class: "hint", id: "count" }, `${progress.at + 1} / ${blocks.length} · ${study.words.done.replace("{count}", String(count))}`),
    element("h1", {}, resident.name),
    element("p", {}, resident.about),
    element("details", {}, element("summary", {}, study.words.memories), memories),
    element("blockquote", {}, block.question),
    study.kind === "rank" ? ranking() : writing(block),
    element(
      "div",
      { class: "bar" },
      button(study.words.back, () => go(-1)),
      button(study.words.next, confirm),
      button(study.words.save, save),
    ),
    element("p", { class: "hint" }, study.words[`${study.kind}_help`]),
  );
  if (study.kind === "write") main.querySelector("textarea")?.focus();
}

function ranking() {
  return element("ol", { id: "answers" }, ...shown().map((answer, at) => element("li", {}, choice(answer, at))));
}

/** @param {Answer} answer @param {number} at */
function choice(answer, at) {
  const rank = placed.indexOf(answer.id);
  const label = rank < 0 ? `[${at + 1}]` : study.words.rank.replace("{rank}", String(rank + 1));
  const made = element("button", { type: "button", class: "answer", "aria-pressed": String(rank >= 0) }, element("b", {}, label), answer.text);
  made.addEventListener("click", () => toggle(answer.id));
  return made;
}

/** @param {Block} block */
function writing(block) {
  const field = /** @type {HTMLTextAreaElement} */ (element("textarea", { "aria-label": study.words.answer, maxlength: "480" }));
  const done = progress.done[block.id];
  field.value = typeof done === "string" ? done : "";
  return field;
}

/** Places an answer next, or takes it and all after it back. @param {string} id */
function toggle(id) {
  const rank = placed.indexOf(id);
  if (rank < 0) placed.push(id);
  else placed = placed.slice(0, rank);
  draw();
}

/** Keeps what stands there, if it is whole, and goes on. */
function confirm() {
  const block = blocks[progress.at];
  const text = main.querySelector("textarea")?.value.trim() ?? "";
  if (study.kind === "rank" ? placed.length < block.answers.length : !text) return;
  progress.done[block.id] = study.kind === "rank" ? placed : text;
  keep();
  if (progress.at === blocks.length - 1) draw();
  else go(1);
}

/** @param {number} step */
function go(step) {
  progress.at = Math.min(blocks.length - 1, Math.max(0, progress.at + step));
  keep();
  show();
}

/** Hands the file over that is to be sent back. */
function save() {
  const content = JSON.stringify({ format: "hometown-people-1", study: study.study, kind: study.kind, rater: progress.rater, done: progress.done });
  const link = element("a", { href: URL.createObjectURL(new Blob([content], { type: "application/json" })), download: `${study.kind}-${progress.rater}.json` });
  link.click();
}

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey && event.key === "Enter") confirm();
  else if (event.target instanceof HTMLTextAreaElement || event.ctrlKey || event.metaKey || event.altKey) return;
  else if (event.key === "Enter" && study.kind === "rank") confirm();
  else if (event.key === "ArrowLeft") go(-1);
  else if (event.key === "ArrowRight") go(1);
  else if (event.key === "Backspace" && placed.length) toggle(placed[placed.length - 1]);
  else if (/^[1-9]$/.test(event.key) && study.kind === "rank") {
    const answer = shown()[Number(event.key) - 1];
    if (answer && !placed.includes(answer.id)) toggle(answer.id);
  } else return;
  event.preventDefault();
});

keep();
show();
