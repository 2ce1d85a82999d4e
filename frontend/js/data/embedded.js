/**
 * The blocks that a page holds in itself, where `compress.py --html` made it: it opens from a file and needs no server.
 *
 * `#embedded` holds what must be known at once (`Head`), each `.block` an object of blocks by address: JSON, gzip, base64. It is
 * unpacked when one of them is first wanted.
 */

/**
 * @typedef {object} Head
 * @property {string} base                     address of the run in the API, with a slash at the end
 * @property {Record<string, number>} blocks   address of a block → the element that holds it
 * @property {Record<string, [number, number, number]>} numbers   parameter of the page → default, lowest, highest
 * @property {Record<string, string>} absent   language → message where a block is not in the file
 */

import { Refused } from "./refusals.js";

const element = globalThis.document?.getElementById("embedded");

/** @type {Head | null} */
export const head = element ? JSON.parse(element.textContent ?? "") : null;

/** Whether there is no server. */
export const standalone = head !== null;

/** @type {Map<number, Promise<Record<string, any>>>} */
const opened = new Map();

/** @param {number} number @returns {Promise<Record<string, any>>} */
async function unpack(number) {
  const packed = atob(document.getElementsByClassName("block")[number].textContent ?? "");
  const bytes = Uint8Array.from(packed, (character) => character.charCodeAt(0));
  return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"))).json();
}

/**
 * What the server would have answered.
 * @param {string} address of the API, or below the run's own
 * @returns {Promise<any>}
 */
export async function embedded(address) {
  const { base, blocks, absent } = /** @type {Head} */ (head);
  const key = address.startsWith(base) ? address.slice(base.length) : address === base.slice(0, -1) ? "" : address;
  const number = blocks[key];
  if (number === undefined) throw new Refused(absent[document.documentElement.lang]);
  if (!opened.has(number)) opened.set(number, unpack(number));
  return (await /** @type {Promise<Record<string, any>>} */ (opened.get(number)))[key];
}
