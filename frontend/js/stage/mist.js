/** Mist where the map ends: it rises over the last tiles, in the light of the hour. */

import { darkness, light } from "./daylight.js";

const REACH = 1.5; // tiles of the map over which it rises
const MIST = [226, 232, 224];

/** @param {import("./stage.js").Stage} stage @param {number} hour */
export function drawMist({ context, camera, map, tile }, hour) {
  if (!map) return;
  const [left, top] = camera.toScreen(0, 0);
  const [right, bottom] = camera.toScreen(map.width, map.height);
  const { width, height } = camera;
  const reach = REACH * tile * camera.zoom;
  const shade = light(hour);
  const dim = 1 - 0.6 * darkness(hour);
  const colour = MIST.map((part, at) => Math.round(((part * shade[at]) / 255) * dim)).join(" ");
  /** A side: where the mist is whole, and from where to where it fades. @param {[number, number, number, number]} whole @param {[number, number, number, number]} fading */
  const side = (whole, fading) => {
    const fade = context.createLinearGradient(...fading);
    fade.addColorStop(0, `rgb(${colour})`);
    fade.addColorStop(1, `rgb(${colour} / 0%)`);
    context.fillStyle = fade;
    context.fillRect(...whole);
  };
  if (left > -reach) side([0, 0, left + reach, height], [left, 0, left + reach, 0]);
  if (top > -reach) side([0, 0, width, top + reach], [0, top, 0, top + reach]);
  if (right < width + reach) side([right - reach, 0, width - right + reach, height], [right, 0, right - reach, 0]);
  if (bottom < height + reach) side([0, bottom - reach, width, height - bottom + reach], [0, bottom, 0, bottom - reach]);
}
