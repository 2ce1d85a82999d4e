/** A world as its editor knows it: its residents as their files hold them, its places, and what is wrong with it. */

import * as api from "../data/api.js";
import { Refused } from "../data/refusals.js";

/** @typedef {{id: string, names: Record<string, string>, private?: boolean, bed?: boolean}} Place */
/** @typedef {{level: "error" | "warning", line: string}} Problem */
/** @typedef {{id: string, own: boolean, names: Record<string, string>, langs: string[]}} Entry */
/** @typedef {Entry & {residents: Record<string, any>, versions: Record<string, string>, planned: boolean, undo: string, sectors: Place[], arenas: Place[], things: Place[], problems: Problem[]}} World */

const TAKEN = 409; // the status of a run whose name another one has
const MOST_RUNS = 99; // of a world, whose names are tried

export const CHANGED = 412; // the status of a change to what another program has changed
const own = globalThis.document.documentElement.lang;

/** @param {string} world @param {string} [more] */
const address = (world, more = "") => `${api.API}/worlds/${encodeURIComponent(world)}${more}`;

/** @param {string} world @param {string} who */
const resident = (world, who) => address(world, `/residents/${encodeURIComponent(who)}`);

/** @returns {Promise<Entry[]>} */
export const list = () => api.document(`${api.API}/worlds`);

/** @param {string} world @returns {Promise<World>} */
export const read = (world) => api.document(`${address(world)}?lang=${own}`);

/** @param {string} world @param {string} name @returns {Promise<{id: string}>} */
export const copy = (world, name) => api.change("POST", `${api.API}/worlds?lang=${own}`, { world, name });

/** Makes a blank world. @param {string} name @param {string[]} langs @param {[number, number]} size @returns {Promise<{id: string}>} */
export const blank = (name, langs, size) => api.change("POST", `${api.API}/worlds?lang=${own}`, { name, langs, size });

/** Somebody who could move in. @param {string} world @returns {Promise<any>} */
export const invent = (world) => api.change("POST", address(world, `/residents?lang=${own}`));

/** The address of a resident's portrait as it is now. @param {Pick<World, "id" | "versions">} world @param {string} who */
export const portrait = ({ id, versions }, who) => address(id, `/portraits/${encodeURIComponent(who)}.png?${versions[who] ?? ""}`);

/** Begins a run of the world by rules, and gives its name. @param {string} world @param {string} lang @param {number} hours @returns {Promise<string>} */
export async function live(world, lang, hours) {
  for (let number = 1; ; number++) {
    const name = `${world}-${number}`;
    try {
      await api.change("POST", `${api.API}/runs?lang=${own}`, { name, world, lang, llm: "scripted", hours, slow: false, residents: [] });
      return name;
    } catch (error) {
      if (!(error instanceof Refused) || error.status !== TAKEN || number > MOST_RUNS) throw error;
    }
  }
}

/** @param {string} world @param {string} who @param {any} content @returns {Promise<{problems: Problem[]}>} */
export const check = (world, who, content) => api.change("POST", `${resident(world, who)}/check?lang=${own}`, content);

/** @typedef {{residents: Record<string, any>, versions: Record<string, string>, problems: Problem[], undo: string}} People */
/** @typedef {Pick<World, "id" | "versions">} Known a world with the versions of its residents that a change is made for */

/** The version of somebody as this page has shown them. @param {Known} world @param {string} who */
const version = (world, who) => `"${world.versions[who] ?? "new"}"`;

/** @param {Known} world @param {string} who @param {any} content @returns {Promise<People>} */
export const put = (world, who, content) => api.change("PUT", `${resident(world.id, who)}?lang=${own}`, content, version(world, who));

/** @param {Known} world @param {string} who @returns {Promise<People>} */
export const remove = (world, who) => api.change("DELETE", `${resident(world.id, who)}?lang=${own}`, {}, version(world, who));

/** The rooms of a world. @param {string} world @returns {Promise<import("./painter.js").Rooms>} */
export const rooms = (world) => api.document(address(world, `/rooms?lang=${own}`));

/** Takes the last change of a world back, if it is still the one that this page knows. @param {Pick<World, "id" | "undo">} world */
export const undo = ({ id, undo: last }) => api.change("POST", address(id, `/undo?lang=${own}`), {}, `"${last}"`);

/** Changes to the map of a world: tried, made. */
export const stroke = {
  /** @param {string} world @param {any} asked @returns {Promise<{problems: Problem[]}>} */
  check: (world, asked) => api.change("POST", address(world, `/map/check?lang=${own}`), asked),
  /** @param {string} world @param {any} asked @param {string} version @returns {Promise<import("./painter.js").Painted>} */
  make: (world, asked, version) => api.change("PUT", address(world, `/map?lang=${own}`), asked, `"${version}"`),
};

/** What something is called: in the page's language where it has a name in that. @param {Record<string, string> | undefined} names @param {string} [instead] */
export const called = (names, instead = "") => names?.[own] || Object.values(names ?? {})[0] || instead;

/** An id for a new resident that no other has, from the English name if there is one. @param {any} content @param {Record<string, any>} taken */
export function newId(content, taken) {
  const latin = String(content.name?.en ?? "")
    .toLowerCase()
    .normalize("NFD")
    .replace(/[^a-z0-9]+/g, "_")
    .replace(/^[^a-z]+|_+$/g, "");
  const stem = latin.slice(0, 50) || "resident";
  if (!(stem in taken)) return stem;
  for (let number = 2; ; number++) if (!(`${stem}_${number}` in taken)) return `${stem}_${number}`;
}
