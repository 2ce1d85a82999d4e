/** The server's JSON, asked for by range. */

/** @typedef {import("./types.js").Run} Run */
/** @typedef {import("./types.js").Frames} Frames */

/**
 * @param {string} path
 * @returns {Promise<any>} rejects with the server's own words where it has any
 */
async function json(path) {
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

/** What the timeline shows of the whole run. @param {string} name @returns {Promise<import("./types.js").RunMarks>} */
export function marks(name) {
  return json(`/api/runs/${encodeURIComponent(name)}/marks`);
}

/** What one resident did. @param {string} name @param {string} resident @returns {Promise<import("./types.js").Mark[]>} */
export function marksOf(name, resident) {
  return json(`/api/runs/${encodeURIComponent(name)}/marks?resident=${encodeURIComponent(resident)}`);
}

/** @param {string} path @returns {Promise<any>} */
export function document(path) {
  return json(path);
}
