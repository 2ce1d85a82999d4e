/** Names of places on the ground: of buildings from afar, of rooms from nearer, none where one stands among them. */

import { BoxIndex } from "./boxes.js";

const [FARTHEST, BUILDINGS, ROOMS] = [0.2, 0.62, 1.15]; // zoom from which there are names, and up to which those of buildings and of rooms
const MANY = 3; // rooms of a building whose name comes before those of smaller ones

/** @typedef {{name: string, x: number, y: number, rooms: number}} Named in tiles */

/** The places to be named at a zoom, those that matter most first. @param {import("../data/shapes.js").Run} run @param {number} zoom @returns {Named[]} */
export function namedAt({ places, buildings, centres }, zoom) {
  if (zoom < FARTHEST || zoom > ROOMS) return [];
  const rooms = Object.entries(centres).filter(([address]) => places[address]);
  if (zoom > BUILDINGS) return rooms.map(([address, [x, y]]) => ({ name: places[address], x, y, rooms: 1 }));
  const sectors = Object.entries(buildings).map(([sector, name]) => {
    const own = rooms.filter(([address]) => address.startsWith(`${sector}/`)).map(([, centre]) => centre);
    const mean = (/** @type {0 | 1} */ axis) => own.reduce((sum, centre) => sum + centre[axis], 0) / own.length;
    return { name, x: mean(0), y: mean(1), rooms: own.length };
  });
  return sectors.filter(({ rooms }) => rooms).sort((one, other) => Math.min(MANY, other.rooms) - Math.min(MANY, one.rooms));
}

/** Draws them, as far as none lies on another. @param {import("./stage.js").Stage} stage */
export function drawPlaceNames({ run, camera, context, labels, tile }) {
  const taken = new BoxIndex();
  for (const { name, x, y } of namedAt(run, camera.zoom)) {
    const [left, top] = camera.toScreen((x + 0.5) * tile, (y + 0.5) * tile);
    const word = labels.word(name[0].toUpperCase() + name.slice(1), "place");
    const box = {
      left: Math.round(left - word.width / 2),
      top: Math.round(top - word.height / 2),
      right: left + word.width / 2,
      bottom: top + word.height / 2,
    };
    if (!camera.sees(box) || !taken.free(box)) continue;
    taken.add(box);
    context.drawImage(word.picture, box.left, box.top, word.width, word.height);
  }
}
