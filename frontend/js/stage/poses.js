/** How people stand, sit and turn: what is drawn of that, and is no part of what the town knows. */

import { emblemOf } from "../data/emblems.js";
import { facing, UP } from "../data/facing.js";

const ABREAST = 4; // on one tile, side by side; more of them stand closer
const RING = 0.8; // tiles from the middle of a circle of people to each of them
const APART = 3; // tiles beyond which nobody steps into a circle
const STEP = 0.4; // tiles that one steps at most

/** What one can have in hand while doing it. */
const IN_HAND = new Set(
  "coffee tea apple bread cake salad bowl book phone pencil paint guitar camera list mail broom basket shopping singing flower tool search".split(" "),
);

/** @typedef {import("./stage.js").Figure} Figure */

/** Whether somebody sits: on what stands in its tile, such as a chair or a bench. @param {import("./map.js").TiledMap | null} map @param {import("../data/frames.js").Pose} pose */
export function sits(map, { x, y, walking }) {
  const standing = map?.below.layers.find((layer) => layer.name === "furniture");
  return Boolean(map && standing && !walking && standing.cells[Math.round(y) * map.columns + Math.round(x)]);
}

/** Whether tops of trees hide somebody, or its head. @param {import("./map.js").TiledMap | null} map @param {import("../data/frames.js").Pose} pose */
export function hidden(map, { x, y }) {
  const at = map ? Math.round(y) * map.columns + Math.round(x) : 0;
  return Boolean(map?.above.layers.some(({ cells }) => cells[at] || cells[at - map.columns]));
}

/** What somebody has in hand, the name of an icon, "" for nothing; it is not seen from behind. @param {Figure} figure */
export function inHand({ action, asleep, pose }) {
  const name = action?.emoji && !asleep && !pose.walking && pose.facing !== UP ? emblemOf(action.emoji) : "";
  return IN_HAND.has(name) ? name : "";
}

/** People who talk look at each other: two face to face, more into their circle, into which those who stand step a little. @param {Figure[]} group */
export function gather(group) {
  if (group.length < 2) return;
  const middle = (/** @type {"x" | "y"} */ axis) => group.reduce((sum, { pose }) => sum + pose[axis], 0) / group.length;
  const [x, y] = [middle("x"), middle("y")];
  for (const figure of group) {
    const [dx, dy] = [x - figure.pose.x, y - figure.pose.y];
    figure.pose.facing = facing(dx, dy, figure.pose.facing);
    const away = Math.hypot(dx, dy);
    if (group.length < 3 || figure.sits || figure.pose.walking || !away || away > APART) continue;
    const step = Math.max(-STEP, Math.min(STEP, away - RING)) / away;
    figure.x += dx * step * figure.size;
    figure.y += dy * step * figure.size;
    figure.head += dy * step * figure.size;
  }
}

/** Those who stand on one tile are drawn side by side. @param {Figure[]} figures */
export function spread(figures) {
  /** @type {Map<string, Figure[]>} */
  const byTile = new Map();
  for (const figure of figures) {
    if (figure.pose.walking) continue;
    const key = `${figure.pose.x},${figure.pose.y}`;
    const group = byTile.get(key);
    if (group) group.push(figure);
    else byTile.set(key, [figure]);
  }
  for (const group of byTile.values()) {
    const apart = 0.6 * Math.min(1, ABREAST / group.length);
    group.forEach((figure, at) => (figure.x += (at - (group.length - 1) / 2) * figure.size * apart));
  }
}
