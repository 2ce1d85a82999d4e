/** The server's JSON, asked for by range. */

/** @typedef {import("./types.js").Run} Run */
/** @typedef {import("./types.js").Frames} Frames */

/**
 * @param {string} path
 * @param {RequestInit} [asked]
 * @returns {Promise<any>} rejects with the server's own words where it has any
 */
async function json(path, asked = { headers: { Accept: "application/json" } }) {
  const reply = await fetch(path, asked);
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

/** What was asked of a run: what waits, then the latest of the rest. @param {string} name @returns {Promise<any[]>} */
export function inbox(name) {
  return json(`/api/runs/${encodeURIComponent(name)}/inbox`);
}

/** Asks for something to happen in a run. @param {string} name @param {{kind: string, text: string, at: string}} wish @returns {Promise<any>} */
export function ask(name, wish) {
  return json(`/api/runs/${encodeURIComponent(name)}/inbox?lang=${globalThis.document.documentElement.lang}`, {
    method: "POST",
    headers: { Accept: "application/json", "Content-Type": "application/json", "X-Hometown": "1" },
    body: JSON.stringify(wish),
  });
}

/** @param {string} path @returns {Promise<any>} */
export function document(path) {
  return json(path);
}
