/** Where a bubble may hang: over its speaker's head, if need be to one side or higher, so that it covers nobody's face. */

import { clamp } from "../data/clamp.js";
import { overlap } from "./boxes.js";

export const EDGE = 8; // pixels between a bubble and the edge of the screen
const TAIL = 10; // pixels between a head and its bubble
const ASIDE = [0, -0.32, 0.32]; // widths of the bubble
const HIGHER = 36; // pixels

/** @typedef {import("./boxes.js").Box} Box */
/** @typedef {{x: number, head: number, size: number}} Head */

/** The places of a bubble, the best first, all within the screen. @param {Head} speaker @param {{width: number, height: number}} bubble @param {number} screen its width @returns {Box[]} */
export function placesFor({ x, head, size }, { width, height }, screen) {
  const middle = x + size / 2;
  return [0, HIGHER].flatMap((higher) =>
    ASIDE.map((aside) => {
      const left = clamp(middle - width / 2 + aside * width, EDGE, Math.max(EDGE, screen - width - EDGE));
      const top = Math.max(EDGE, head - height - TAIL - higher);
      return { left, top, right: left + width, bottom: top + height };
    }),
  );
}

/** The first of some places that covers no face, or else the first of all. @param {Box[]} places @param {Box[]} faces */
export function clearOf(places, faces) {
  return places.find((place) => !faces.some((face) => overlap(face, place))) ?? places[0];
}

/** The box of a face. @param {Head} head @returns {Box} */
export function faceOf({ x, head, size }) {
  return { left: x + size * 0.2, top: head, right: x + size * 0.8, bottom: head + size * 0.6 };
}
