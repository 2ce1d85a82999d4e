/** The server's JSON, asked for by range. */

/** @typedef {import("./types.js").Run} Run */
/** @typedef {import("./types.js").Frames} Frames */

/**
 * @param {string} path
 * @param {RequestInit} [init]
 * @returns {Promise<any>} rejects with the server's own words where it has any
 */
async function json(path, init = {}) {
  const reply = await fetch(path, { ...init, headers: { Accept: "application/json", ...init.headers } });
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

/** Asks for a change. The header is one that no page from elsewhere can send. @param {string} method @param {string} path @param {any} body */
export function change(method, path, body) {
  return json(path, { method, body: JSON.stringify(body), headers: { "Content-Type": "application/json", "X-Hometown": "1" } });
}

/** @param {string} path @returns {Promise<any>} */
export function document(path) {
  return json(path);
}
