/** What is worth seeing next, by rule: what the director shows while nobody touches anything. */

import { TICKS_PER_MINUTE } from "./gametime.js";

const WINDOW = 20 * TICKS_PER_MINUTE; // of the scenes that begin so soon after the first to come, the weightiest is shown
const LATE = 2 * TICKS_PER_MINUTE; // how late one may come to a scene
const DEEP = 5; // weight from which a reflection is worth seeing
const AGAIN = 4; // weight that a scene loses when its people, or its news, have just been seen

/** @typedef {import("./shapes.js").SceneView} Scene */

/**
 * The scene to go to from a moment; undefined where nothing is to come.
 * @param {Scene[]} scenes in order of time @param {number} tick @param {Scene[]} [before] those seen last
 * @returns {Scene | undefined}
 */
export function nextScene(scenes, tick, before = []) {
  const open = scenes.filter((scene) => scene.tick >= tick - LATE && (scene.kind !== "reflection" || scene.weight >= DEEP) && !before.includes(scene));
  if (!open.length) return undefined;
  const soon = open.filter((scene) => scene.tick <= Math.max(tick, open[0].tick) + WINDOW);
  const worth = soon.map((scene) => scene.weight - before.filter((other) => alike(scene, other)).length * AGAIN);
  return soon[worth.indexOf(Math.max(...worth))];
}

/** Whether two scenes are of the same people or tell the same news. @param {Scene} one @param {Scene} other */
function alike(one, other) {
  return one.who.some((id) => other.who.includes(id)) || one.news.some((title) => other.news.includes(title));
}
