import assert from "node:assert/strict";
import { test } from "node:test";

import { Goal } from "../../../frontend/js/visit/goal.js";

const pen = new Proxy({}, { get: () => () => {}, set: () => true });

/** A stage with a visitor, who is drawn at a tile. */
function stageWith(pose) {
  return {
    run: { ticks: 60, centres: { "cafe/main": [20, 10] } },
    frames: { steps: 2, pose: () => pose },
    camera: { zoom: 1, toScreen: (x, y) => [x, y] },
    tile: 32,
    context: pen,
    overlays: new Set(),
  };
}

test("a goal is marked until the visitor is there", () => {
  const pose = { x: 3, y: 4, walking: false };
  const stage = stageWith(pose);
  const goal = new Goal(stage);
  goal.set("noor", { tile: [9, 4] });
  goal.draw(stage, 119);
  assert.equal(stage.overlays.size, 1, "they stand, since the step is not over");
  goal.isWaiting = false;
  Object.assign(pose, { x: 6, walking: true });
  goal.draw(stage, 119);
  assert.equal(stage.overlays.size, 1, "they are on the way");
  Object.assign(pose, { x: 8.2 });
  goal.draw(stage, 119);
  assert.equal(stage.overlays.size, 0);
});

test("a goal that nobody reaches is marked no longer than they walk", () => {
  const stage = stageWith({ x: 3, y: 4, walking: false });
  const goal = new Goal(stage);
  goal.set("noor", { place: "cafe/main" });
  assert.equal(stage.overlays.size, 1);
  goal.isWaiting = false;
  goal.draw(stage, 80);
  assert.equal(stage.overlays.size, 1, "the walk is still to be shown");
  goal.draw(stage, 119);
  assert.equal(stage.overlays.size, 0);
  goal.set("noor", { place: "nowhere" });
  assert.equal(stage.overlays.size, 0);
});
