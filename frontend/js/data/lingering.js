/** A place in time: who was in it, and what was said there. */

import { TICKS_PER_MINUTE } from "./gametime.js";

const PASSED = 2 * TICKS_PER_MINUTE; // whoever stays no longer has only passed through
const AWAY = 5 * TICKS_PER_MINUTE; // whoever is back so soon has not been away

/** @typedef {{who: string, tick: number, end: number}} Visit */
/** @typedef {{visits: Visit[], talks: import("./shapes.js").ConversationView[]}} PlaceView both in order of time */

/** Who has been in an arena (`address`), and the conversations held there. @type {import("./views.js").View} */
export async function place(blocks, query) {
  const address = query.get("address") ?? "";
  const { residents, ticks } = await blocks.run();
  const arenas = await blocks.whole("arenas");
  const end = blocks.steps * ticks;
  const of = residents.map(async ({ id }) => visits(id, await blocks.upTo("trail", `residents/${id}/trail`), arenas, address, end));
  /** @type {Map<string, import("./shapes.js").ConversationView>} */
  const talks = new Map();
  for (const { items } of await blocks.upTo("conversations", "conversations")) for (const talk of items) talks.set(talk.id, talk);
  /** @type {PlaceView} */
  const view = {
    visits: (await Promise.all(of)).flat().sort((one, other) => one.tick - other.tick),
    talks: [...talks.values()].filter((talk) => talk.address === address).sort((one, other) => one.tick - other.tick),
  };
  return view;
}

/**
 * The times that somebody spent in an arena.
 * @param {string} who @param {import("./shapes.js").Trail[]} trails from the first step on @param {import("./shapes.js").Arenas} arenas @param {string} address
 * @param {number} end the tick until which it is known where they are
 * @returns {Visit[]}
 */
export function visits(who, trails, { columns, names, cells }, address, end) {
  const arena = names.indexOf(address);
  const stops = [0, ...(trails[0]?.at ?? []), ...trails.flatMap(({ moves }) => moves)];
  /** @type {Visit[]} */
  const found = [];
  for (let i = 0; i + 2 < stops.length; i += 3) {
    const [tick, column, row, until = end] = stops.slice(i, i + 4);
    if (arena < 0 || cells[row * columns + column] !== arena) continue;
    const last = found.at(-1);
    if (last && tick - last.end < AWAY) last.end = until;
    else found.push({ who, tick, end: until });
  }
  return found.filter((visit) => visit.end - visit.tick > PASSED);
}
