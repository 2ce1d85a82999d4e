import assert from "node:assert/strict";
import { test } from "node:test";

import { Camera } from "../../../frontend/js/stage/camera.js";
import { Framing } from "../../../frontend/js/stage/framing.js";

function taken() {
  const camera = new Camera(3200, 1600, 2);
  camera.resize(800, 600);
  const stage = { camera, followed: "" };
  const framing = new Framing(stage, { hidden: true });
  framing.take();
  return { camera, framing, stage };
}

test("a move of the camera before the first frame is noticed", () => {
  const { camera, framing } = taken();
  assert.equal(framing.disturbed, false);
  camera.zoomBy(1.5);
  assert.equal(framing.disturbed, true);
});

test("a move that the edge of the map holds back is noticed", () => {
  const { camera, framing } = taken();
  camera.lookAt(3200, 800);
  framing.take();
  const { view } = camera;
  camera.glideBy(0.4, 0);
  camera.glide(1);
  assert.equal(camera.view, view);
  assert.equal(framing.disturbed, true);
});

test("a window of another size does not count as a move", () => {
  const { camera, framing } = taken();
  camera.resize(700, 600);
  assert.equal(framing.disturbed, false);
});

test("following a resident takes the camera", () => {
  const { framing, stage } = taken();
  stage.followed = "klaus";
  assert.equal(framing.disturbed, true);
});
