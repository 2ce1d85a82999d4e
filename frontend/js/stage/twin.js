/** The town of another run beside that of this one, under the same camera and on the same clock; colour lies where lives have come apart. */

import { FrameBuffer } from "../data/frames.js";
import { Bubbles } from "./bubbles.js";
import { Stage } from "./stage.js";

const APART = 2; // tiles from which somebody is elsewhere
const BLOT = 3.4; // tiles that the colour around somebody who is elsewhere reaches
const COLOURS = { elsewhere: "#e0437b", otherwise: "#e9a52b" };

/** @typedef {"elsewhere" | "otherwise" | ""} Apart */

/** How two lives differ at a moment: "elsewhere", "otherwise" in what is done, "" not at all, or where one is not known. @param {FrameBuffer} ours @param {FrameBuffer} theirs @param {string} id @param {number} tick @returns {Apart} */
export function apart(ours, theirs, id, tick) {
  const [here, there] = [ours.pose(id, tick), theirs.pose(id, tick)];
  if (!here || !there) return "";
  if (Math.max(Math.abs(here.x - there.x), Math.abs(here.y - there.y)) >= APART) return "elsewhere";
  const [done, other] = [ours.action(id, tick), theirs.action(id, tick)];
  return done?.activity !== other?.activity ? "otherwise" : "";
}

export class Twin {
  /**
   * @param {{canvas: HTMLCanvasElement, layer: HTMLElement}} elements
   * @param {{stage: Stage, player: import("./player.js").Player}} page whose camera and clock it shares
   * @param {{run: import("../data/shapes.js").RunView, map: import("./map.js").TiledMap | null, fetchFrames: ConstructorParameters<typeof FrameBuffer>[1]}} other
   */
  constructor({ canvas, layer }, { stage, player }, { run, map, fetchFrames }) {
    this.own = stage;
    this.frames = new FrameBuffer(run, fetchFrames);
    const { camera, sprites, time } = stage;
    this.stage = new Stage(canvas, { run, frames: this.frames, camera, map, sprites, time });
    this.bubbles = new Bubbles(layer, this.stage, player);
    this.mark = (/** @type {Stage} */ on, /** @type {number} */ tick) => this.tint(on, tick);
    this.stage.overlays.add(this.mark);
    stage.overlays.add(this.mark);
  }

  /** How many live otherwise at a moment. @param {number} tick */
  count(tick) {
    return this.own.run.residents.filter(({ id }) => apart(this.own.frames, this.frames, id, tick)).length;
  }

  /** @param {number} tick @param {number} now milliseconds */
  draw(tick, now) {
    this.frames.want(tick);
    this.stage.followed = this.own.followed;
    this.stage.refresh(now, tick, this.bubbles.lines, this.bubbles.taken);
    this.bubbles.draw(tick, now);
  }

  resize() {
    this.stage.resize();
  }

  end() {
    this.own.overlays.delete(this.mark);
  }

  /** Colours the surroundings of whoever lives otherwise. @param {Stage} stage @param {number} tick */
  tint(stage, tick) {
    const { context } = stage;
    context.save();
    for (const { id, x, y, size } of stage.figures) {
      const way = apart(this.own.frames, this.frames, id, tick);
      if (!way) continue;
      const [left, top] = [x + size / 2, y + size * 0.7];
      if (way === "elsewhere") blot(context, left, top, Math.max(40, size * BLOT));
      context.strokeStyle = COLOURS[way];
      context.lineWidth = Math.max(2.5, size * 0.08);
      context.beginPath();
      context.ellipse(left, y + size * 0.92, Math.max(8, size * 0.5), Math.max(4, size * 0.24), 0, 0, 2 * Math.PI);
      context.stroke();
    }
    context.restore();
  }
}

/** Colour that runs out into the town. @param {CanvasRenderingContext2D} context @param {number} x @param {number} y @param {number} radius */
function blot(context, x, y, radius) {
  const colour = context.createRadialGradient(x, y, 0, x, y, radius);
  colour.addColorStop(0, "rgb(224 67 123 / 42%)");
  colour.addColorStop(1, "rgb(224 67 123 / 0%)");
  context.fillStyle = colour;
  context.fillRect(x - radius, y - radius, 2 * radius, 2 * radius);
}
