/** The colour of the light by the hour, to be multiplied over the stage. */

/** Hour and colour (red, green, blue); between two of them the light changes evenly. @type {[number, number, number, number][]} */
const LIGHT = [
  [0, 92, 104, 168],
  [5, 92, 104, 168],
  [6.25, 238, 206, 194],
  [7.5, 255, 247, 232],
  [9, 255, 255, 255],
  [16.5, 255, 255, 255],
  [18, 255, 222, 178],
  [19, 232, 170, 150],
  [20.25, 128, 126, 186],
  [22, 92, 104, 168],
  [24, 92, 104, 168],
];

/** @param {number} hour @returns {[number, number, number]} */
export function light(hour) {
  const after = Math.max(
    1,
    LIGHT.findIndex(([at]) => at > hour),
  );
  const [from, to] = [LIGHT[after - 1], LIGHT[after]];
  const share = (hour - from[0]) / (to[0] - from[0]);
  const mix = (/** @type {1 | 2 | 3} */ at) => Math.round(from[at] + (to[at] - from[at]) * share);
  return [mix(1), mix(2), mix(3)];
}

/** How dark it is: 0 by day, 1 in the depth of night. @param {number} hour */
export function darkness(hour) {
  const [, green] = light(hour);
  return Math.min(1, Math.max(0, (200 - green) / 96));
}
