/** The town without its residents, kept as one picture while it does not change: then only the surroundings of residents are redrawn. */

import { BoxIndex, cellsOf } from "./boxes.js";

const CELL = 32; // pixels; what is drawn anew is so many wide and high

/** @typedef {import("./boxes.js").Box} Box */

export class Background {
  constructor() {
    this.looks = "";
    /** @type {HTMLCanvasElement | null} */
    this.picture = null;
  }

  /**
   * Draws the picture, if the town looks as in the frame before.
   * @param {CanvasRenderingContext2D} context
   * @param {string} looks the same for as long as `paint` draws the same
   * @param {() => void} paint draws the town without its people
   * @returns {boolean} whether it was drawn
   */
  draw(context, looks, paint) {
    if (looks !== this.looks) {
      this.looks = looks;
      this.picture = null;
      return false;
    }
    if (!this.picture) {
      paint();
      this.picture = copy(context.canvas);
      return true;
    }
    context.save();
    context.resetTransform();
    context.globalCompositeOperation = "copy";
    context.drawImage(this.picture, 0, 0);
    context.restore();
    return true;
  }
}

/** Clips drawing to the cells that boxes touch. @param {CanvasRenderingContext2D} context @param {Box[]} boxes @returns {BoxIndex} where that is */
export function clipTo(context, boxes) {
  const cells = [...new Set(boxes.flatMap((box) => cellsOf(box, CELL)))].sort((a, b) => a - b);
  const open = new BoxIndex();
  context.beginPath();
  for (let first = 0, next = 1; first < cells.length; first = next++) {
    while (cells[next] === cells[first] + next - first) next++; // side by side
    const row = Math.round(cells[first] / 4096);
    const [left, top, width] = [(cells[first] - row * 4096) * CELL, row * CELL, (next - first) * CELL];
    context.rect(left, top, width, CELL);
    open.add({ left, top, right: left + width, bottom: top + CELL });
  }
  context.clip();
  return open;
}

/** @param {HTMLCanvasElement} canvas */
function copy(canvas) {
  const picture = document.createElement("canvas");
  picture.width = canvas.width;
  picture.height = canvas.height;
  picture.getContext("2d")?.drawImage(canvas, 0, 0);
  return picture;
}
