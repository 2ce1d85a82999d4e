import "./page.mjs";

import assert from "node:assert/strict";
import { test } from "node:test";

import { namedAt } from "../../../frontend/js/stage/place_names.js";

const RUN = {
  places: { "cafe/main": "Café", "cafe/kitchen": "Café, kitchen", "home/room": "Home" },
  buildings: { cafe: "Café", home: "Home", ruin: "Ruin" },
  residents: [
    { id: "ana", name: "Ana", home: "home/room" },
    { id: "bo", name: "Bo", home: "cafe/kitchen" },
    { id: "cy", name: "Cy", home: "" },
  ],
  centres: { "home/room": [20, 20], "cafe/main": [4, 2], "cafe/kitchen": [8, 2] },
};
const names = (zoom) => namedAt(RUN, zoom).map(({ name }) => name);

test("from afar buildings are named in their middle, the large ones first; a building without rooms is not", () => {
  assert.deepEqual(namedAt(RUN, 0.4), [
    { name: "Café", address: "cafe", x: 6, y: 2, rooms: 2, people: ["bo"] },
    { name: "Home", address: "home", x: 20, y: 20, rooms: 1, people: ["ana"] },
  ]);
});

test("a home has the faces of those who live there, and no other room has", () => {
  assert.deepEqual(
    namedAt(RUN, 0.9).map(({ people }) => people),
    [["ana"], [], ["bo"]],
  );
});

test("from nearer rooms are named, and from very far or very near nothing", () => {
  assert.deepEqual(names(0.9), ["Home", "Café", "Café, kitchen"]);
  assert.deepEqual([names(0.1), names(2)], [[], []]);
});
