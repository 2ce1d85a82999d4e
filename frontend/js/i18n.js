/** The page's own words, in the language of the document. Residents' words come as they are. */

import { document as read } from "./api.js";

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
  return (words[key] ?? key).replace(/\{(\w+)\}/g, (_, name) => String(values[name] ?? ""));
}
