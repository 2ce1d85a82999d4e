/** Which parts of the screen are taken: boxes in a grid, as a frame queries them often. */

const CELL = 64; // pixels

/** @typedef {{left: number, top: number, right: number, bottom: number}} Box */

/** @param {Box} a @param {Box} b */
export function overlap(a, b) {
  return a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
}

export class BoxIndex {
  /** @param {Iterable<Box>} [boxes] what is taken from the start */
  constructor(boxes = []) {
    /** @type {Map<number, {box: Box, of: string}[]>} */
    this.cells = new Map();
    for (const box of boxes) this.add(box);
  }

  /** @param {Box} box @param {string} [of] whose it is */
  add(box, of = "") {
    for (const cell of cellsOf(box)) {
      const there = this.cells.get(cell);
      if (there) there.push({ box, of });
      else this.cells.set(cell, [{ box, of }]);
    }
  }

  /** Whether a box overlaps no box, other than those of the owner `but`. @param {Box} box @param {string} [but] */
  free(box, but) {
    return !cellsOf(box).some((cell) => this.cells.get(cell)?.some((entry) => entry.of !== but && overlap(entry.box, box)));
  }
}

/** The numbers of the cells that a box touches, 4096 to a row. @param {Box} box @param {number} [cell] pixels of one @returns {number[]} */
export function cellsOf({ left, top, right, bottom }, cell = CELL) {
  const cells = [];
  for (let row = Math.floor(top / cell); row * cell < bottom; row++) {
    for (let column = Math.floor(left / cell); column * cell < right; column++) cells.push(row * 4096 + column);
  }
  return cells;
}
