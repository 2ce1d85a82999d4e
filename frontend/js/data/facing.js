/** The four directions in which a figure can look, as rows of its sheet. */

export const DOWN = 0;
export const LEFT = 1;
export const RIGHT = 2;
export const UP = 3;

/** The direction of a step by (dx, dy); `before` for no step. @param {number} dx @param {number} dy @param {number} before */
export function facing(dx, dy, before) {
  if (Math.abs(dx) > Math.abs(dy)) return dx > 0 ? RIGHT : LEFT;
  if (dy !== 0) return dy > 0 ? DOWN : UP;
  return before;
}

/**
 * The direction in which somebody who uses a thing from a tile looks, null where the map doesn't say.
 *
 * @param {import("./shapes.js").Thing | undefined} thing
 * @param {[number, number]} tile
 * @returns {number | null}
 */
export function seatFacing(thing, [column, row]) {
  const direction = thing?.facing?.[`${column},${row}`];
  return direction ? ["down", "left", "right", "up"].indexOf(direction) : null;
}
