/** The user's interventions as seen in the town: things that were placed or removed, and events for as long as they can be perceived. */

import { crate } from "./crate.js";
import { loadImage } from "./map.js";
import { signOf } from "./signs.js";

const FAR = 0.5; // zoom below which they have no words beside them
const LONGEST = 32; // letters of an event; the tooltip has all of them
const WIDEST = 1.5; // tiles that the picture of a placed thing covers
const PLANTED = "🎬 "; // before what the director has planted
const TILE = 32; // pixels of a tile in pictures of things

/** @typedef {import("./boxes.js").Box} Box */
/** @typedef {import("./labels.js").Word} Word */

/** Whether a thing is there. @param {import("../data/shapes.js").Thing} thing @param {number} tick */
export function present({ from = 0, until = Infinity }, tick) {
  return from <= tick && tick < until;
}

export class InterventionLayer {
  /** @param {import("./stage.js").Stage} stage */
  constructor(stage) {
    this.stage = stage;
    this.crate = crate();
    /** @type {Map<string, HTMLImageElement | null>} by address of the image; null while it is being loaded */
    this.pictures = new Map();
    this.loaded = 0; // of these pictures
    /** @type {[string, import("../data/shapes.js").Thing][]} */
    this.placed = [];
    /** @type {[string, import("../data/shapes.js").Thing][]} of the map */
    this.removed = [];
    this.gone = ""; // of those, what has been taken from the map's picture
    /** @type {{address: string, box: Box}[]} of the events drawn last */
    this.drawn = [];
  }

  updateThings() {
    this.placed = Object.entries(this.stage.run.things).filter(([, thing]) => thing.from !== undefined);
    this.removed = Object.entries(this.stage.run.things).filter(([, thing]) => thing.from === undefined && thing.until !== undefined);
    for (const [, { picture }] of this.placed) if (picture && !this.pictures.has(picture)) void this.load(picture);
  }

  /** @param {string} picture address of an image; without it, its things stay crates */
  async load(picture) {
    this.pictures.set(picture, null);
    this.pictures.set(picture, await loadImage(picture).catch(() => null));
    this.loaded++;
  }

  /** Removes things that are gone from the picture of the map. @param {number} tick */
  clear(tick) {
    const gone = this.removed.filter(([, thing]) => !present(thing, tick));
    const addresses = gone.map(([address]) => address).join();
    if (addresses === this.gone) return;
    this.gone = addresses;
    const tiles = gone.flatMap(([, thing]) => thing.tiles);
    this.stage.map?.clear(tiles, (column, row) => this.stage.things.has(`${column},${row}`));
  }

  /** The things themselves, on the ground. @param {number} tick */
  things(tick) {
    const { context } = this.stage;
    const smooth = context.imageSmoothingEnabled;
    context.imageSmoothingEnabled = false;
    for (const [address, box] of this.boxes(tick)) this.thing(this.pictures.get(this.stage.run.things[address].picture ?? ""), box);
    context.imageSmoothingEnabled = smooth;
  }

  /** A thing stands on its tile; its picture may rise above that and be a little wider. @param {HTMLImageElement | null | undefined} picture @param {Box} box */
  thing(picture, { left, top, right, bottom }) {
    const { context } = this.stage;
    if (!picture) return context.drawImage(this.crate, left, top, right - left, bottom - top);
    const scale = Math.min((right - left) / TILE, ((right - left) * WIDEST) / picture.width);
    const [width, height] = [picture.width * scale, picture.height * scale];
    context.drawImage(picture, (left + right - width) / 2, bottom - height, width, height);
  }

  /** The things that are there. @param {number} tick @returns {string[]} addresses */
  there(tick) {
    return this.placed.filter(([, thing]) => present(thing, tick)).map(([address]) => address);
  }

  /** Names of the things and what happens, above all that people walk through. @param {number} tick @returns {Box[]} where they are */
  words(tick) {
    const { labels, camera, run } = this.stage;
    const near = camera.zoom >= FAR;
    const named = near ? [...this.boxes(tick)].map(([address, box]) => this.below(labels.word(run.things[address].name, "thing"), box)) : [];
    this.drawn = [];
    for (const { address, text, planted } of this.stage.frames.events(tick)) {
      if (!run.things[address] && !run.centres[address]) continue; // the map is missing
      const at = this.stage.boxOf(address);
      if (!this.stage.camera.sees(at)) continue;
      const letters = [...text];
      const words = (planted ? PLANTED : "") + (letters.length > LONGEST ? `${letters.slice(0, LONGEST).join("").trimEnd()}…` : text);
      this.drawn.push({ address, box: this.above(signOf(text), near ? labels.word(words, "event") : null, at) });
    }
    return [...named, ...this.drawn.map((sign) => sign.box)];
  }

  /** The event whose sign is at a point of the screen, by its place; "" if there is none. @param {number} x @param {number} y */
  at(x, y) {
    return this.drawn.findLast(({ box }) => x >= box.left && x < box.right && y >= box.top && y < box.bottom)?.address ?? "";
  }

  /** @param {number} tick @returns {Map<string, Box>} where the things in sight are, by address */
  boxes(tick) {
    const boxes = this.there(tick).map((address) => /** @type {[string, Box]} */ ([address, this.stage.boxOf(address)]));
    return new Map(boxes.filter(([, box]) => this.stage.camera.sees(box)));
  }

  /** @param {Word} word @param {Box} box of a thing @returns {Box} */
  below(word, { left, right, bottom }) {
    return this.put(word, Math.round((left + right - word.width) / 2), Math.round(bottom + 1));
  }

  /** A balloon over a place, and words over the balloon. @param {string} sign @param {Word | null} word @param {Box} box of the place @returns {Box} of both */
  above(sign, word, { left, right, top }) {
    const balloon = this.stage.labels.word(sign, "alarm");
    const middle = (left + right) / 2;
    const below = this.put(balloon, Math.round(middle - balloon.width / 2), Math.round(top - balloon.height));
    if (!word) return below;
    const text = this.put(word, Math.round(middle - word.width / 2), below.top - word.height);
    return { left: Math.min(below.left, text.left), top: text.top, right: Math.max(below.right, text.right), bottom: below.bottom };
  }

  /** @param {Word} word @param {number} left @param {number} top @returns {Box} */
  put({ picture, width, height }, left, top) {
    this.stage.context.drawImage(picture, left, top, width, height);
    return { left, top, right: left + width, bottom: top + height };
  }
}
