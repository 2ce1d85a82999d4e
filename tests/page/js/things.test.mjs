import assert from "node:assert/strict";
import { test } from "node:test";

import { present } from "../../../frontend/js/stage/interventions.js";
import { TiledMap } from "../../../frontend/js/stage/map.js";

/** A map of 4 × 1 tiles with a thing on each of the middle ones. */
function map() {
  const layer = (name, data) => ({ type: "tilelayer", name, data });
  return new TiledMap(
    { tilewidth: 32, width: 4, height: 1, layers: [layer("ground", [1, 1, 1, 1]), layer("furniture", [0, 2, 2, 0]), layer("lights", [0, 0, 3, 0])] },
    [],
  );
}

test("a thing is there from when it was placed until it is removed", () => {
  assert.deepEqual(
    [59, 60, 119, 120].map((tick) => present({ from: 60, until: 120 }, tick)),
    [false, true, true, false],
  );
  assert.ok(present({}, 0));
});

test("what stands beside a removed thing goes with it, unless it is a thing of its own", () => {
  const town = map();
  town.clear([[1, 0]], () => false);
  assert.deepEqual([...town.bare].sort(), [1, 2]);
  town.clear([[1, 0]], (column) => column === 2);
  assert.deepEqual([...town.bare], [1]);
  town.clear([], () => false);
  assert.equal(town.bare.size, 0);
});

test("light is shed from the tiles of the layer of lights", () => {
  assert.deepEqual(map().lamps, [[2, 0]]);
});
