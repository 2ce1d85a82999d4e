import "./page.mjs";

import assert from "node:assert/strict";
import { test } from "node:test";

import { Navigation } from "../../../frontend/js/navigation.js";

const TALKS = [
  { id: "1", people: ["ana", "bo"] },
  { id: "2", people: ["cy", "di"] },
];
const PLACES = { ana: { x: 2, y: 2 }, cy: { x: 30, y: 2 } };

/** The page with the camera over a tile. */
function above(x) {
  const frames = { conversations: () => TALKS, pose: (id) => PLACES[id] };
  const stage = { followed: "", frames, tile: 32 };
  return new Navigation({ run: {}, player: {}, camera: { x: x * 32, y: 64 }, stage, marks: {} });
}

test("the panel shows the conversation over which the camera is", () => {
  assert.equal(above(4).talks(0).at, 0);
  assert.equal(above(28).talks(0).at, 1);
});

test("the conversation that is listened to comes first, wherever the camera is on its way", () => {
  const page = above(4);
  page.heard = "2";
  assert.equal(page.talks(0).at, 1);
  page.heard = "over";
  assert.equal(page.talks(0).at, 0);
});

test("of the one followed, only the own conversation is shown", () => {
  const page = above(4);
  page.stage.followed = "di";
  assert.deepEqual(
    page.talks(0).list.map(({ id }) => id),
    ["2"],
  );
  page.stage.followed = "ed";
  assert.equal(page.talks(0).at, -1);
});
