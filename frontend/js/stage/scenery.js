/** What of the town moves by itself while time goes on: water, fountains, ducks, smoke over stoves, fires, leaves. */

import { darkness } from "./daylight.js";
import { chance, drop, duck, flame, glint, leaf, puff } from "./drift.js";
import { signOf } from "./signs.js";

const NEAR = 0.5; // zoom from which it is seen
const LEAFY = 0.1; // share of the cells of tree tops that shed leaves
const POND = 9; // cells of water, all around each of which there is water, for which there is a duck
const DUCKS = 4;
const HOT = /stove|oven|grill|fireplace|灶|烤|壁炉/u;
const WET = /fountain|喷泉/u;

/** @typedef {[number, number]} Cell column, row */

export class Scenery {
  /** @param {import("./stage.js").Stage} stage */
  constructor(stage) {
    this.stage = stage;
    const { map } = stage;
    const water = map?.cellsLike("ground", (red, green, blue) => blue - red > 60 && green - red > 40) ?? [];
    /** @type {Cell[]} */
    this.water = water.map(({ at }) => at);
    this.ducks = ponds(this.water);
    this.trees = (map?.cellsLike("foreground", () => true) ?? []).filter(({ at }) => chance(...at) < LEAFY);
    const things = Object.keys(stage.run.things);
    const known = (/** @type {RegExp} */ words) => things.filter((address) => words.test(address) || words.test(stage.run.things[address].name));
    this.stoves = known(HOT);
    this.fountains = known(WET);
  }

  /** @param {number} tick @param {number} seconds that have passed in the town's sight */
  draw(tick, seconds) {
    const { context, camera, time, tile } = this.stage;
    if (camera.zoom < NEAR) return;
    const [left, top] = camera.toWorld(0, 0).map((at) => at / tile - 2);
    const [right, bottom] = camera.toWorld(camera.width, camera.height).map((at) => at / tile + 2);
    const seen = (/** @type {Cell} */ [column, row]) => column > left && column < right && row > top && row < bottom;
    context.save();
    const light = 1 - 0.6 * darkness(time.hour(tick));
    for (const cell of this.water) if (seen(cell)) this.glints(cell, seconds, light);
    for (const [at, cell] of this.ducks.entries()) this.duck(cell, seconds, (at * 0.37) % 1, light);
    for (const { at, colour } of this.trees) if (seen(at)) this.leaf(at, colour, seconds, light);
    for (const address of this.fountains) this.drops(address, seconds, light);
    for (const address of this.stoves) if (this.stage.frames.thingChange(address, tick)?.users.length) this.smoke(address, seconds, light);
    for (const { address, text } of this.stage.frames.events(tick)) if (signOf(text) === "fire") this.fire(address, seconds, light);
    context.restore();
  }

  /** A rectangle of map pixels around a place in tiles. @param {number} x @param {number} y its middle @param {number} wide @param {number} high @param {string} colour @param {number} alpha */
  put(x, y, wide, high, colour, alpha) {
    const { context, camera, tile } = this.stage;
    const [left, top] = camera.toScreen((x + 0.5) * tile, (y + 0.5) * tile);
    if (left < -tile || top < -tile || left > camera.width + tile || top > camera.height + tile) return;
    context.globalAlpha = Math.max(0, Math.min(1, alpha));
    context.fillStyle = colour;
    const [width, height] = [Math.max(1, Math.round(wide * camera.zoom)), Math.max(1, Math.round(high * camera.zoom))];
    context.fillRect(Math.round(left - width / 2), Math.round(top - height / 2), width, height);
  }

  /** @param {Cell} cell @param {number} seconds @param {number} light */
  glints([column, row], seconds, light) {
    const phase = chance(column, row);
    if (phase > 0.6) return;
    const { x, y, shine } = glint(seconds, chance(column, row, 1));
    this.put(column + x, row + y, 5 + 5 * phase, 1, "#f2fffb", 0.75 * shine * light);
  }

  /** @param {Cell} cell @param {number} seconds @param {number} phase @param {number} light */
  duck([column, row], seconds, phase, light) {
    const { x: dx, y: dy, right } = duck(seconds, phase);
    const [x, y] = [column + dx, row + dy];
    const ahead = (right ? 1 : -1) / this.stage.tile;
    const shine = 0.4 + 0.6 * light;
    this.put(x - 9 * ahead, y + 0.1, 8, 1, "#e8fffb", 0.5 * light);
    this.put(x, y, 10, 6, "#3b2f3c", shine);
    this.put(x, y, 8, 4, "#f3ebdc", shine);
    this.put(x + 4 * ahead, y - 0.14, 6, 6, "#3b2f3c", shine);
    this.put(x + 4 * ahead, y - 0.14, 4, 4, "#44855e", shine);
    this.put(x + 8 * ahead, y - 0.11, 3, 2, "#f3bf58", shine);
  }

  /** @param {Cell} cell @param {string} colour @param {number} seconds @param {number} light */
  leaf([column, row], colour, seconds, light) {
    const { x, y, shine } = leaf(seconds, chance(column, row, 2));
    if (shine) this.put(column + x, row + y, 3, 2, colour, shine * (0.4 + 0.6 * light));
  }

  /** @param {string} address @param {number} seconds @param {number} light */
  drops(address, seconds, light) {
    const [x, y] = this.stage.spotOf(address) ?? [0, 0];
    for (let at = 0; at < 14; at++) {
      const fall = drop(seconds, at / 14);
      this.put(x + fall.x, y + 0.05 + fall.y, 2, 2, "#e9fbff", 0.85 * fall.shine * light);
    }
  }

  /** @param {string} address @param {number} seconds @param {number} light */
  smoke(address, seconds, light) {
    const [x, y] = this.stage.spotOf(address) ?? [0, 0];
    for (let at = 0; at < 4; at++) {
      const cloud = puff(seconds, at / 4 + chance(x, y));
      const size = cloud.size * this.stage.tile;
      this.put(x + cloud.x, y + cloud.y, size, size, "#f4f1ea", cloud.shine * light);
    }
  }

  /** @param {string} address @param {number} seconds @param {number} light */
  fire(address, seconds, light) {
    const spot = this.stage.spotOf(address);
    if (!spot) return;
    this.smoke(address, seconds, light);
    for (let at = 0; at < 5; at++) {
      const high = flame(seconds, at / 5) * (1.2 - Math.abs(at - 2) * 0.3);
      for (const [share, colour] of /** @type {[number, string][]} */ ([
        [1, "#d55d54"],
        [0.65, "#f3bf58"],
        [0.3, "#fff3c4"],
      ]))
        this.put(spot[0] + (at - 2) * 0.16, spot[1] + 0.3 - (high * share) / 2, 5, high * share * this.stage.tile, colour, 0.9);
    }
  }
}

/** Where ducks swim: in the midst of water, far from each other. @param {Cell[]} water @returns {Cell[]} */
export function ponds(water) {
  const wet = new Set(water.map(String));
  const around = [-1, 0, 1].flatMap((down) => [-2, -1, 0, 1, 2].map((right) => [right, down]));
  const inner = water.filter(([column, row]) => around.every(([right, down]) => wet.has(`${column + right},${row + down}`)));
  const count = Math.min(DUCKS, Math.ceil(inner.length / POND));
  return Array.from({ length: count }, (_, at) => inner[Math.floor(((at + 0.5) * inner.length) / count)]);
}
