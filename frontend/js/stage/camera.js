/** Which part of the town is on the screen, in CSS pixels. */

import { clamp } from "../data/clamp.js";

const MIN_ZOOM = 0.1; // or less, to see all of a large town
const MAX_ZOOM = 4;
const MARGIN = 48; // pixels that may be seen beyond the edge of the map

export class Camera {
  /** @param {number} worldWidth @param {number} worldHeight in map pixels @param {number} zoom screen pixels for one map pixel */
  constructor(worldWidth, worldHeight, zoom) {
    /** @type {[number, number]} */
    this.world = [worldWidth, worldHeight];
    this.width = 1;
    this.height = 1;
    this.x = worldWidth / 2;
    this.y = worldHeight / 2;
    this.zoom = clamp(zoom, MIN_ZOOM, MAX_ZOOM);
    /** @type {[number, number] | null} where it is on the way to, if anywhere */
    this.goal = null;
    this.moves = 0; // how often it was moved from outside, even where the edge of the map held it
  }

  /** A key of what is in view, to a tenth of a pixel. */
  get view() {
    return [...this.toScreen(0, 0).map((at) => at.toFixed(1)), this.zoom, this.width, this.height].join();
  }

  /** Whether the whole map is on the screen. */
  get seesAll() {
    const [left, top] = this.toScreen(0, 0);
    const [right, bottom] = this.toScreen(...this.world);
    return left >= 0 && top >= 0 && right <= this.width && bottom <= this.height;
  }

  /** The zoom at which the whole map fills the screen. */
  get fitting() {
    return Math.min(this.width / this.world[0], this.height / this.world[1]);
  }

  /** @param {number} x @param {number} y @returns {[number, number]} */
  toScreen(x, y) {
    return [(x - this.x) * this.zoom + this.width / 2, (y - this.y) * this.zoom + this.height / 2];
  }

  /** @param {number} x @param {number} y @returns {[number, number]} */
  toWorld(x, y) {
    return [(x - this.width / 2) / this.zoom + this.x, (y - this.height / 2) / this.zoom + this.y];
  }

  /** @param {import("./boxes.js").Box} box on the screen */
  sees({ left, top, right, bottom }) {
    return right > 0 && bottom > 0 && left < this.width && top < this.height;
  }

  /** Zooms, keeping what lies under the point (x, y) of the screen. @param {number} factor @param {number} [x] @param {number} [y] */
  zoomBy(factor, x = this.width / 2, y = this.height / 2) {
    const [wx, wy] = this.toWorld(x, y);
    this.zoom = clamp(this.zoom * factor, Math.min(MIN_ZOOM, this.fitting), MAX_ZOOM);
    this.lookAt(wx - (x - this.width / 2) / this.zoom, wy - (y - this.height / 2) / this.zoom);
  }

  /** @param {number} dx @param {number} dy in screen pixels */
  pan(dx, dy) {
    this.goal = null;
    this.lookAt(this.x - dx / this.zoom, this.y - dy / this.zoom);
  }

  /** Centres a point of the map, as far as the map's edges allow; a map smaller than the screen stays in the middle. @param {number} x @param {number} y */
  lookAt(x, y) {
    this.moves++;
    this.centre(x, y);
  }

  /** @param {number} x @param {number} y */
  centre(x, y) {
    const margin = MARGIN / this.zoom;
    this.x = within(x, this.world[0], this.width / this.zoom, margin);
    this.y = within(y, this.world[1], this.height / this.zoom, margin);
  }

  /** Moves towards a point; `share` of the way at once. @param {number} x @param {number} y @param {number} share */
  approach(x, y, share) {
    this.centre(this.x + (x - this.x) * share, this.y + (y - this.y) * share);
  }

  /** Starts gliding to a point of the map. @param {number} x @param {number} y */
  glideTo(x, y) {
    this.moves++;
    this.goal = [x, y];
  }

  /** Starts gliding to what lies beside the view. @param {number} dx @param {number} dy in screens */
  glideBy(dx, dy) {
    const [x, y] = this.goal ?? [this.x, this.y];
    this.glideTo(x + (dx * this.width) / this.zoom, y + (dy * this.height) / this.zoom);
  }

  /** Continues gliding. @param {number} share of what is left of it */
  glide(share) {
    if (!this.goal) return;
    const [x, y] = [this.x, this.y];
    this.approach(...this.goal, share);
    if (Math.hypot(this.x - x, this.y - y) * this.zoom < 0.2) this.goal = null;
  }

  /** Shows the whole town. */
  fit() {
    this.goal = null;
    this.zoom = Math.min(this.fitting, MAX_ZOOM);
    this.lookAt(this.world[0] / 2, this.world[1] / 2);
  }

  /** @param {number} width @param {number} height */
  resize(width, height) {
    this.width = width;
    this.height = height;
    this.centre(this.x, this.y);
  }
}

/** @param {number} centre @param {number} size @param {number} seen @param {number} margin */
function within(centre, size, seen, margin) {
  const low = Math.min(size / 2, seen / 2 - margin);
  return clamp(centre, low, size - low);
}
