/** What the user has brought about, seen in the town: things that were placed, and events for as long as they can be perceived. */

const FAR = 0.5; // zoom below which they have no words beside them
const LONGEST = 32; // letters of an event; the tooltip has all of them
const EVENT = "❗";

/** A crate in so many pixels; what comes into a town comes in one. */
const CRATE = [
  "................",
  "................",
  "..oooooooooooo..",
  ".ohhhhhhhhhhhho.",
  ".ohllllllllllmo.",
  ".oooooooooooooo.",
  ".omlddddddddlmo.",
  ".ommldllllldlmo.",
  ".omdmldlllldlmo.",
  ".omddmldllldlmo.",
  ".omdldmldlldlmo.",
  ".omdlldmldldlmo.",
  ".omddddddmldmmo.",
  ".ommmmmmmmmmmmo.",
  "..oooooooooooo..",
  "................",
];
const PAINT = { o: "#4a3426", h: "#e9c48d", l: "#d3a267", m: "#b98350", d: "#96673f" };

/** @typedef {import("./room.js").Box} Box */
/** @typedef {import("./labels.js").Word} Word */

/** Whether a thing is there. @param {import("./types.js").Thing} thing @param {number} tick */
export function present({ from = 0, until = Infinity }, tick) {
  return from <= tick && tick < until;
}

export class Signs {
  /** @param {import("./stage.js").Stage} stage */
  constructor(stage) {
    this.stage = stage;
    this.crate = crate();
    /** @type {[string, import("./types.js").Thing][]} */
    this.placed = [];
    /** @type {[string, import("./types.js").Thing][]} of the map */
    this.removed = [];
    this.gone = ""; // of those, what has been taken from the map's picture
    /** @type {{address: string, box: Box}[]} of the events drawn last */
    this.drawn = [];
  }

  furnish() {
    this.placed = Object.entries(this.stage.run.things).filter(([, thing]) => thing.from !== undefined);
    this.removed = Object.entries(this.stage.run.things).filter(([, thing]) => thing.from === undefined && thing.until !== undefined);
  }

  /** Takes from the map's picture what is no longer there. @param {number} tick */
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
    for (const { left, top, right, bottom } of this.boxes(tick).values()) context.drawImage(this.crate, left, top, right - left, bottom - top);
    context.imageSmoothingEnabled = smooth;
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
    for (const { address, text } of this.stage.timeline.events(tick)) {
      if (!run.things[address] && !run.centres[address]) continue; // the map is missing
      const at = this.stage.boxOf(address);
      if (!this.stage.camera.sees(at)) continue;
      const letters = [...text];
      const told = letters.length > LONGEST ? `${letters.slice(0, LONGEST).join("").trimEnd()}…` : text;
      this.drawn.push({ address, box: this.above(near ? labels.word(told, "event") : null, at) });
    }
    return [...named, ...this.drawn.map((one) => one.box)];
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

  /** A balloon over a place, and words over the balloon. @param {Word | null} word @param {Box} box of the place @returns {Box} of both */
  above(word, { left, right, top }) {
    const balloon = this.stage.labels.word(EVENT, "alarm");
    const middle = (left + right) / 2;
    const whole = this.put(balloon, Math.round(middle - balloon.width / 2), Math.round(top - balloon.height));
    if (!word) return whole;
    const told = this.put(word, Math.round(middle - word.width / 2), whole.top - word.height);
    return { left: Math.min(whole.left, told.left), top: told.top, right: Math.max(whole.right, told.right), bottom: whole.bottom };
  }

  /** @param {Word} word @param {number} left @param {number} top @returns {Box} */
  put({ picture, width, height }, left, top) {
    this.stage.context.drawImage(picture, left, top, width, height);
    return { left, top, right: left + width, bottom: top + height };
  }
}

function crate() {
  const canvas = document.createElement("canvas");
  canvas.width = CRATE[0].length;
  canvas.height = CRATE.length;
  const context = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
  CRATE.forEach((row, y) =>
    [...row].forEach((pixel, x) => {
      context.fillStyle = PAINT[/** @type {keyof PAINT} */ (pixel)] ?? "transparent";
      context.fillRect(x, y, 1, 1);
    }),
  );
  return canvas;
}
