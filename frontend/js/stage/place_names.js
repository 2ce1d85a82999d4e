/** Names of places on the ground: of buildings from afar, of rooms from nearer, none where one stands among them. A home has the faces of whose it is. */

import { hueOf } from "../data/colours.js";
import { BoxIndex } from "./boxes.js";
import { PILLS } from "./words.js";

const [FARTHEST, BUILDINGS, ROOMS] = [0.2, 0.62, 1.15]; // zoom from which there are names, and up to which those of buildings and of rooms
const MANY = 3; // rooms of a building whose name comes before those of smaller ones
const [FACE, FACES, GAP] = [16, 5, 3]; // pixels of a face at a home, how many of them there are at most, and what is between them

/** @typedef {{name: string, address: string, x: number, y: number, rooms: number, people: string[]}} Named in tiles */

/** The places to be named at a zoom, those that matter most first. @param {import("../data/shapes.js").Run} run @param {number} zoom @returns {Named[]} */
export function namedAt({ places, buildings, centres, residents }, zoom) {
  if (zoom < FARTHEST || zoom > ROOMS) return [];
  const rooms = Object.entries(centres).filter(([address]) => places[address]);
  const living = (/** @type {string} */ within) => residents.filter(({ home }) => `${home}/`.startsWith(`${within}/`)).map(({ id }) => id);
  if (zoom > BUILDINGS) return rooms.map(([address, [x, y]]) => ({ name: places[address], address, x, y, rooms: 1, people: living(address) }));
  const sectors = Object.entries(buildings).map(([sector, name]) => {
    const own = rooms.filter(([address]) => address.startsWith(`${sector}/`)).map(([, centre]) => centre);
    const mean = (/** @type {0 | 1} */ axis) => own.reduce((sum, centre) => sum + centre[axis], 0) / own.length;
    return { name, address: sector, x: mean(0), y: mean(1), rooms: own.length, people: living(sector) };
  });
  return sectors.filter(({ rooms }) => rooms).sort((one, other) => Math.min(MANY, other.rooms) - Math.min(MANY, one.rooms));
}

/** Draws them, as far as none lies on another. @param {import("./stage.js").Stage} stage */
export function drawPlaceNames({ run, camera, context, labels, sprites, tile }) {
  const taken = new BoxIndex();
  for (const { name, address, x, y, people } of namedAt(run, camera.zoom)) {
    const [left, top] = camera.toScreen((x + 0.5) * tile, (y + 0.5) * tile);
    const word = labels.word(name[0].toUpperCase() + name.slice(1), "place", hueOf(run, address));
    const box = {
      left: Math.round(left - word.width / 2),
      top: Math.round(top - word.height / 2),
      right: left + word.width / 2,
      bottom: top + word.height / 2,
    };
    if (!camera.sees(box) || !taken.free(box)) continue;
    taken.add(box);
    context.drawImage(word.picture, box.left, box.top, word.width, word.height);
    const seen = people.slice(0, FACES);
    const first = Math.round(left - ((seen.length - 1) * (FACE + GAP)) / 2);
    context.fillStyle = PILLS.place.back;
    context.beginPath();
    if (seen.length) context.roundRect(first - FACE / 2 - 4, box.top - FACE - 7, seen.length * (FACE + GAP) + 5, FACE + 7, FACE / 2 + 3);
    context.fill();
    seen.forEach((id, at) => sprites.face(context, id, first + at * (FACE + GAP), box.top - FACE / 2 - 4, FACE));
  }
}
