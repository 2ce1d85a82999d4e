/** Where somebody was in some steps, and how long in which place. */

/** @typedef {import("./shapes.js").Trail} Trail */
/** @typedef {import("./shapes.js").Arenas} Arenas */
/** @typedef {{stood: number[], places: {address: string, minutes: number}[]}} Stays   `stood`: column, row and ticks of each tile, flat */
/** @typedef {{from: number, to: number, at: [number, number], moves: number[]} & Stays} TrailView */

/** @type {import("./views.js").View} */
export async function trail(blocks, query, [who]) {
  const { ticks, stride } = await blocks.run();
  const [from, to] = [Number(query.get("from") ?? 1), Math.min(Number(query.get("to") ?? blocks.steps), Math.max(1, blocks.steps))];
  const [begin, end] = [(from - 1) * ticks, to * ticks];
  /** @type {Trail[]} */
  const trails = await blocks.upTo("trail", `residents/${who}/trail`, to);
  let at = trails[0].at;
  /** @type {number[]} */
  const moves = [];
  for (const block of trails) {
    for (let i = 0; i < block.moves.length && block.moves[i] < end; i += 3) {
      if (block.moves[i] < begin) at = [block.moves[i + 1], block.moves[i + 2]];
      else moves.push(...block.moves.slice(i, i + 3));
    }
  }
  return { from, to, at, moves, ...stays([begin - 1, ...at, ...moves, end - 1], await blocks.whole("arenas"), ticks / stride) };
}

/**
 * How long somebody stood on which tile and was in which arena.
 * @param {number[]} stops  tick, column and row of each tile entered, and at last the tick until which that is shown
 * @param {Arenas} town
 * @param {number} minute   ticks of one
 * @returns {Stays}
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
