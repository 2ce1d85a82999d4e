/** The page's own words, in the language of the document. Residents' words come as they are. */

/** @type {Record<string, string>} */
let words = {};

/** @param {string} lang */
export async function load(lang) {
  words = await (await fetch(`/frontend/lang/${lang}.json`)).json();
}

/**
 * @param {string} key
 * @param {Record<string, string | number>} [values]
 */
export function t(key, values = {}) {
  return (words[key] ?? key).replace(/\{(\w+)\}/g, (_, name) => String(values[name] ?? ""));
}
