/** The page's own words, in the language of the document. Residents' words come as they are. */

import { fill, N_, P_ } from "./fill.js";
import { Refused, Unreachable } from "./refusals.js";

export { N_, P_ };

/** @typedef {Record<string, string | number>} Values */

/** @type {Record<string, string | string[]>} */
let messages = {};

/** Takes over the translations of messages by their English; those that count have a list of plural forms. @param {typeof messages} known */
export function learn(known) {
  messages = known;
}

/** A message in the language of the page. @param {string} message in English @param {Values} [values] that fill its {fields} */
export function t(message, values = {}) {
  return fill(String(messages[message] ?? message.split("\u0004").at(-1)), values);
}

/** A message that depends on a number, which fills {count}. @param {string} singular @param {string} plural @param {number} number @param {Values} [values] */
export function nt(singular, plural, number, values = {}) {
  const { lang } = document.documentElement;
  const forms = messages[singular] ?? [singular, plural];
  const rules = new Intl.PluralRules(messages[singular] ? lang : "en");
  const form = forms[rules.resolvedOptions().pluralCategories.indexOf(rules.select(number))];
  return fill(form, { count: number, ...values });
}

/** What follows this beginning in the keys of words. @param {string} beginning */
export const endings = (beginning) =>
  Object.keys(messages)
    .filter((key) => key.startsWith(beginning))
    .map((key) => key.slice(beginning.length));

/** What to say of an error: the words of an answer, or that there was none. @param {unknown} error */
export function complaint(error) {
  if (error instanceof Unreachable) return t("The server does not answer. What is shown stays; the page goes on when it is back.");
  const { message } = /** @type {Error} */ (error);
  return error instanceof Refused ? message : t("The page cannot reach its server: {reason}", { reason: message });
}

/** What stands before the one at this place of a list in a sentence. @param {number} at @param {unknown[]} list */
export const between = (at, list) => (at ? t(at === list.length - 1 ? N_(" and ") : N_(", ")) : "");

/** A list in a sentence: "Ana, Bo and Cai". @param {string[]} list */
export const listed = (list) => list.map((one, at) => between(at, list) + one).join("");
