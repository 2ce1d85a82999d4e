/** The residents' figures: sheets of frames in a row for each of four directions; and the icons of what they do. */

import { placeOf, SIZE } from "../data/emblems.js";
import { DOWN, LEFT, RIGHT } from "../data/facing.js";
import { swing } from "./manners.js";
import { loadImage } from "./map.js";

const FRAME = 32; // pixels of one frame in width; its height is a quarter of the sheet's
const ASLEEP = 5; // the frame of a sleeper
const HEAD = { left: 5, size: 22 }; // where the head is in a frame that looks at us
const [LEGS, SEAT] = [8, 5]; // pixels of a frame that are not seen of one who sits, and by which it sits lower than it stands
const TALL = 48; // pixels of a frame of our own sheets
const ARM = { left: 23, top: 27, wide: 4, high: 11 }; // where the arm is in a frame that looks at us: raised, it is seen upside down
const RAISED = { left: [24, 8, 20, 24], top: 18 }; // where it then is in a frame that looks down, left, right, up
const MOUTH = { left: 14, top: 23, wide: 4, high: 2 };
const SMALL = 24; // pixels of a tile below which hands are empty
const SPARE = 0.12; // tiles left free above a head within a tall frame
const GAITS = {
  three: { still: 1, walk: [1, 0, 1, 2] }, // a step, standing, the other step
  six: { still: 0, walk: [1, 2, 3, 4] }, // standing, then a step, passing, the other step, passing; the last lies asleep
};

/** A colour of its own for whoever has no picture. @param {string} id */
function colour(id) {
  let hash = 0;
  for (const letter of id) hash = (hash * 31 + /** @type {number} */ (letter.codePointAt(0))) % 360;
  return `hsl(${hash} 55% 48%)`;
}

export class Sprites {
  constructor() {
    /** @type {Map<string, HTMLImageElement>} */
    this.sheets = new Map();
    /** @type {HTMLImageElement | null} */
    this.emblems = null;
  }

  /** Loads what there is; a picture that is missing is replaced by a plain figure. @param {import("../data/shapes.js").ResidentView[]} residents */
  async load(residents) {
    /** @type {Map<string, Promise<HTMLImageElement>>} clones share a picture */
    const images = new Map();
    const load = async (/** @type {import("../data/shapes.js").ResidentView} */ resident) => {
      if (!resident.sprite) return;
      const image = images.get(resident.sprite) ?? loadImage(resident.sprite);
      images.set(resident.sprite, image);
      this.sheets.set(resident.id, await image);
    };
    await Promise.allSettled(residents.map(load));
  }

  /** Loads the icons; without them, nothing is held. */
  async loadEmblems() {
    this.emblems = await loadImage("frontend/emblems.png").catch(() => null);
  }

  /** Whether there is a picture of the resident asleep. @param {string} id */
  lies(id) {
    return (this.sheets.get(id)?.width ?? 0) > ASLEEP * FRAME;
  }

  /** How many tiles a resident's figure rises above the tile it stands in; most heads end a little below their frame's edge. @param {string} id */
  rise(id) {
    const sheet = this.sheets.get(id);
    return sheet ? Math.max(0, sheet.height / 4 / FRAME - 1 - SPARE) : 0;
  }

  /** Draws a face in a disc with a rim. @param {CanvasRenderingContext2D} context @param {string} id @param {number} x @param {number} y its middle @param {number} size */
  face(context, id, x, y, size) {
    const sheet = this.sheets.get(id);
    context.beginPath();
    context.arc(x, y, size / 2 + 1, 0, 2 * Math.PI);
    context.fillStyle = sheet ? "#fffdf6" : colour(id);
    context.fill();
    context.lineWidth = 1.5;
    context.strokeStyle = "rgb(34 39 31 / 70%)";
    context.stroke();
    if (!sheet) return;
    const top = Math.max(0, (sheet.height / 4 - FRAME) / 2 - 1);
    context.drawImage(sheet, gaitOf(sheet).still * FRAME + HEAD.left, top, HEAD.size, HEAD.size, x - size / 2, y - size / 2, size, size);
  }

  /**
   * Draws a resident who stands in the tile of `size` at (x, y); a frame that is taller than a tile rises above it.
   * @param {CanvasRenderingContext2D} context
   * @param {string} id
   * @param {import("../data/frames.js").Pose} pose
   * @param {number} x @param {number} y @param {number} size
   * @param {{asleep: boolean, sits: boolean, manner: string}} how
   */
  draw(context, id, pose, x, y, size, { asleep, sits, manner }) {
    const sheet = this.sheets.get(id);
    if (!sheet) return plain(context, id, x, y, size);
    const { still, walk } = gaitOf(sheet);
    const awake = pose.walking ? walk[Math.floor(pose.walked * 2) % walk.length] : still;
    const frame = asleep ? ASLEEP : awake;
    const high = sheet.height / 4;
    const scale = size / FRAME;
    const seen = sits && !asleep ? high - LEGS : high;
    const top = y + size - Math.round((sits && !asleep ? high - SEAT : high) * scale);
    const raised = manner === "waves" && pose.facing === DOWN && high === TALL;
    if (raised) (context.save(), without(context, { left: x, top, width: size, height: size * 2 }, scale));
    context.drawImage(sheet, frame * FRAME, pose.facing * high, FRAME, seen, x, top, size, Math.round(seen * scale));
    if (raised) context.restore();
  }

  /** Draws a raised arm that swings, from the arm in the sheet. @param {CanvasRenderingContext2D} context @param {import("./stage.js").Figure} figure @param {number} y of its tile @param {number} seconds */
  wave(context, { id, x, size, pose, asleep }, y, seconds) {
    const sheet = this.sheets.get(id);
    if (!sheet || asleep || sheet.height / 4 !== TALL || size < SMALL) return;
    const scale = size / FRAME;
    const left = RAISED.left[pose.facing] + Math.round(swing(seconds, x / size));
    context.save();
    context.translate(Math.round(x + left * scale), Math.round(y + size - (TALL - RAISED.top) * scale));
    context.scale(1, -1);
    context.drawImage(sheet, ARM.left, ARM.top, ARM.wide, ARM.high, 0, -ARM.high * scale, ARM.wide * scale, ARM.high * scale);
    context.restore();
  }

  /** Draws an open mouth and, beside the head, the marks of laughter. @param {CanvasRenderingContext2D} context @param {import("./stage.js").Figure} figure @param {number} y of its tile @param {number} seconds */
  laugh(context, { id, x, size, pose, asleep }, y, seconds) {
    const sheet = this.sheets.get(id);
    if (!sheet || asleep || sheet.height / 4 !== TALL || size < SMALL) return;
    const scale = size / FRAME;
    const put = (/** @type {number} */ left, /** @type {number} */ top, /** @type {number} */ wide, /** @type {number} */ high) =>
      context.fillRect(Math.round(x + left * scale), Math.round(y + size - (TALL - top) * scale), Math.round(wide * scale), Math.round(high * scale));
    context.fillStyle = "#701e14";
    if (pose.facing === DOWN) put(MOUTH.left, MOUTH.top, MOUTH.wide, MOUTH.high);
    context.fillStyle = "#fffdf6";
    const by = swing(seconds, 0) > 0 ? 0 : 1;
    for (const [left, top] of [
      [1 - by, 11],
      [-1 - by, 15],
      [29 + by, 11],
      [31 + by, 15],
    ])
      put(left, top, 2, 1);
  }

  /** Draws what somebody has in hand. @param {CanvasRenderingContext2D} context @param {string} name of an icon, "" for nothing
   * @param {import("../data/frames.js").Pose} pose @param {number} x @param {number} y @param {number} size */
  hold(context, name, pose, x, y, size) {
    if (!name || !this.emblems || size < SMALL) return;
    const wide = Math.round(size * 0.36);
    const left = pose.facing === LEFT ? x : pose.facing === RIGHT ? x + size - wide : x + Math.round(size * 0.62);
    context.drawImage(this.emblems, ...placeOf(name), SIZE, SIZE, left, y + Math.round(size * 0.4), wide, wide);
  }
}

/** Leaves out the arm that is raised. @param {CanvasRenderingContext2D} context @param {{left: number, top: number, width: number, height: number}} frame on the screen @param {number} scale */
function without(context, { left, top, width, height }, scale) {
  context.beginPath();
  context.rect(left, top, width, height);
  context.rect(left + ARM.left * scale, top + (ARM.top + 1) * scale, width, ARM.high * scale);
  context.clip("evenodd");
}

/** @param {HTMLImageElement | undefined} sheet */
function gaitOf(sheet) {
  return sheet && sheet.width / FRAME < 6 ? GAITS.three : GAITS.six;
}

/** @param {CanvasRenderingContext2D} context @param {string} id @param {number} x @param {number} y @param {number} size */
function plain(context, id, x, y, size) {
  context.fillStyle = colour(id);
  context.beginPath();
  context.ellipse(x + size / 2, y + size * 0.7, size * 0.26, size * 0.28, 0, 0, 2 * Math.PI);
  context.fill();
  context.fillStyle = "#f3d3b3";
  context.beginPath();
  context.arc(x + size / 2, y + size * 0.32, size * 0.2, 0, 2 * Math.PI);
  context.fill();
}
