/** Brings some people or a place into the picture: glides where they are near, cuts where they are far. */

import { clamp } from "../data/clamp.js";

const SEEN = { columns: 15, rows: 10.5 }; // tiles around two people
const [FARTHEST, NEAREST] = [0.9, 2.4]; // zoom
const ABOVE = 1.3; // tiles that the picture's middle lies above people, where their words are
const SPEED = 2.6; // share of the way that is left, in a second
const CUT = 1.3; // screens from which one cuts
const THERE = 0.3; // pixels

const still = globalThis.matchMedia?.("(prefers-reduced-motion: reduce)").matches ?? false;

export class Framing {
  /** @param {import("./stage.js").Stage} stage @param {HTMLElement} below what covers the lower edge, where it is shown */
  constructor(stage, below) {
    this.stage = stage;
    this.below = below;
    this.moves = 0; // of the camera, those that are known
  }

  /** Whether somebody else has moved the camera since. */
  get disturbed() {
    return Boolean(this.stage.followed) || this.moves !== this.stage.camera.moves;
  }

  /** Takes the camera over as it is. */
  take() {
    this.stage.camera.goal = null;
    this.moves = this.stage.camera.moves;
  }

  /** @param {{who: string[], address: string, wide?: number}} what the place is shown where nobody is named, or many @param {number} tick @param {number} seconds since the frame before */
  show({ who, address, wide = 1 }, tick, seconds) {
    const spot = this.middle(who, address, tick);
    if (spot) this.move(spot[0], spot[1], wide, seconds);
  }

  /** The middle of people, or of a place, in tiles. @param {string[]} who @param {string} address @param {number} tick @returns {[number, number] | undefined} */
  middle(who, address, tick) {
    const poses = who.slice(0, 2).flatMap((id) => this.stage.frames.pose(id, tick) ?? []);
    if (!poses.length || who.length > 2) return this.stage.spotOf(address);
    const [first, other = first] = poses;
    const apart = Math.hypot(first.x - other.x, first.y - other.y) > SEEN.rows;
    return apart ? [first.x, first.y] : [(first.x + other.x) / 2, (first.y + other.y) / 2];
  }

  /** @param {number} column @param {number} row @param {number} wide how many times as much is seen @param {number} seconds */
  move(column, row, wide, seconds) {
    const { camera, tile } = this.stage;
    const covered = this.below.hidden ? 0 : this.below.offsetHeight;
    const zoom = clamp(Math.min(camera.width / SEEN.columns, (camera.height - covered) / SEEN.rows) / tile / wide, FARTHEST / wide, NEAREST);
    const [x, y] = [(column + 0.5) * tile, (row + 0.5 - ABOVE) * tile + covered / 2 / zoom];
    const way = Math.hypot(x - camera.x, y - camera.y) * zoom;
    const cut = still || way > CUT * Math.max(camera.width, camera.height);
    const share = cut || (way < THERE && Math.abs(zoom - camera.zoom) < 0.004) ? 1 : 1 - Math.exp(-seconds * SPEED);
    if (cut && !still) fade(camera, this.stage.canvas);
    camera.zoom += (zoom - camera.zoom) * share;
    camera.approach(x, y, share);
  }
}

/** A cut is softened. @param {import("./camera.js").Camera} camera @param {HTMLElement} canvas */
function fade(camera, canvas) {
  canvas.animate?.([{ opacity: 0.15 }, { opacity: 1 }], { duration: camera.width > 0 ? 420 : 0, easing: "ease-out" });
}
