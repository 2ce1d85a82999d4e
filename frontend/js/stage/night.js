/** Day and night over the town: the colour of the light, lamps and windows. */

import { darkness, light } from "./daylight.js";

const LAMP = 2.4; // tiles that the light of somebody awake, of a lamp or of a window reaches at night
const GLOW = 64; // pixels of the picture of that light
const HALOS_AT_MOST = 80; // people who shed light

export class Night {
  /** @param {import("./stage.js").Stage} stage */
  constructor(stage) {
    this.stage = stage;
    this.halo = halo();
  }

  /** The light, and what glows by itself: lamps and windows. @param {number} hour @param {import("./boxes.js").BoxIndex} [open] what is not clipped */
  draw(hour, open) {
    const { context, camera, map, tile } = this.stage;
    const [red, green, blue] = light(hour);
    if (red + green + blue === 765) return;
    context.save();
    const [left, top, width, height] = this.clip();
    context.globalCompositeOperation = "multiply";
    context.fillStyle = `rgb(${red} ${green} ${blue})`;
    context.fillRect(left, top, width, height);
    const dark = darkness(hour);
    if (map && dark > 0) {
      context.globalCompositeOperation = "lighter";
      context.globalAlpha = 0.42 * dark;
      for (const [column, row] of map.lamps) {
        if (!map.bare.has(row * map.columns + column)) this.glow(...camera.toScreen((column + 0.5) * tile, (row + 0.6) * tile), open);
      }
      context.globalCompositeOperation = "source-over";
      context.globalAlpha = dark;
      map.lights.draw(context, camera);
    }
    context.restore();
  }

  /** The light around residents who are awake. @param {number} hour @param {import("./stage.js").Figure[]} figures */
  people(hour, figures) {
    const dark = darkness(hour);
    if (dark === 0 || figures.length > HALOS_AT_MOST) return;
    const { context } = this.stage;
    context.save();
    this.clip();
    context.globalCompositeOperation = "lighter";
    context.globalAlpha = 0.34 * dark;
    for (const { x, y, size, action } of figures) if (action?.kind !== "sleep") this.glow(x + size / 2, y + size / 2);
    context.restore();
  }

  /** No light falls beyond the map. @returns {[number, number, number, number]} left, top, width and height of the map on the screen */
  clip() {
    const { context, camera, map } = this.stage;
    const [left, top] = map ? camera.toScreen(0, 0) : [0, 0];
    const [right, bottom] = map ? camera.toScreen(...camera.world) : [camera.width, camera.height];
    context.beginPath();
    context.rect(left, top, right - left, bottom - top);
    context.clip();
    return [left, top, right - left, bottom - top];
  }

  /** Light around a point of the screen. @param {number} x @param {number} y @param {import("./boxes.js").BoxIndex} [open] what is not clipped */
  glow(x, y, open) {
    const { context, camera, tile } = this.stage;
    const radius = tile * camera.zoom * LAMP;
    const box = { left: x - radius, top: y - radius, right: x + radius, bottom: y + radius };
    if (!camera.sees(box) || open?.free(box)) return;
    context.drawImage(this.halo, box.left, box.top, radius * 2, radius * 2);
  }
}

/** A picture of warm light that fades outwards, to be added to what it falls on; drawn once, as gradients are slow. */
function halo() {
  const canvas = document.createElement("canvas");
  canvas.width = canvas.height = 2 * GLOW;
  const context = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
  const glow = context.createRadialGradient(GLOW, GLOW, 0, GLOW, GLOW, GLOW);
  glow.addColorStop(0, "rgb(255 186 98)");
  glow.addColorStop(0.35, "rgb(255 166 78 / 50%)");
  glow.addColorStop(1, "rgb(255 150 70 / 0)");
  context.fillStyle = glow;
  context.fillRect(0, 0, canvas.width, canvas.height);
  return canvas;
}
