import "./page.mjs";

import assert from "node:assert/strict";
import { test } from "node:test";

globalThis.OffscreenCanvas ??= class {};
const { MindsEye } = await import("../../../frontend/js/stage/minds_eye.js");
const { Mind } = await import("../../../frontend/js/show/mind.js");
const { words } = await import("../../../frontend/js/data/api.js");

const ARENAS = { columns: 2, names: ["", "cafe", "park"], cells: [1, 2] };

/** Ana in the café, who has seen others in it. @param {Record<string, {x: number, y: number}>} poses */
function eyeOf(poses) {
  const frames = { pose: (who) => poses[who] };
  const stage = { frames, context: {}, camera: {}, tile: 32, sprites: {}, labels: {}, spotOf: () => null };
  const eye = new MindsEye(stage, ARENAS, "ana");
  const people = Object.keys(poses)
    .slice(1)
    .map((who) => ({ who, at: null, address: "cafe", tick: 0, text: "" }));
  eye.know({ step: 1, radius: 4, places: ["cafe"], people, things: {} });
  return eye;
}

test("who has left the room in which one still is, is no longer where last seen", () => {
  const eye = eyeOf({ ana: { x: 0, y: 0 }, bo: { x: 1, y: 0 }, cy: { x: 0, y: 0 } });
  eye.ghosts(eye.known, "cafe", 0);
  assert.equal(eye.wrong, 1);
});

test("the line below counts nobody where there is nobody to count", async () => {
  await words("en");
  const run = { residents: [1, 2, 3], places: { cafe: "Café", park: "Park" } };
  const mind = Object.assign(Object.create(Mind.prototype), { parts: { run, tabs: { name: () => "Ana" } } });
  const say = (wrong, people) => mind.words({ who: "ana", wrong }, { places: ["cafe"], people });
  assert.equal(say(0, [1, 2]), "As Ana knows it: 1 of 2 places, the others lie in fog.");
  assert.equal(say(2, [1]), "As Ana knows it: 1 of 2 places, the others lie in fog. 2 people are no longer where last seen. 1 person was never seen.");
});
