/** Names of places on the ground: of buildings from afar, of rooms from nearer, none where one stands among them. A home has the faces of whose it is. */

import { castOf } from "../data/cast.js";
import { hueOf } from "../data/colours.js";
import { BoxIndex } from "./boxes.js";
import { PILLS } from "./words.js";

const [FARTHEST, BUILDINGS, ROOMS] = [0.2, 0.62, 1.15]; // zoom from which there are names, and up to which those of buildings and of rooms
const MANY = 3; // rooms of a building whose name comes before those of smaller ones
const [FACE, FACES, GAP] = [16, 5, 3]; // pixels of a face at a home, how many of them there are at most, and what is between them

const WIDEST = 400; // pixels beyond which no name reaches from its middle

/** @typedef {{name: string, address: string, x: number, y: number, rooms: number, people: string[]}} Named in tiles */

/** @type {WeakMap<import("../data/cast.js").Cast, {rooms: Named[], buildings: Named[]}>} what there is to be named where these live */
const known = new WeakMap();

/** The places to be named at a zoom, those that matter most first. @param {import("../data/shapes.js").RunView} run @param {number} zoom @returns {Named[]} */
export function namedAt(run, zoom) {
  if (zoom < FARTHEST || zoom > ROOMS) return [];
  const cast = castOf(run);
  let named = known.get(cast);
  if (!named) known.set(cast, (named = allNamed(run)));
  return zoom > BUILDINGS ? named.rooms : named.buildings;
}

/** @param {import("../data/shapes.js").RunView} run @returns {{rooms: Named[], buildings: Named[]}} */
function allNamed({ places, buildings, centres, residents }) {
  /** @type {Map<string, string[]>} who lives in a room or in a building, by its address */
  const living = new Map();
  for (const { id, home, visitor } of residents) {
    if (visitor) continue;
    for (const within of [home, home.split("/")[0]]) living.set(within, [...(living.get(within) ?? []), id]);
  }
  const rooms = Object.entries(centres)
    .filter(([address]) => places[address])
    .map(([address, [x, y]]) => ({ name: places[address], address, x, y, rooms: 1, people: living.get(address) ?? [] }));
  const sectors = Object.entries(buildings).map(([sector, name]) => ({ name, address: sector, x: 0, y: 0, rooms: 0, people: living.get(sector) ?? [] }));
  const by = new Map(sectors.map((sector) => [sector.address, sector]));
  for (const { address, x, y } of rooms) {
    const sector = by.get(address.split("/")[0]);
    if (!sector) continue;
    sector.rooms += 1;
    sector.x += (x - sector.x) / sector.rooms;
    sector.y += (y - sector.y) / sector.rooms;
  }
  const shown = sectors.filter((sector) => sector.rooms);
  return { rooms, buildings: shown.sort((one, other) => Math.min(MANY, other.rooms) - Math.min(MANY, one.rooms)) };
}

/** Draws them, as far as none lies on another. @param {import("./stage.js").Stage} stage */
export function drawPlaceNames({ run, camera, context, labels, sprites, tile }) {
  const taken = new BoxIndex();
  for (const { name, address, x, y, people } of namedAt(run, camera.zoom)) {
    const [left, top] = camera.toScreen((x + 0.5) * tile, (y + 0.5) * tile);
    if (!camera.sees({ left: left - WIDEST, top: top - WIDEST, right: left + WIDEST, bottom: top + WIDEST })) continue;
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
