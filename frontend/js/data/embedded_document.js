/** Prepares the document of a page that opens from a file as the server would have: language, texts and the parameters of the address. */

import { head } from "./embedded.js";

/** @typedef {import("./embedded.js").Head} Head */

/** @param {string | null} wanted @returns {string} */
function language(wanted) {
  const first = [wanted, ...navigator.languages].map((tag) => (tag ?? "").slice(0, 2)).find((lang) => lang === "en" || lang === "zh");
  return first ?? "en";
}

/** @param {URLSearchParams} given @param {[number, number, number]} limits @param {string} key */
function within(given, [otherwise, low, high], key) {
  const value = Number(given.get(key) ?? otherwise);
  return String(Math.min(Math.max(Number.isNaN(value) ? otherwise : value, low), high));
}

/** @param {Head} head */
function prepare({ numbers }) {
  const given = new URL(location.href).searchParams;
  const lang = language(given.get("lang"));
  const page = /** @type {HTMLTemplateElement} */ (document.getElementById(`page-${lang}`));
  document.documentElement.lang = lang;
  document.title = page.title;
  document.body.prepend(page.content);
  document.body.dataset.name = page.dataset.name;
  for (const [key, limits] of Object.entries(numbers)) document.body.dataset[key] = within(given, limits, key);
  document.documentElement.dataset.standalone = "";
  for (const element of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("[data-file]"))) element.hidden = false;
  const other = /** @type {HTMLAnchorElement} */ (document.getElementById("language"));
  given.set("lang", lang === "en" ? "zh" : "en");
  other.href = `?${given}`;
}

prepare(/** @type {Head} */ (head));
