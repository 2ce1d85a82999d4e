/** The whole town in a corner, one pixel a tile, with residents as dots and a frame around what the stage shows. */

import { setHidden } from "../dom.js";
import { light } from "./daylight.js";

const SIDE = 176; // CSS pixels at most, about: a tile is a whole number of pixels of the screen, or part of one on a large map
const EVERY = 120; // milliseconds between two pictures
const IDLE = 1000; // the same while nothing moves

export class Minimap {
  /**
   * @param {HTMLCanvasElement} canvas
   * @param {{map: import("./map.js").TiledMap, camera: import("./camera.js").Camera, frames: import("../data/frames.js").FrameBuffer, run: import("../data/shapes.js").RunView, time: import("../data/gametime.js").GameTime}} parts
   * @param {() => void} moved called when the camera was moved
   */
  constructor(canvas, { map, camera, frames, run, time }, moved) {
    this.canvas = canvas;
    this.context = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
    this.map = map;
    this.camera = camera;
    this.frames = frames;
    this.run = run;
    this.time = time;
    this.town = map.overview();
    this.bare = map.bare; // as it is in that picture
    const ratio = devicePixelRatio || 1;
    const fitting = (SIDE * ratio) / Math.max(map.columns, map.rows);
    this.scale = (fitting < 1 ? fitting : Math.round(fitting)) / ratio;
    canvas.width = Math.round(map.columns * this.scale * ratio);
    canvas.height = Math.round(map.rows * this.scale * ratio);
    canvas.style.width = `${map.columns * this.scale}px`;
    this.context.setTransform(ratio, 0, 0, ratio, 0, 0);
    this.refreshed = -Infinity;
    this.looks = ""; // what was drawn then
    const go = (/** @type {PointerEvent} */ event) => {
      const tile = map.tile / this.scale;
      camera.lookAt(event.offsetX * tile, event.offsetY * tile);
      moved();
    };
    canvas.addEventListener("pointerdown", (event) => (canvas.setPointerCapture(event.pointerId), go(event)));
    canvas.addEventListener("pointermove", (event) => event.buttons && go(event));
  }

  /** @param {number} now milliseconds @param {number} tick @param {string} followed */
  draw(now, tick, followed) {
    const { context, scale, camera, map } = this;
    const looks = [tick, camera.view, followed].join();
    if (now - this.refreshed < (looks === this.looks ? IDLE : EVERY)) return;
    Object.assign(this, { refreshed: now, looks });
    setHidden(this.canvas, camera.seesAll);
    if (!this.canvas.offsetParent) return;
    if (this.bare !== map.bare) {
      this.bare = map.bare;
      this.town = map.overview();
    }
    context.imageSmoothingEnabled = scale < 1;
    context.drawImage(this.town, 0, 0, map.columns * scale, map.rows * scale);
    this.shade(tick);
    for (const { id } of this.run.residents) if (id !== followed) this.dot(id, tick, "#fff", scale < 1 ? 0.8 : 1.6);
    if (followed) this.dot(followed, tick, "#ffd166", 3);
    const [left, top] = camera.toWorld(0, 0).map((value) => (value / map.tile) * scale);
    const [right, bottom] = camera.toWorld(camera.width, camera.height).map((value) => (value / map.tile) * scale);
    context.strokeStyle = "rgb(255 255 255 / 92%)";
    context.lineWidth = 1.5;
    context.strokeRect(left, top, right - left, bottom - top);
  }

  /** Lays the light of the hour over the town. @param {number} tick */
  shade(tick) {
    const { context, map, scale } = this;
    context.globalCompositeOperation = "multiply";
    context.fillStyle = `rgb(${light(this.time.hour(tick)).join(" ")})`;
    context.fillRect(0, 0, map.columns * scale, map.rows * scale);
    context.globalCompositeOperation = "source-over";
  }

  /** @param {string} id @param {number} tick @param {string} colour @param {number} radius */
  dot(id, tick, colour, radius) {
    const pose = this.frames.pose(id, tick);
    if (!pose) return;
    const { context, scale } = this;
    context.beginPath();
    context.arc((pose.x + 0.5) * scale, (pose.y + 0.5) * scale, radius, 0, 2 * Math.PI);
    context.fillStyle = colour;
    context.fill();
    context.lineWidth = 1;
    context.strokeStyle = "rgb(0 0 0 / 70%)";
    context.stroke();
  }
}
