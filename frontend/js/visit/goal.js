/** The mark on the map at the place for which a visitor sets out, from the tap until they are there. */

const REACHED = 1.5; // tiles
const COLOUR = "#fff3c4";
const EDGE = "rgb(40 20 60 / 80%)";

/** @typedef {import("../stage/stage.js").Stage} Stage */

export class Goal {
  /** @param {Stage} stage */
  constructor(stage) {
    this.stage = stage;
    this.who = "";
    this.at = { x: 0, y: 0 };
    this.isWaiting = false; // whether the walk has yet to begin
  }

  /** Marks a tile, or the middle of a place. @param {string} who @param {{place: string} | {tile: [number, number]}} goal */
  set(who, goal) {
    const [x, y] = "tile" in goal ? goal.tile : (this.stage.run.centres[goal.place] ?? []);
    if (x === undefined || y === undefined) return this.clear();
    Object.assign(this, { who, at: { x, y }, isWaiting: true });
    this.stage.overlays.add(this.draw);
  }

  clear() {
    this.stage.overlays.delete(this.draw);
  }

  /** Called by the stage in every frame. @param {Stage} stage @param {number} tick */
  draw = (stage, tick) => {
    if (this.isOver(stage, tick)) return this.clear();
    const { context, camera, tile } = stage;
    const [left, top] = camera.toScreen((this.at.x + 0.5) * tile, (this.at.y + 0.5) * tile);
    const size = Math.max(8, tile * camera.zoom * 0.45);
    context.save();
    for (const [width, colour] of /** @type {[number, string][]} */ ([
      [5, EDGE],
      [2.5, COLOUR],
    ])) {
      context.lineWidth = width;
      context.strokeStyle = colour;
      context.beginPath();
      context.ellipse(left, top, size, size * 0.55, 0, 0, 2 * Math.PI);
      context.moveTo(left - size * 0.45, top - size * 1.9);
      context.lineTo(left, top - size * 0.9);
      context.lineTo(left + size * 0.45, top - size * 1.9);
      context.closePath();
      context.stroke();
    }
    context.restore();
  };

  /** Returns true if the visitor has reached the mark, or has stopped elsewhere. @param {Stage} stage @param {number} tick */
  isOver({ frames, run }, tick) {
    const pose = frames.pose(this.who, tick);
    if (!pose) return true;
    if (Math.max(Math.abs(pose.x - this.at.x), Math.abs(pose.y - this.at.y)) < REACHED) return true;
    const isNow = tick >= frames.steps * run.ticks - 1;
    return !this.isWaiting && isNow && !pose.walking;
  }
}
