/** The server's JSON, asked for by range; what a file carries, where there is no server. */

import { embedded, standalone } from "./embedded.js";

/** @typedef {import("./types.js").Run} Run */
/** @typedef {import("./types.js").Frames} Frames */

/**
 * @param {string} path
 * @returns {Promise<any>} rejects with the server's own words where it has any
 */
async function json(path) {
  if (standalone) return embedded(path);
  const reply = await fetch(path, { headers: { Accept: "application/json" } });
  const body = await reply.json().catch(() => ({}));
  if (!reply.ok) throw new Error(body.error || `${reply.status} ${path}`);
  return body;
}

/** @param {string} name @returns {Promise<Run>} */
export function run(name) {
  return json(`/api/runs/${encodeURIComponent(name)}`);
}

/** Steps `from` to `to`, both included. @param {string} name @param {number} from @param {number} to @returns {Promise<Frames>} */
export function frames(name, from, to) {
  return json(`/api/runs/${encodeURIComponent(name)}/frames?from=${from}&to=${to}`);
}

/** @param {string} path @returns {Promise<any>} */
export function document(path) {
  return json(path);
}
