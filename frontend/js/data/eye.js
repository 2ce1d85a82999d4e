/**
 * The town as one resident knows it at a moment: where it has been, whom it last saw where, and what it takes things to be.
 *
 * @typedef {{who: string, tick: number, at: [number, number] | null, address: string, text: string}} Sighting   `at`: the tile, where it is known
 * @typedef {{step: number, radius: number, places: string[], people: Sighting[], things: Record<string, string>}} Eye
 *   `things` are those that are believed to be in another state than the usual one
 */

import { memoriesAt } from "./retrieval.js";

/** @typedef {import("./shapes.js").Beliefs} Beliefs */
/** @typedef {import("./shapes.js").Memories} Memories */
/** @typedef {import("./shapes.js").Arenas} Arenas */

/** @type {import("./views.js").View} */
export async function eye(blocks, query, [who]) {
  const step = Math.min(Number(query.get("step") ?? blocks.steps), blocks.steps);
  /** @type {Beliefs} */
  const block = await blocks.at("beliefs", `residents/${who}/beliefs`, step);
  const arenas = await blocks.whole("arenas");
  const seen = lastSeen(who, await blocks.upTo("memories", `residents/${who}/memories`, step), step);
  const people = seen.map(async (sighting) => ({ ...sighting, at: await tileOf(blocks, sighting, arenas) }));
  /** @type {Eye} */
  const view = {
    step,
    radius: block.radius,
    places: block.places.findLast(([since]) => since <= step)?.[1] ?? [],
    people: await Promise.all(people),
    things: {},
  };
  for (const [since, arena, things] of block.things) {
    if (since > step) break;
    for (const address of Object.keys(view.things)) if (address.startsWith(`${arena}/`)) delete view.things[address];
    Object.assign(view.things, things);
  }
  return view;
}

/** Where and when a resident last saw each other one, by its own memories: what it was merely told of is no sight. @param {string} who @param {Memories[]} blocks @param {number} step */
export function lastSeen(who, blocks, step) {
  /** @type {Map<string, {who: string, tick: number, step: number, address: string, text: string}>} */
  const seen = new Map();
  for (const memory of memoriesAt(blocks, step)) {
    const sight = memory.address && (memory.type === "chat" || (memory.type === "event" && !memory.conversation));
    if (!sight) continue;
    for (const other of memory.about)
      if (other !== who) seen.set(other, { who: other, tick: memory.tick, step: memory.step, address: memory.address, text: memory.text });
  }
  return [...seen.values()].sort((one, other) => (one.who < other.who ? -1 : 1));
}

/**
 * The tile on which somebody was when it was seen; null where it was not in that place, as whoever is heard of or passes by.
 * @param {import("./blocks.js").Blocks} blocks @param {{who: string, tick: number, step: number, address: string}} sighting @param {Arenas} arenas @returns {Promise<[number, number] | null>}
 */
async function tileOf(blocks, { who, tick, step, address }, { columns, names, cells }) {
  if (!(await blocks.run()).residents.some(({ id }) => id === who)) return null;
  /** @type {import("./shapes.js").Trail} */
  const { at, moves } = await blocks.at("trail", `residents/${who}/trail`, step);
  let tile = at;
  for (let i = 0; i < moves.length && moves[i] <= tick; i += 3) tile = [moves[i + 1], moves[i + 2]];
  return names[cells[tile[1] * columns + tile[0]] ?? 0] === address ? tile : null;
}
