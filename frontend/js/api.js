/** The server's JSON, asked for by range; what a file carries, where there is no server. */

import { embedded, standalone } from "./embedded.js";

/** @typedef {import("./types.js").Run} Run */
/** @typedef {import("./types.js").Frames} Frames */

/**
 * @param {string} path
 * @param {RequestInit} [init]
 * @returns {Promise<any>} rejects with the server's own words where it has any
 */
async function json(path, init = {}) {
  if (standalone) return embedded(path);
  const reply = await fetch(path, { ...init, headers: { Accept: "application/json", ...init.headers } });
  const body = await reply.json().catch(() => ({}));
  if (!reply.ok) throw new Error(body.error || `${reply.status} ${path}`);
  return body;
}

/** @param {string} name @returns {Promise<Run>} */
export function run(name) {
  return json(`/api/runs/${encodeURIComponent(name)}`);
}

/** Steps `from` to `to`, both included. @param {string} name @param {number} from @param {number} to @param {AbortSignal} signal @returns {Promise<Frames>} */
export function frames(name, from, to, signal) {
  return json(`/api/runs/${encodeURIComponent(name)}/frames?from=${from}&to=${to}`, { signal });
}

/** What was asked of a run: what waits, then the latest of the rest. @param {string} name @returns {Promise<any[]>} */
export function inbox(name) {
  return json(`/api/runs/${encodeURIComponent(name)}/inbox`);
}

/** Asks for something to happen in a run. @param {string} name @param {{kind: string, text: string, at: string}} asked @returns {Promise<any>} */
export function wish(name, asked) {
  return change("POST", `/api/runs/${encodeURIComponent(name)}/inbox?lang=${globalThis.document.documentElement.lang}`, asked);
}

/** Asks for a change. The header is one that no page from elsewhere can send. @param {string} method @param {string} path @param {any} body */
export function change(method, path, body) {
  return json(path, { method, body: JSON.stringify(body), headers: { "Content-Type": "application/json", "X-Hometown": "1" } });
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

/**
 * Anything else that the API tells of a run; what has no value is left out of the request.
 * @param {string} name @param {string} path below the run's @param {Record<string, string | number>} [query] @returns {Promise<any>}
 */
export function ask(name, path, query = {}) {
  const given = Object.entries(query).filter(([, value]) => value !== "");
  return json(`/api/runs/${encodeURIComponent(name)}/${path}?${new URLSearchParams(given.map(([key, value]) => [key, String(value)]))}`);
}

/** Answers of which only the one asked for last is wanted. */
export class Latest {
  constructor() {
    this.asked = "";
    this.told = "";
  }

  /**
   * Asks unless that was what was asked for last, and tells the answer unless it is the same or something else is wanted by then.
   * @param {string} name @param {string} path @param {Record<string, string | number>} query
   * @param {(answer: any) => void} tell @param {(problem: string) => void} failed
   */
  async ask(name, path, query, tell, failed) {
    const asked = JSON.stringify([name, path, query]);
    if (asked === this.asked) return;
    this.asked = asked;
    try {
      const answer = await ask(name, path, query);
      const told = JSON.stringify([path, answer]);
      if (asked !== this.asked || told === this.told) return;
      this.told = told;
      tell(answer);
    } catch (error) {
      if (asked === this.asked) failed(/** @type {Error} */ (error).message);
    }
  }
}
