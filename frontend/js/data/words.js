/** What the authors of a world and of Hometown have written in both languages: a page shows it in its own. */

import { make, setLang } from "../dom.js";

/** @typedef {import("./shapes.js").RunView} Run */
/** @typedef {{known: Map<string, string>, frames: [string, string, string][]}} Book the texts found so far, and those with a slot: what is before it, what after, and the same in the page's language */

const SLOT = "{}";
const KEPT = 3000; // texts found

/** @type {WeakMap<Run["words"], Book>} */
const books = new WeakMap();

/** A text of a run in the page's language, if its author has written it in both. @param {Run} run @param {string} text */
export function inWords(run, text) {
  return translated(run, text) ?? text;
}

/** The language of such a text as it is shown. @param {Run} run @param {string} text */
export function langOf(run, text) {
  return translated(run, text) === undefined ? run.lang : document.documentElement.lang;
}

/** @param {Run} run @param {string} text @returns {string | undefined} */
function translated({ words }, text) {
  if (words[text] !== undefined) return words[text];
  let book = books.get(words);
  if (!book) books.set(words, (book = { known: new Map(), frames: framesIn(words) }));
  if (book.known.size > KEPT) book.known.clear();
  let known = book.known.get(text);
  if (known === undefined) book.known.set(text, (known = fill(words, book.frames, text)));
  return known || undefined;
}

/** The texts with a slot, those first that have most around it. @param {Run["words"]} words @returns {[string, string, string][]} */
function framesIn(words) {
  const slotted = Object.entries(words).filter(([text]) => text.includes(SLOT));
  slotted.sort(([one], [other]) => other.length - one.length);
  return slotted.map(([text, same]) => [...halves(text), same]);
}

/** @param {string} text @returns {[string, string]} */
function halves(text) {
  const at = text.indexOf(SLOT);
  return [text.slice(0, at), text.slice(at + SLOT.length)];
}

/** A text that fills the slot of another, which itself may be known, or is a name. @param {Run["words"]} words @param {[string, string, string][]} frames @param {string} text @returns {string} "" for none */
function fill(words, frames, text) {
  for (const [before, after, same] of frames) {
    if (text.length <= before.length + after.length || !text.startsWith(before) || !text.endsWith(after)) continue;
    const inner = text.slice(before.length, text.length - after.length);
    return same.replace(SLOT, () => words[inner] ?? (fill(words, frames, inner) || inner));
  }
  return "";
}

/** An element with such a text. @param {Run} run @param {string} tag @param {string} name the classes @param {string} text */
export function written(run, tag, name, text) {
  const element = make(/** @type {"span"} */ (tag), name, inWords(run, text));
  setLang(element, langOf(run, text));
  return element;
}
