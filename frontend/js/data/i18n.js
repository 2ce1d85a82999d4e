/** The page's own words, in the language of the document. Residents' words come as they are. */

import { document as read } from "./api.js";
import { fill } from "./fill.js";
import { Refused } from "./refusals.js";

/** @type {Record<string, string>} */
let words = {};

/** @param {string} lang */
export async function load(lang) {
  words = await read(`/frontend/lang/${lang}.json`);
}

/**
 * @param {string} key
 * @param {Record<string, string | number>} [values]
 */
export function t(key, values = {}) {
  return fill(words[key] ?? key, values);
}

/** What to say of an error: the words of an answer, or that there was none. @param {unknown} error */
export function complaint(error) {
  const { message } = /** @type {Error} */ (error);
  return error instanceof Refused ? message : t("failed", { reason: message });
}
