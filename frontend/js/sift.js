/** The list of runs, in the order that is wanted, with those that hold some words; a family stays together. */

import { setChildren } from "./dom.js";

const FEW = 4; // runs that need no sieve

/** @typedef {{name: string, steps: number, size: number}} Listed */

/** @type {Record<string, (one: Listed, other: Listed) => number>} by what they are sorted; the server's order is the latest first */
export const ORDERS = {
  latest: () => 0,
  name: (one, other) => one.name.localeCompare(other.name),
  steps: (one, other) => other.steps - one.steps,
  size: (one, other) => other.size - one.size,
};

/** Whether a text holds all words. @param {string} text @param {string} query */
export function holds(text, query) {
  const small = text.toLowerCase();
  return query
    .toLowerCase()
    .split(/\s+/u)
    .every((word) => small.includes(word));
}

/** Sorts the list and hides what lacks the words; each list of forks is sorted in itself. @param {Element} section of the list @param {{query: string, by: string}} wanted */
export function sift(section, { query, by }) {
  const lists = /** @type {HTMLElement[]} */ ([...section.querySelectorAll(".runs, .forks")]);
  for (const list of lists) sort(list, ORDERS[by] ?? ORDERS.latest);
  const items = /** @type {HTMLElement[]} */ ([...section.querySelectorAll("li")]);
  for (const item of items) item.hidden = !holds(item.textContent ?? "", query.trim());
  const none = /** @type {HTMLElement | null} */ (section.querySelector(".sifted"));
  if (none) none.hidden = (!items.length && !query) || items.some((item) => !item.hidden);
  const form = document.getElementById("sift");
  if (form) form.hidden = items.length < FEW && !query && !readSearch(form);
}

/** The words that the server has looked for among all names. @param {Element} form @returns {string} */
export function readSearch(form) {
  return /** @type {HTMLInputElement} */ (form.querySelector("[type=search]")).defaultValue;
}

/** @param {HTMLElement} list @param {(one: Listed, other: Listed) => number} order */
function sort(list, order) {
  const items = /** @type {HTMLElement[]} */ ([...list.children]);
  items.forEach((item, at) => (item.dataset.at ??= String(at)));
  const latest = items.sort((one, other) => Number(one.dataset.at) - Number(other.dataset.at));
  setChildren(
    list,
    latest.sort((one, other) => order(listed(one), listed(other))),
  );
}

/** @param {HTMLElement} item @returns {Listed} */
function listed(item) {
  const { run = "", steps, size } = /** @type {HTMLElement} */ (item.querySelector(".card")).dataset;
  return { name: run, steps: Number(steps), size: Number(size) };
}
