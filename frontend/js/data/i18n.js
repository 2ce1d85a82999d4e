/** The page's own words, in the language of the document. Residents' words come as they are. */

import { fill } from "./fill.js";
import { Refused, Unreachable } from "./refusals.js";

/** @type {Record<string, string>} */
let words = {};

/** Takes over the words by their keys. @param {Record<string, string>} known */
export function learn(known) {
  words = known;
}

/**
 * @param {string} key
 * @param {Record<string, string | number>} [values]
 */
export function t(key, values = {}) {
  return fill(words[key] ?? key, values);
}

/** What follows this beginning in the keys of words. @param {string} beginning */
export const endings = (beginning) =>
  Object.keys(words)
    .filter((key) => key.startsWith(beginning))
    .map((key) => key.slice(beginning.length));

/** What to say of an error: the words of an answer, or that there was none. @param {unknown} error */
export function complaint(error) {
  if (error instanceof Unreachable) return t("unreachable");
  const { message } = /** @type {Error} */ (error);
  return error instanceof Refused ? message : t("failed", { reason: message });
}

/** What stands before the one at this place of a list in a sentence. @param {number} at @param {unknown[]} list */
export const between = (at, list) => (at ? t(at === list.length - 1 ? "and" : "comma") : "");

/** A list in a sentence: "Ana, Bo and Cai". @param {string[]} list */
export const listed = (list) => list.map((one, at) => between(at, list) + one).join("");
