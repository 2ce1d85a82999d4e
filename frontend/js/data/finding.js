/** What is found by words: people, places, things, and all that was said, remembered and done. */

import { memoryBlocks } from "./views.js";

const SHOWN = 5; // of each kind
const BEFORE = 40; // letters before the first word that was found
const LONGEST = 150; // letters of what is shown

/** @typedef {"person" | "place" | "line" | "memory" | "action"} Kind */
/**
 * Something that can be found; `times`: how often the same was remembered or done, of which this is the first.
 * @typedef {{kind: Kind, text: string, who: string, tick: number, address: string, conversation: string, memory: number, weight: number, times: number}} Entry
 * @typedef {{kind: Kind, total: number, entries: Entry[]}} Group
 */

/** @type {Kind[]} in the order in which they are shown */
export const KINDS = ["person", "place", "line", "memory", "action"];

/** @param {Kind} kind @param {string} text @param {Partial<Entry>} more @returns {Entry} */
function entry(kind, text, more) {
  return { kind, text, who: "", tick: 0, address: "", conversation: "", memory: 0, weight: 0, times: 1, ...more };
}

/** Who and what there is: known at once. @param {import("./shapes.js").RunView} run @returns {Entry[]} */
export function known({ residents, places, things }) {
  return [
    ...residents.map(({ id, name }) => entry("person", name, { who: id })),
    ...Object.entries(places).map(([address, name]) => entry("place", name, { address, weight: 1 })),
    ...Object.entries(things).map(([address, { name }]) => entry("place", `${name} · ${places[arenaOf(address)] ?? ""}`, { address })),
  ];
}

/** @param {string} address of an arena or a thing */
function arenaOf(address) {
  return address.split("/").slice(0, 2).join("/");
}

/** All that was said, remembered and done. @param {import("./blocks.js").Blocks} blocks @returns {Promise<Entry[]>} */
export async function told(blocks) {
  const { residents } = await blocks.run();
  const of = residents.map(async ({ id }) => [...(await remembered(blocks, id)), ...(await done(blocks, id))]);
  return [...(await said(blocks)), ...(await Promise.all(of)).flat()];
}

/** @param {import("./blocks.js").Blocks} blocks */
async function said(blocks) {
  /** @type {Map<string, import("./shapes.js").ConversationView>} */
  const held = new Map();
  for (const { items } of await blocks.upTo("conversations", "conversations")) for (const one of items) held.set(one.id, one);
  return [...held.values()].flatMap(({ id, lines, tick, address }) =>
    lines.map(({ speaker, text }) => entry("line", text, { who: speaker, tick, address, conversation: id })),
  );
}

/** @param {import("./blocks.js").Blocks} blocks @param {string} who */
async function remembered(blocks, who) {
  const items = (await memoryBlocks(blocks, who)).flatMap((block) => block.items);
  return once(items.map(({ id, text, tick, address, poignancy }) => entry("memory", text, { who, tick, address, memory: id, weight: poignancy })));
}

/** @param {import("./blocks.js").Blocks} blocks @param {string} who */
async function done(blocks, who) {
  /** @type {import("./shapes.js").Mark[]} */
  const marks = await blocks.whole(`residents/${who}/marks`);
  return once(marks.filter(({ kind }) => kind === "action").map(({ text, tick }) => entry("action", text, { who, tick })));
}

/** The first of each text. @param {Entry[]} entries */
function once(entries) {
  /** @type {Map<string, Entry>} */
  const first = new Map();
  for (const one of entries) {
    const same = first.get(one.text);
    if (same) same.times++;
    else first.set(one.text, one);
  }
  return [...first.values()];
}

/** The words of a query, in small letters. @param {string} query */
function wordsOf(query) {
  return query.toLowerCase().split(/\s+/u).filter(Boolean);
}

/** What holds all words of a query, by kind: whatever begins with one of them first, then what weighs most, then what came first, then what is short. @param {Entry[]} entries @param {string} query @returns {Group[]} */
export function find(entries, query) {
  const words = wordsOf(query);
  if (!words.length) return [];
  const found = entries.filter(({ text }) => holds(text.toLowerCase(), words));
  return KINDS.flatMap((kind) => {
    const ranked = found
      .filter((one) => one.kind === kind)
      .map((one) => ({ one, begins: begins(one.text.toLowerCase(), words) }))
      .sort(
        (one, other) =>
          other.begins - one.begins || other.one.weight - one.one.weight || one.one.tick - other.one.tick || one.one.text.length - other.one.text.length,
      );
    return ranked.length ? [{ kind, total: ranked.length, entries: ranked.slice(0, SHOWN).map(({ one }) => one) }] : [];
  });
}

/** @param {string} text @param {string[]} words */
function holds(text, words) {
  return words.every((word) => text.includes(word));
}

/** How many of the words stand at the beginning of one. @param {string} text @param {string[]} words */
function begins(text, words) {
  return words.filter((word) => text.startsWith(word) || text.includes(` ${word}`)).length;
}

/** A text about the first word that was found in it, in parts: every second one is what was looked for. @param {string} text @param {string} query @returns {string[]} */
export function parts(text, query) {
  const words = wordsOf(query);
  const small = text.toLowerCase();
  const at = Math.min(...words.map((word) => small.indexOf(word)).filter((place) => place >= 0), text.length);
  const from = text.length <= LONGEST || at <= BEFORE ? 0 : at - BEFORE;
  const cut = `${from ? "…" : ""}${text.slice(from, from + LONGEST)}${from + LONGEST < text.length ? "…" : ""}`;
  const plain = words.map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  return cut.split(new RegExp(`(${plain.join("|")})`, "iu"));
}
