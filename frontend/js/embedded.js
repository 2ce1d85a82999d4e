/**
 * The answers that a page carries in itself, where `compress.py --html` made it: it opens from a file and asks nobody.
 *
 * `#embedded` holds what must be known at once (`Head`), each `.block` an object of answers by key: JSON, gzip, base64. A block is
 * unpacked when it is first asked for.
 */

import { VIEWS } from "./views.js";

/**
 * @typedef {object} Head
 * @property {string} base                     address of the run in the API, with a slash at the end
 * @property {Record<string, number>} blocks   key of an answer → the block that holds it
 * @property {Record<string, [number, number, number]>} numbers   parameter of the page → default, lowest, highest
 * @property {Record<string, string>} absent   language → what is said where an answer is not in the file
 */

const element = document.getElementById("embedded");

/** @type {Head | null} */
export const head = element && JSON.parse(element.textContent ?? "");

/** Whether there is no server. */
export const standalone = head !== null;

/** @type {Map<number, Promise<Record<string, any>>>} */
const opened = new Map();

/** @param {number} number @returns {Promise<Record<string, any>>} */
async function unpack(number) {
  const packed = atob(document.getElementsByClassName("block")[number].textContent ?? "");
  const bytes = Uint8Array.from(packed, (one) => one.charCodeAt(0));
  return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"))).json();
}

/** @param {string} key @returns {Promise<any>} */
async function load(key) {
  const number = head?.blocks[key];
  if (number === undefined) throw new Error(head?.absent[document.documentElement.lang]);
  if (!opened.has(number)) opened.set(number, unpack(number));
  return (await /** @type {Promise<Record<string, any>>} */ (opened.get(number)))[key];
}

/**
 * What the API would have answered.
 * @param {string} address
 * @returns {Promise<any>}
 */
export async function embedded(address) {
  const { base, blocks } = /** @type {Head} */ (head);
  const [path, query] = address.split("?");
  const key = path.startsWith(base) ? path.slice(base.length) : path === base.slice(0, -1) ? "" : path;
  const asked = new URLSearchParams(query);
  for (const [pattern, view] of VIEWS) {
    const found = pattern.exec(key);
    if (found) return view(load, asked, found.slice(1).map(decodeURIComponent));
  }
  return load(query && `${key}?${query}` in blocks ? `${key}?${query}` : key);
}
