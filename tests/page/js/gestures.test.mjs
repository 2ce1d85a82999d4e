import assert from "node:assert/strict";
import { test } from "node:test";

import { Camera } from "../../../frontend/js/stage/camera.js";
import { Gestures } from "../../../frontend/js/stage/gestures.js";

/** A stage of 800 × 600 that lies at (100, 50) of the page, and what was called. */
function stage() {
  const calls = [];
  const handlers = {};
  const camera = new Camera(3200, 3200, 1);
  camera.resize(800, 600);
  const element = {
    addEventListener: (type, handler) => (handlers[type] = handler),
    getBoundingClientRect: () => ({ left: 100, top: 50 }),
    setPointerCapture: () => {},
  };
  const listen =
    (name) =>
    (...at) =>
      calls.push([name, ...at]);
  new Gestures(element, camera, Object.fromEntries(["panned", "moved", "clicked", "hovered", "left"].map((name) => [name, listen(name)])));
  const send = (type, x, y, pointerId = 1, more = {}) => handlers[type]({ type, clientX: x, clientY: y, pointerId, preventDefault: () => {}, ...more });
  return { calls, camera, send };
}

test("a press that hardly moves is a click", () => {
  const { calls, send } = stage();
  send("pointerdown", 300, 250);
  send("pointermove", 302, 251);
  send("pointerup", 302, 251);
  assert.deepEqual(calls, [["clicked", 202, 201]]);
});

test("a drag moves the town with the finger and is no click", () => {
  const { calls, camera, send } = stage();
  const under = camera.toWorld(200, 200);
  send("pointerdown", 300, 250);
  send("pointermove", 340, 280);
  send("pointerup", 340, 280);
  assert.deepEqual(camera.toWorld(240, 230), under);
  assert.deepEqual(calls, [["panned"], ["moved"]]);
});

test("without a button pressed the pointer hovers", () => {
  const { calls, send } = stage();
  send("pointermove", 120, 60);
  assert.deepEqual(calls, [["hovered", 20, 10]]);
});

test("two fingers zoom by the distance between them, and neither clicks", () => {
  const { calls, camera, send } = stage();
  send("pointerdown", 400, 350, 1);
  send("pointerdown", 500, 350, 2);
  send("pointermove", 600, 350, 2);
  assert.equal(camera.zoom, 2);
  send("pointerup", 400, 350, 1);
  send("pointerup", 600, 350, 2);
  assert.deepEqual(
    calls.map(([name]) => name),
    ["moved"],
  );
});

test("the wheel zooms around the pointer", () => {
  const { camera, send } = stage();
  const under = camera.toWorld(600, 100);
  send("wheel", 700, 150, 1, { deltaY: -200 });
  assert.ok(camera.zoom > 1);
  camera.toWorld(600, 100).forEach((value, at) => assert.ok(Math.abs(value - under[at]) < 1e-9));
});
