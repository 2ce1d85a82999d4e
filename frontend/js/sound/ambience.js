/** What is to be heard of the town: how loud each of its sounds is, by the hour and by what is in sight. */

import { clamp } from "../data/clamp.js";
import { darkness } from "../stage/daylight.js";

const [FAR, NEAR] = [0.3, 1.6]; // zoom from which sounds of places are heard, and at which they are whole

/** @typedef {{hour: number, zoom: number, water: number, fires: number, rains: number, talks: number}} Heard what is in sight: cells of water, fires, falls of rain, conversations */
/** @typedef {Record<"birds" | "crickets" | "wind" | "water" | "fire" | "rain" | "murmur", number>} Levels 0 to 1 */

/** @param {Heard} heard @returns {Levels} */
export function levelsAt({ hour, zoom, water, fires, rains, talks }) {
  const near = clamp((zoom - FAR) / (NEAR - FAR), 0, 1);
  const dark = darkness(hour);
  const dawn = clamp(1 - Math.abs(hour - 7) / 3, 0, 1);
  const some = (/** @type {number} */ count, /** @type {number} */ many) => Math.min(1, count / many) * near;
  return {
    birds: rains ? 0 : (1 - dark) * (0.45 + 0.55 * dawn),
    crickets: rains ? 0.2 * dark : dark,
    wind: 0.25 + 0.35 * (1 - near),
    water: some(water, 20),
    fire: some(fires, 1),
    rain: rains ? 0.5 + 0.5 * near : 0,
    murmur: some(talks, 3),
  };
}
