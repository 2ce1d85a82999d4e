/** The board on which a town is drawn: its picture, the tile under the pointer, and what is being drawn; by mouse, by touch or by the arrow keys. */

import { clamp } from "../data/clamp.js";
import { make } from "../dom.js";
import { t } from "../data/i18n.js";

/** @typedef {[number, number]} Tile column and row */

const STEPS = /** @type {Record<string, Tile>} */ ({ ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] });
const BELOW = 20; // pixels of the page below the town
const ZOOMS = [8, 12, 16, 24, 32, 48]; // pixels of a tile on the page

/**
 * What a tool shows while it hovers, and does.
 * @typedef {object} Tool
 * @property {"click" | "paint" | "area"} way
 * @property {Tile} size of what is placed, in tiles
 * @property {string} picture of what is placed, "" for none
 * @property {(tiles: Tile[]) => void} act with one tile, those painted, or two corners
 */

export class Board {
  /** @param {Tile} size in tiles @param {Tool} tool */
  constructor(size, tool) {
    this.size = size;
    this.tool = tool;
    this.at = /** @type {Tile} */ ([Math.floor(size[0] / 2), Math.floor(size[1] / 2)]);
    /** @type {Tile[]} */
    this.drawn = []; // tiles since the button was pressed
    this.pressed = false;
    this.zoom = 16;
    this.picture = Object.assign(new Image(), { alt: t("The town, seen from above"), draggable: false, hidden: true });
    this.marks = make("div", "marks");
    this.ghost = make("div", "ghost");
    this.sheet = make("div", "sheet", this.picture, this.marks, this.ghost);
    this.element = make("div", "land", this.sheet);
    this.element.tabIndex = 0;
    this.element.setAttribute("role", "application");
    this.element.ariaLabel = t("The town: arrow keys choose a tile, Enter draws");
    this.sheet.addEventListener("pointerdown", (event) => this.press(event));
    this.sheet.addEventListener("pointermove", (event) => this.hover(event));
    this.sheet.addEventListener("pointerup", () => this.pressed && this.release());
    this.sheet.addEventListener("pointercancel", () => this.drop());
    this.sheet.addEventListener("pointerleave", () => (this.ghost.hidden = !this.drawn.length));
    this.element.addEventListener("keydown", (event) => this.key(event));
    this.scale();
  }

  /** Shows another picture of the town, once it has come. @param {string} address */
  show(address) {
    const next = Object.assign(new Image(), { src: address });
    void next.decode().then(
      () => (Object.assign(this.picture, { src: address, hidden: false }), this.marks.replaceChildren()),
      () => {},
    );
  }

  /** Chooses the largest size at which the whole town fits. */
  fit() {
    const height = window.innerHeight - this.element.getBoundingClientRect().top - window.scrollY - BELOW;
    this.element.style.maxHeight = `${height}px`;
    const room = Math.min(this.element.clientWidth / this.size[0], height / this.size[1]);
    this.zoom = Math.max(ZOOMS[0], Math.floor(room));
    this.scale();
  }

  /** @param {1 | -1} by */
  enlarge(by) {
    const next = by > 0 ? ZOOMS.find((zoom) => zoom > this.zoom) : ZOOMS.findLast((zoom) => zoom < this.zoom);
    this.zoom = next ?? this.zoom;
    this.scale();
  }

  scale() {
    Object.assign(this.sheet.style, { width: `${this.size[0] * this.zoom}px`, height: `${this.size[1] * this.zoom}px` });
    this.sheet.style.setProperty("--tile", `${this.zoom}px`);
    this.aim();
  }

  /** @param {PointerEvent} event @returns {Tile} */
  tile({ clientX, clientY }) {
    const { left, top, width, height } = this.sheet.getBoundingClientRect();
    const [columns, rows] = this.size;
    return this.nearest(Math.floor(((clientX - left) / width) * columns), Math.floor(((clientY - top) / height) * rows));
  }

  /** The tile of the town that is nearest to a place. @param {number} column @param {number} row @returns {Tile} */
  nearest(column, row) {
    return [clamp(column, 0, this.size[0] - 1), clamp(row, 0, this.size[1] - 1)];
  }

  /** @param {PointerEvent} event */
  press(event) {
    if (event.button) return;
    this.pressed = true;
    this.at = this.tile(event);
    if (event.pointerType === "touch" && this.tool.way === "click") return; // it may scroll the map
    this.sheet.setPointerCapture(event.pointerId);
    this.extend([this.at]);
  }

  /** Draws on. @param {Tile[]} tiles */
  extend(tiles) {
    this.drawn.push(...tiles);
    if (this.tool.way === "paint") this.mark(tiles);
    this.aim();
  }

  /** @param {PointerEvent} event */
  hover(event) {
    const at = this.tile(event);
    this.ghost.hidden = false;
    if (at[0] === this.at[0] && at[1] === this.at[1]) return;
    const way = between(this.at, at);
    this.at = at;
    if (this.drawn.length) this.extend(way);
    else this.aim();
  }

  release() {
    if (!this.drawn.length) this.drawn = [this.at];
    const [drawn, { way }] = [this.drawn, this.tool];
    this.drawn = [];
    this.pressed = false;
    this.tool.act(way === "paint" ? drawn : way === "area" ? [drawn[0], this.at] : [this.corner()]);
    this.aim();
  }

  drop() {
    this.drawn = [];
    this.pressed = false;
    this.aim();
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    const step = STEPS[event.key];
    if (event.key === "Escape") this.drop();
    else if (event.key === "Enter" || event.key === " ") this.enter();
    else if (step) this.go(step);
    else return;
    event.preventDefault();
  }

  /** Draws; an area is begun first, and drawn by the second press. */
  enter() {
    if (this.tool.way === "area" && !this.drawn.length) {
      this.drawn = [this.at];
      this.aim();
    } else this.release();
  }

  /** @param {Tile} step */
  go(step) {
    this.at = this.nearest(this.at[0] + step[0], this.at[1] + step[1]);
    this.ghost.hidden = false;
    this.aim();
    this.ghost.scrollIntoView({ block: "nearest", inline: "nearest" });
  }

  /** The upper left tile of what is placed, around the pointer and within the town. @returns {Tile} */
  corner() {
    const [columns, rows] = this.tool.size;
    const [column, row] = [this.at[0] - Math.floor((columns - 1) / 2), this.at[1] - Math.floor((rows - 1) / 2)];
    return [clamp(column, 0, this.size[0] - columns), clamp(row, 0, this.size[1] - rows)];
  }

  /** Shows where the tool would act, and what has been painted. */
  aim() {
    const { way, size, picture } = this.tool;
    this.sheet.style.touchAction = way === "click" ? "auto" : "none";
    const from = way === "area" && this.drawn.length ? this.drawn[0] : this.at;
    const [left, top] = way === "area" ? [Math.min(from[0], this.at[0]), Math.min(from[1], this.at[1])] : this.corner();
    const [columns, rows] = way === "area" ? [Math.abs(from[0] - this.at[0]) + 1, Math.abs(from[1] - this.at[1]) + 1] : size;
    place(this.ghost, [left, top, columns, rows]);
    this.ghost.style.backgroundImage = picture && way !== "area" ? `url("${picture}")` : "";
  }

  /** Marks tiles until the next picture comes. @param {Tile[]} tiles */
  mark(tiles) {
    for (const [column, row] of tiles) {
      const mark = make("i");
      place(mark, [column, row, 1, 1]);
      this.marks.append(mark);
    }
  }
}

/** Puts an element over some tiles. @param {HTMLElement} element @param {[number, number, number, number]} box in tiles */
export function place(element, [left, top, width, height]) {
  const tiles = (/** @type {number} */ count) => `calc(${count} * var(--tile))`;
  Object.assign(element.style, { left: tiles(left), top: tiles(top), width: tiles(width), height: tiles(height) });
}

/** The tiles on the way from one to another, without the first. @param {Tile} from @param {Tile} to @returns {Tile[]} */
function between(from, to) {
  const steps = Math.max(Math.abs(to[0] - from[0]), Math.abs(to[1] - from[1]));
  return Array.from({ length: steps }, (_, n) => {
    const share = (n + 1) / steps;
    return [Math.round(from[0] + (to[0] - from[0]) * share), Math.round(from[1] + (to[1] - from[1]) * share)];
  });
}
