/** Saves what the page has made, or what its file carries, as a file. */

import { addressOf } from "./api.js";
import { embedded, standalone } from "./embedded.js";
import { make } from "../dom.js";

const READ = 60_000; // milliseconds after which a browser has read what it saves

/** @param {Blob} blob @param {string} name */
export function save(blob, name) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), READ);
}

/**
 * A link to a text of a run; where there is no server, it is made of what the file carries when it is asked for.
 * @param {string} label @param {string} run its name @param {string} text below the run's address @param {string} name under which it is saved
 */
export function download(label, run, text, name) {
  const link = /** @type {HTMLAnchorElement} */ (make("a", "download", label));
  link.href = `${addressOf(run)}/${text}`;
  link.download = name;
  const address = /** @type {string} */ (link.getAttribute("href"));
  const carried = async () => save(new Blob([await embedded(address)], { type: "text/markdown" }), name);
  if (standalone) link.addEventListener("click", (event) => (event.preventDefault(), void carried()));
  return link;
}
