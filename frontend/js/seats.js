/**
 * Which way somebody who uses a thing from a tile looks, as a row of the figures' sheets (down, left, right, up);
 * null where the map does not say.
 *
 * @param {import("./types.js").Thing | undefined} thing
 * @param {[number, number]} tile
 * @returns {number | null}
 */
export function seatFacing(thing, [column, row]) {
  const way = thing?.facing?.[`${column},${row}`];
  return way ? ["down", "left", "right", "up"].indexOf(way) : null;
}
