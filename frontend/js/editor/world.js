/** A world as its editor knows it: its residents as their files hold them, its places, and what is wrong with it. */

import * as api from "../data/api.js";

/** @typedef {{id: string, names: Record<string, string>, private?: boolean, bed?: boolean}} Place */
/** @typedef {{level: "error" | "warning", line: string}} Problem */
/** @typedef {{id: string, own: boolean, names: Record<string, string>, langs: string[]}} Entry */
/** @typedef {Entry & {residents: Record<string, any>, versions: Record<string, string>, sectors: Place[], arenas: Place[], things: Place[], problems: Problem[]}} World */

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

/** @param {string} world @param {string} who @param {any} content @returns {Promise<{problems: Problem[]}>} */
export const check = (world, who, content) => api.change("POST", `${resident(world, who)}/check?lang=${own}`, content);

/** @typedef {{residents: Record<string, any>, versions: Record<string, string>, problems: Problem[]}} People */
/** @typedef {Pick<World, "id" | "versions">} Known a world with the versions of its residents that a change is made for */

/** The version of somebody as this page has shown them. @param {Known} world @param {string} who */
const version = (world, who) => `"${world.versions[who] ?? "new"}"`;

/** @param {Known} world @param {string} who @param {any} content @returns {Promise<People>} */
export const put = (world, who, content) => api.change("PUT", `${resident(world.id, who)}?lang=${own}`, content, version(world, who));

/** @param {Known} world @param {string} who @returns {Promise<People>} */
export const remove = (world, who) => api.change("DELETE", `${resident(world.id, who)}?lang=${own}`, {}, version(world, who));

/** The rooms of a world. @param {string} world @returns {Promise<import("./painter.js").Rooms>} */
export const rooms = (world) => api.document(address(world, `/rooms?lang=${own}`));

/** Changes to the map of a world: tried, made, taken back. */
export const stroke = {
  /** @param {string} world @param {any} asked @returns {Promise<{problems: Problem[]}>} */
  check: (world, asked) => api.change("POST", address(world, `/map/check?lang=${own}`), asked),
  /** @param {string} world @param {any} asked @param {string} version @returns {Promise<import("./painter.js").Painted>} */
  make: (world, asked, version) => api.change("PUT", address(world, `/map?lang=${own}`), asked, `"${version}"`),
  /** @param {string} world @returns {Promise<import("./painter.js").Painted>} */
  undo: (world) => api.change("POST", address(world, `/map/undo?lang=${own}`)),
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

/** Somebody whose life is yet to be written, in a bed that nobody sleeps in. @param {World} world */
export function somebody(world) {
  const taken = new Set(Object.values(world.residents).map((other) => other.sleeps));
  const bed = world.things.find((thing) => thing.bed && !taken.has(thing.id))?.id ?? "";
  const home = bed.split("/").slice(0, 2).join("/");
  /** @param {Record<string, any>} texts */
  const text = (texts) => Object.fromEntries(world.langs.map((lang) => [lang, texts[lang] ?? ""]));
  const day = { start: "08:00", end: "20:00", place: home, activity: text({ en: "being at home", zh: "待在家里" }) };
  return {
    name: text({}),
    age: 30,
    occupation: text({}),
    pronouns: text({ en: ["she", "her", "her"], zh: ["她"] }),
    innate: text({}),
    learned: text({}),
    lifestyle: text({}),
    currently: text({}),
    daily_plan: text({}),
    wake: "07:00",
    bed: "22:30",
    home,
    sleeps: bed,
    interests: Object.fromEntries(world.langs.map((lang) => [lang, []])),
    habits: [day],
    relations: {},
  };
}
