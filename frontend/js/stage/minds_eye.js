/** Draws the town as one resident knows it: fog over what it has never seen, and ghosts of what it believes wrongly. */

import { shortNameIn } from "../data/cast.js";
import { light } from "./daylight.js";

const FOG = [233, 236, 228]; // its colour
const [UNKNOWN, REMEMBERED] = [0.93, 0.34]; // how much it hides of a place never seen, and of one not in sight now
const GHOST = 0.5; // how much is seen of a ghost
const NAMED = 0.5; // zoom from which ghosts have names
const CLOSE = 1; // zoom from which it is written what things are taken for
const SIDE = 0.42; // tiles between two ghosts that have no tile of their own

const BRIGHT = 60; // of 255, how much of its light fog keeps at night

/** @typedef {import("./stage.js").Stage} Stage */
/** @typedef {import("../data/eye.js").Eye} Eye */

export class MindsEye {
  /** @param {Stage} stage @param {import("../data/shapes.js").Arenas} arenas @param {string} who */
  constructor(stage, arenas, who) {
    this.stage = stage;
    this.arenas = arenas;
    this.who = who;
    /** @type {Eye | null} */
    this.known = null;
    this.fogged = "";
    this.fog = new OffscreenCanvas(arenas.columns, Math.ceil(arenas.cells.length / arenas.columns));
    this.owners = nearest(arenas);
    this.wrong = 0; // people who are elsewhere by now
  }

  /** @param {Eye} known */
  know(known) {
    this.known = known;
    this.fogged = "";
  }

  /** The arena of a tile, "" for none. @param {{x: number, y: number} | undefined} pose */
  arenaAt(pose) {
    if (!pose) return "";
    const { columns, names, cells } = this.arenas;
    return names[cells[Math.round(pose.y) * columns + Math.round(pose.x)] ?? 0] ?? "";
  }

  /** How much is seen of somebody: all of those in sight, nothing of the others. @param {string} id @param {number} tick */
  shows(id, tick) {
    if (id === this.who) return 1;
    const { frames } = this.stage;
    const [own, other] = [frames.pose(this.who, tick), frames.pose(id, tick)];
    if (!own || !other || !this.known) return 0;
    const near = Math.max(Math.abs(own.x - other.x), Math.abs(own.y - other.y)) <= this.known.radius;
    return near && this.arenaAt(own) === this.arenaAt(other) ? 1 : 0;
  }

  /** What the stage calls in every frame; it is bound, so that the stage can hold it. @param {Stage} stage @param {number} tick */
  draw = (stage, tick) => {
    if (!this.known) return;
    const { context, camera, tile } = stage;
    const here = this.arenaAt(stage.frames.pose(this.who, tick));
    this.shroud(this.known, here, stage.time.hour(tick));
    const [left, top] = camera.toScreen(0, 0);
    context.save();
    context.imageSmoothingEnabled = true;
    context.drawImage(this.fog, left, top, this.fog.width * tile * camera.zoom, this.fog.height * tile * camera.zoom);
    context.restore();
    this.ghosts(this.known, here, tick);
    if (camera.zoom >= CLOSE) this.things(this.known, here, tick);
  };

  /** The fog, a pixel for a tile. @param {Eye} known @param {string} here @param {number} hour */
  shroud({ places, step }, here, hour) {
    const colour = light(hour).map((part, at) => Math.round((FOG[at] * (part + BRIGHT)) / (255 + BRIGHT)));
    const fogged = `${here} ${step} ${colour}`;
    if (this.fogged === fogged) return;
    this.fogged = fogged;
    const image = new ImageData(this.fog.width, this.fog.height);
    const thick = this.arenas.names.map((name) => 255 * (name === here ? 0 : places.includes(name) ? REMEMBERED : UNKNOWN));
    this.owners.forEach((arena, at) => image.data.set([...colour, thick[arena]], 4 * at));
    this.fog.getContext("2d")?.putImageData(image, 0, 0);
  }

  /** Those who are not in sight, where they were last seen, unless it sees that they are gone. @param {Eye} known @param {string} here @param {number} tick */
  ghosts({ people }, here, tick) {
    const { context, camera, tile, frames, sprites, labels } = this.stage;
    const size = tile * camera.zoom;
    /** @type {Map<string, number>} */
    const crowd = new Map();
    this.wrong = 0;
    for (const { who, at, address } of people) {
      if (this.shows(who, tick)) continue;
      const away = this.arenaAt(frames.pose(who, tick)) !== address;
      if (away) this.wrong++;
      if (address === here) continue;
      const spot = at ?? this.stage.spotOf(address);
      if (!spot) continue;
      const beside = at ? 0 : (crowd.get(address) ?? 0);
      if (!at) crowd.set(address, beside + 1);
      const [x, y] = camera.toScreen((spot[0] + beside * SIDE) * tile, spot[1] * tile);
      context.save();
      context.globalAlpha = GHOST;
      if (away) context.filter = "grayscale(1) brightness(1.25)";
      sprites.draw(context, who, { x: 0, y: 0, facing: 0, walking: false, walked: 0 }, Math.round(x), Math.round(y), Math.round(size), {
        asleep: false,
        sits: false,
        manner: "",
      });
      context.restore();
      if (camera.zoom < NAMED) continue;
      const word = labels.word(`${shortNameIn(labels.run, who)}${away ? " ?" : ""}`, "ghost");
      context.drawImage(word.picture, Math.round(x + size / 2 - word.width / 2), Math.round(y + size + 2), word.width, word.height);
    }
  }

  /** What things are taken for, where they are otherwise. @param {Eye} known @param {string} here @param {number} tick */
  things({ things }, here, tick) {
    const { context, camera, frames, run, labels } = this.stage;
    for (const [address, believed] of Object.entries(things)) {
      const thing = run.things[address];
      if (!thing || address.startsWith(`${here}/`) || (frames.thingChange(address, tick)?.state || thing.idle) === believed) continue;
      const box = this.stage.boxOf(address);
      if (!camera.sees(box)) continue;
      const word = labels.word(believed, "ghost");
      context.drawImage(word.picture, Math.round((box.left + box.right - word.width) / 2), Math.round(box.top), word.width, word.height);
    }
  }
}

/** By tile, the arena to which it belongs; what is none, as walls and water, belongs to the nearest. @param {import("../data/shapes.js").Arenas} arenas @returns {number[]} */
export function nearest({ columns, names, cells }) {
  const owners = cells.map((cell) => (names[cell] ? cell : -1));
  let edge = owners.flatMap((owner, at) => (owner < 0 ? [] : [at]));
  while (edge.length) {
    const next = [];
    for (const at of edge) {
      const beside = [at % columns ? at - 1 : -1, (at + 1) % columns ? at + 1 : -1, at - columns, at + columns];
      for (const near of beside) if (owners[near] === -1) next.push(((owners[near] = owners[at]), near));
    }
    edge = next;
  }
  return owners;
}
