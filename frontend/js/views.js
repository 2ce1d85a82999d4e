/**
 * What the server would have worked out for a request, from the answers that a file carries.
 *
 * @typedef {(key: string) => Promise<any>} Load
 * @typedef {(load: Load, asked: URLSearchParams, names: string[]) => Promise<any>} View
 *
 * @typedef {{id: number, step: number, tick: number, type: string, text: string, poignancy: number, evidence: number[], talk: string, used: number | null, retired: boolean}} Memory
 * @typedef {object} Stream       a resident's memories, oldest first
 * @property {Memory[]} items
 * @property {[number, number, number][]} used      step, memory, tick
 * @property {[number, number][]} retired           step, memory
 * @property {Weighing} settings
 * @property {number} ticks       ticks of a step
 *
 * @typedef {object} Weighing
 * @property {number} recency_decay
 * @property {number} recency_weight
 * @property {number} importance_weight
 * @property {number} relevance_weight
 */

import { why } from "./views_why.js";

const BEFORE = 0.25; // share of a page of conversations that lies before the moment it is asked for

/** @type {[RegExp, View][]} by the address below the run's own */
export const VIEWS = [
  [/^frames$/, (load, asked) => load(`frames/${asked.get("from")}`)],
  [/^residents\/([^/]+)$/, resident],
  [/^residents\/([^/]+)\/memories$/, memories],
  [/^residents\/([^/]+)\/trail$/, trail],
  [/^diary\/([^/]+)$/, diary],
  [/^memories\/([^/]+)\/(\d+)\/tree$/, tree],
  [/^talks$/, talks],
  [/^why$/, why],
  [/^insight\/spread$/, spread],
];

/** @param {URLSearchParams} asked @param {string} key @param {number} otherwise */
function number(asked, key, otherwise) {
  return Number(asked.get(key) ?? otherwise);
}

/** @template T @param {T[]} items @param {URLSearchParams} asked */
function page(items, asked) {
  const offset = number(asked, "offset", 0);
  return items.slice(offset, offset + number(asked, "limit", 50));
}

/** The versions of each part of the answer, each from a step on. @type {View} */
async function resident(load, asked, [who]) {
  /** @type {Record<string, [number, any][]>} */
  const parts = await load(`residents/${who}`);
  const step = number(asked, "step", Infinity);
  const held = Object.entries(parts).map(([key, versions]) => [key, versions.findLast(([since]) => since <= step)?.[1]]);
  return Object.fromEntries(held);
}

/** @type {View} */
async function memories(load, asked, [who]) {
  /** @type {Stream} */
  const stream = await load(`residents/${who}/memories`);
  const step = number(asked, "step", Infinity);
  const items = asOf(stream, step);
  const query = asked.get("query")?.trim();
  const ranked = query && asked.get("sort") !== "time" ? score(items.filter((one) => !one.retired), query, step * stream.ticks, stream.settings) : items.reverse();
  const types = (asked.get("type") ?? "").split(",").filter(Boolean);
  const text = (asked.get("text") ?? "").trim().toLowerCase();
  const least = number(asked, "min", 1);
  const found = ranked.filter((one) => (!types.length || types.includes(one.type)) && one.poignancy >= least && one.text.toLowerCase().includes(text));
  const { recency_weight, importance_weight, relevance_weight } = stream.settings;
  const by = query ? { by: "words", weights: [recency_weight, importance_weight, relevance_weight] } : {};
  return { total: found.length, ...by, items: page(found, asked) };
}

/** The memories that there were after a step, as they were then. @param {Stream} stream @param {number} step @returns {Memory[]} */
function asOf(stream, step) {
  const used = new Map(stream.used.filter(([at]) => at <= step).map(([, id, tick]) => [id, tick]));
  const gone = new Set(stream.retired.filter(([at]) => at <= step).map(([, id]) => id));
  return stream.items.filter((one) => one.step <= step).map((one) => ({ ...one, used: used.get(one.id) ?? null, retired: gone.has(one.id) }));
}

/**
 * Best first, by recency, importance, and by how many of the query's words a memory shares.
 * @param {Memory[]} items
 * @param {string} query
 * @param {number} tick
 * @param {Weighing} weighing
 */
function score(items, query, tick, weighing) {
  const wanted = units(query);
  const hours = items.map((one) => Math.max(0, tick - (one.used ?? one.tick)) / 360);
  const recency = scaled(hours.map((one) => weighing.recency_decay ** one));
  const importance = scaled(items.map((one) => one.poignancy));
  const relevance = scaled(items.map((one) => shared(wanted, units(one.text))));
  const scores = items.map((_, at) => {
    const sum = weighing.recency_weight * recency[at] + weighing.importance_weight * importance[at] + weighing.relevance_weight * relevance[at];
    return [sum, recency[at], importance[at], relevance[at]];
  });
  return items.map((one, at) => ({ ...one, scores: scores[at] })).sort((a, b) => b.scores[0] - a.scores[0] || b.id - a.id);
}

/** Words by their first letters, Chinese by pairs of characters. @param {string} text */
function units(text) {
  const words = text.toLowerCase().match(/\p{Script=Han}+|[\p{L}\p{N}]+/gu) ?? [];
  const pairs = (/** @type {string} */ word) => (word.length < 2 ? [word] : [...word].slice(1).map((one, at) => word[at] + one));
  return new Set(words.flatMap((word) => (/\p{Script=Han}/u.test(word) ? pairs(word) : [word.slice(0, 6)])));
}

/** @param {Set<string>} one @param {Set<string>} other @returns {number} the cosine of the two sets */
function shared(one, other) {
  const both = [...one].filter((unit) => other.has(unit)).length;
  return both / Math.sqrt(Math.max(1, one.size * other.size));
}

/** To 0–1 over all of them. @param {number[]} values */
function scaled(values) {
  const [low, high] = values.reduce(([least, most], one) => [Math.min(least, one), Math.max(most, one)], [Infinity, -Infinity]);
  return values.map((one) => (high > low ? (one - low) / (high - low) : 0.5));
}

/** @type {View} */
async function diary(load, asked, [who]) {
  /** @type {Record<string, any>} */
  const days = await load(`diary/${who}`);
  const dates = Object.keys(days);
  const wanted = asked.get("day") ?? dates[0];
  return days[wanted] ?? days[wanted < dates[0] ? dates[0] : dates[dates.length - 1]];
}

/** Where somebody was in some steps, from the frames, and how long in which place. @type {View} */
async function trail(load, asked, [who]) {
  const [run, town] = [await load(""), await load("arenas")];
  const [from, to] = [number(asked, "from", 1), number(asked, "to", run.steps)];
  const [begin, end] = [(from - 1) * run.ticks, to * run.ticks];
  let at = (await load("frames/1")).residents[who].at;
  /** @type {number[]} */
  const moves = [];
  for (let first = 1; first <= to; first += run.chunk) {
    const entered = (await load(`frames/${first}`)).residents[who].moves;
    for (let i = 0; i < entered.length && entered[i] < end; i += 3) {
      if (entered[i] < begin) at = [entered[i + 1], entered[i + 2]];
      else moves.push(...entered.slice(i, i + 3));
    }
  }
  return { from, to, at, moves, ...stays([begin - 1, ...at, ...moves, end - 1], town, run.ticks / run.stride) };
}

/**
 * How long somebody stood on which tile and was in which arena.
 * @param {number[]} stops  tick, column and row of each tile entered, and at last the tick until which that is told
 * @param {{columns: number, names: string[], cells: number[]}} town
 * @param {number} minute   ticks of one
 */
function stays(stops, { columns, names, cells }, minute) {
  /** @type {Map<number, number>} */
  const ticks = new Map();
  /** @type {Map<string, number>} */
  const places = new Map();
  for (let i = 0; i + 3 < stops.length; i += 3) {
    const [tick, column, row, until] = stops.slice(i, i + 4);
    const tile = row * columns + column;
    ticks.set(tile, (ticks.get(tile) ?? 0) + until - tick);
    const address = names[cells[tile] ?? 0] ?? "";
    if (address) places.set(address, (places.get(address) ?? 0) + until - tick);
  }
  return {
    stood: [...ticks].flatMap(([tile, stood]) => [tile % columns, Math.floor(tile / columns), stood]),
    places: [...places].sort(([, a], [, b]) => b - a).map(([address, stood]) => ({ address, minutes: Math.round(stood / minute) })),
  };
}

/** @type {View} */
async function tree(load, _, [who, one]) {
  /** @type {Stream} */
  const stream = await load(`residents/${who}/memories`);
  const known = new Map(asOf(stream, Infinity).map((memory) => [memory.id, memory]));
  const told = new Set();
  const branch = (/** @type {number} */ id) => {
    const memory = /** @type {Memory} */ (known.get(id));
    const again = told.has(id);
    told.add(id);
    /** @type {any[]} */
    const evidence = again ? [] : memory.evidence.filter((below) => known.has(below)).map(branch);
    return { memory, again, evidence };
  };
  return branch(Number(one));
}

/** @type {View} */
async function talks(load, asked) {
  /** @type {any[]} */
  const all = await load("talks");
  const people = (asked.get("who") ?? "").split(",").filter(Boolean);
  const text = (asked.get("text") ?? "").trim().toLowerCase();
  const said = await searchable(load);
  const found = all.filter((talk) => people.every((who) => who === talk.opener || who === talk.partner) && said(talk).includes(text));
  const limit = number(asked, "limit", 50);
  const begun = found.filter((talk) => talk.tick <= number(asked, "at", 0)).length;
  const offset = asked.has("at") ? Math.max(0, Math.min(begun - Math.floor(BEFORE * limit), found.length - limit)) : number(asked, "offset", 0);
  return { total: found.length, offset, items: found.slice(offset, offset + limit) };
}

/** What a word is looked for in: all that was said, the summary, and the names of people and place. @param {Load} load @returns {Promise<(talk: any) => string>} */
async function searchable(load) {
  /** @type {import("./types.js").Run} */
  const run = await load("");
  const names = new Map(run.residents.map((one) => [one.id, one.name]));
  return ({ opener, partner, address, summary, lines }) => {
    const said = lines.map((/** @type {{text: string}} */ line) => line.text);
    return [summary, names.get(opener), names.get(partner), run.places[address], ...said].join("\n").toLowerCase();
  };
}

/** Who came to know of a word, from whom; of what the file tells already, what it tells. @type {View} */
async function spread(load, asked) {
  const text = (asked.get("text") ?? "").trim().toLowerCase();
  if (!text) return load(`insight/spread${`${asked}` && `?${asked}`}`);
  const [run, all, told] = [await load(""), await load("talks"), await load("insight/spread")];
  /** @type {Map<string, any>} */
  const held = new Map(all.map((/** @type {any} */ talk) => [talk.id, talk]));
  const learned = [];
  for (const { id: who } of run.residents) {
    const first = (await load(`residents/${who}/memories`)).items.find((/** @type {Memory} */ one) => one.text.toLowerCase().includes(text));
    const talk = held.get(first?.talk);
    const from = talk ? (talk.opener === who ? talk.partner : talk.opener) : "";
    if (first) learned.push({ who, from, tick: first.tick, step: first.step, talk: first.talk, memory: first.id, text: first.text });
  }
  return { ...told, learned: learned.sort((one, other) => one.step - other.step || (one.who < other.who ? -1 : 1)) };
}
