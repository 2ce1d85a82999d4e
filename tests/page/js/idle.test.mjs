import "./page.mjs";

import assert from "node:assert/strict";
import { test } from "node:test";

import { noteAfter, noteChange } from "../../../frontend/js/data/changes.js";
import { Stage } from "../../../frontend/js/stage/stage.js";

/** A stage whose pictures are counted. */
function counted() {
  const stage = { camera: { view: "here" }, overlays: new Set(), drawn: { looks: "", at: 0, times: 0 }, seconds: 0, pictures: 0, draw: () => stage.pictures++ };
  const refresh = (now, tick = 1, lines = new Map()) => Stage.prototype.refresh.call(stage, now, tick, lines, []);
  return { stage, refresh };
}

test("a town in which nothing changes is hardly ever drawn", () => {
  const { stage, refresh } = counted();
  for (let now = 0; now < 30; now += 10) refresh(now);
  assert.equal(stage.pictures, 3);
  for (let now = 30; now < 4030; now += 10) refresh(now);
  assert.equal(stage.pictures, 5);
});

test("what has come or been done is seen at once", async () => {
  const { stage, refresh } = counted();
  for (let now = 0; now < 100; now += 10) refresh(now);
  assert.equal(stage.pictures, 3);
  assert.equal(await noteAfter(Promise.resolve("an answer")), "an answer");
  refresh(100);
  assert.equal(stage.pictures, 4);
  await assert.rejects(noteAfter(Promise.reject(new Error("lost"))), /lost/);
  refresh(110);
  assert.equal(stage.pictures, 5);
  for (let now = 120; now < 200; now += 10) refresh(now);
  const before = stage.pictures;
  noteChange();
  refresh(200);
  assert.equal(stage.pictures, before + 1);
});

test("whatever moves is drawn at once", () => {
  const { stage, refresh } = counted();
  const changes = [
    () => refresh(1),
    () => refresh(2, 2),
    () => ((stage.hovered = "ada"), refresh(3, 2)),
    () => ((stage.followed = "ada"), refresh(4, 2)),
    () => ((stage.marked = "inn/stove"), refresh(5, 2)),
    () => ((stage.camera.view = "there"), refresh(6, 2)),
    () => ((stage.seconds = 1), refresh(7, 2)),
    () => refresh(8, 2, new Map([["talk", { at: 0 }]])),
    () => refresh(9, 2, new Map([["talk", { at: 1 }]])),
    () => (stage.overlays.add(() => {}), refresh(10, 2, new Map([["talk", { at: 1 }]]))),
  ];
  for (const [at, change] of changes.entries()) {
    change();
    assert.equal(stage.pictures, at + 1);
  }
});
