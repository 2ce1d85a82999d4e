import assert from "node:assert/strict";
import { test } from "node:test";

import { Camera } from "../../../frontend/js/stage/camera.js";

const near = (actual, expected) => actual.forEach((value, at) => assert.ok(Math.abs(value - expected[at]) < 1e-9, `${actual} is not ${expected}`));

function camera(zoom = 2) {
  const made = new Camera(3200, 1600, zoom);
  made.resize(800, 600);
  return made;
}

test("a point goes to the screen and back", () => {
  const view = camera();
  view.lookAt(1000, 700);
  near(view.toScreen(1000, 700), [400, 300]);
  for (const point of [
    [0, 0],
    [1234.5, 8],
    [3200, 1600],
  ])
    near(view.toWorld(...view.toScreen(...point)), point);
});

test("zooming keeps what lies under the pointer", () => {
  const view = camera();
  view.lookAt(1500, 800);
  const under = view.toWorld(200, 450);
  view.zoomBy(1.5, 200, 450);
  near(view.toWorld(200, 450), under);
  assert.equal(view.zoom, 3);
});

test("the zoom has limits", () => {
  const view = camera();
  view.zoomBy(1e6);
  assert.equal(view.zoom, 4);
  view.zoomBy(1e-9);
  assert.equal(view.zoom, 0.1);
});

test("no more than a margin beyond the map's edge is shown", () => {
  const view = camera();
  view.lookAt(-5000, 99_999);
  const [left, bottom] = [view.toScreen(0, 0)[0], view.toScreen(0, 1600)[1]];
  near([left, bottom], [48, 600 - 48]);
});

test("a map smaller than the screen stays in the middle", () => {
  const view = camera(0.1);
  view.lookAt(0, 0);
  near(view.toScreen(1600, 800), [400, 300]);
});

test("fit shows the whole map", () => {
  const view = camera();
  view.fit();
  near(view.toScreen(0, 800), [0, 300]);
  near(view.toScreen(3200, 800), [800, 300]);
});

test("gliding ends at its goal, and panning ends gliding", () => {
  const view = camera();
  view.lookAt(1000, 700);
  view.glideTo(1300, 800);
  for (let frame = 0; frame < 200 && view.goal; frame++) view.glide(0.2);
  assert.equal(view.goal, null);
  assert.ok(Math.hypot(view.x - 1300, view.y - 800) < 1);
  view.glideBy(0.5, 0);
  near(view.goal, [view.x + 200, view.y]);
  view.pan(10, 0);
  assert.equal(view.goal, null);
});

test("what is on the screen is seen", () => {
  const view = camera();
  assert.ok(view.sees({ left: -10, top: -10, right: 1, bottom: 1 }));
  assert.ok(!view.sees({ left: 800, top: 0, right: 900, bottom: 10 }));
});

test("all is seen where the whole map is on the screen", () => {
  const view = camera();
  assert.ok(!view.seesAll);
  view.fit();
  assert.ok(view.seesAll);
  view.zoomBy(1.01);
  assert.ok(!view.seesAll);
});
