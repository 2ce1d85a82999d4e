/** What the author of a world has written in both languages: a page shows it in its own. */

import { make, setLang } from "../dom.js";

/** @typedef {import("./shapes.js").RunView} Run */

/** A text of a run in the page's language, if its author has written it in both. @param {Run} run @param {string} text */
export function inWords(run, text) {
  return run.words[text] ?? text;
}

/** The language of such a text as it is shown. @param {Run} run @param {string} text */
export function langOf(run, text) {
  return text in run.words ? document.documentElement.lang : run.lang;
}

/** An element with such a text. @param {Run} run @param {string} tag @param {string} name the classes @param {string} text */
export function written(run, tag, name, text) {
  const element = make(/** @type {"span"} */ (tag), name, inWords(run, text));
  setLang(element, langOf(run, text));
  return element;
}
