/** Which parts of the screen are taken; asked for often in a frame, so boxes are kept by the cells that they touch. */

const CELL = 64; // pixels

/** @typedef {{left: number, top: number, right: number, bottom: number}} Box */

/** @param {Box} a @param {Box} b */
export function overlap(a, b) {
  return a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
}

export class Room {
  /** @param {Iterable<Box>} [boxes] what is taken from the start */
  constructor(boxes = []) {
    /** @type {Map<number, {box: Box, of: string}[]>} */
    this.cells = new Map();
    for (const box of boxes) this.take(box);
  }

  /** @param {Box} box @param {string} [of] whose it is */
  take(box, of = "") {
    for (const cell of touched(box)) {
      const there = this.cells.get(cell);
      if (there) there.push({ box, of });
      else this.cells.set(cell, [{ box, of }]);
    }
  }

  /** Whether nothing lies there but what is of `but`. @param {Box} box @param {string} [but] */
  free(box, but) {
    return !touched(box).some((cell) => this.cells.get(cell)?.some((one) => one.of !== but && overlap(one.box, box)));
  }
}

/** The numbers of cells, 4096 to a row. @param {Box} box @param {number} [cell] pixels of one @returns {number[]} */
export function touched({ left, top, right, bottom }, cell = CELL) {
  const found = [];
  for (let row = Math.floor(top / cell); row * cell < bottom; row++) {
    for (let column = Math.floor(left / cell); column * cell < right; column++) found.push(row * 4096 + column);
  }
  return found;
}
