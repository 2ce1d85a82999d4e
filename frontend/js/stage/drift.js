/** What moves by itself, as pure functions of seconds: the same moment always looks the same. Positions are in tiles from the middle of a tile. */

/** A number of 0 to 1 that belongs to a cell. @param {number} column @param {number} row @param {number} [salt] */
export function chance(column, row, salt = 0) {
  const mixed = Math.sin(column * 127.1 + row * 311.7 + salt * 74.7) * 43758.5453;
  return mixed - Math.floor(mixed);
}

/** How far a cycle of so many seconds has come, 0 to 1. @param {number} seconds @param {number} cycle @param {number} phase 0 to 1 */
export function turn(seconds, cycle, phase) {
  const at = seconds / cycle + phase;
  return at - Math.floor(at);
}

/** A glint on water: it brightens and fades as it slides along. @param {number} seconds @param {number} phase */
export function glint(seconds, phase) {
  const at = turn(seconds, 3.2, phase);
  return { x: (at - 0.5) * 0.5, y: phase - 0.5, shine: Math.sin(at * Math.PI) };
}

/** A puff of smoke or steam on its way up. @param {number} seconds @param {number} phase */
export function puff(seconds, phase) {
  const at = turn(seconds, 2.6, phase);
  return { x: Math.sin((at + phase) * 6) * 0.16, y: -0.4 - at * 1.3, size: 0.1 + at * 0.22, shine: (1 - at) * 0.45 };
}

/** A drop of a fountain: up from the middle, out, and down. @param {number} seconds @param {number} phase */
export function drop(seconds, phase) {
  const at = turn(seconds, 0.9, phase * 7);
  const angle = phase * 2 * Math.PI;
  return { x: Math.cos(angle) * at * 0.7, y: -0.8 * at * (1.15 - at) * 3 + Math.sin(angle) * at * 0.35, shine: 1 - at * 0.6 };
}

/** A leaf that falls; for most of its cycle there is none. @param {number} seconds @param {number} phase */
export function leaf(seconds, phase) {
  const at = turn(seconds, 14, phase) * 3;
  return { x: Math.sin(at * 9) * 0.3 + at * 0.5, y: at * 1.8, shine: at < 1 ? Math.min(1, 4 * (1 - at)) : 0 };
}

/** A duck on its round, and whether it looks to the right. @param {number} seconds @param {number} phase */
export function duck(seconds, phase) {
  const angle = (turn(seconds, 24, phase) + phase) * 2 * Math.PI;
  return { x: Math.cos(angle) * 0.9, y: Math.sin(angle) * 0.45 + Math.sin(seconds * 3) * 0.02, right: Math.sin(angle) < 0 };
}

/** A tongue of flame: how high it stands. @param {number} seconds @param {number} phase */
export function flame(seconds, phase) {
  return 0.45 + 0.25 * Math.sin(seconds * 11 + phase * 20) * Math.sin(seconds * 7 + phase * 9);
}
