/** The director goes to what weighs most of what comes next, and not ten times to the same. */

import assert from "node:assert/strict";
import { test } from "node:test";

import "./page.mjs";
import { nextScene } from "../../../frontend/js/data/scenes.js";
import { Player } from "../../../frontend/js/stage/player.js";

const scene = (tick, who, weight, more = {}) => ({ tick, kind: "conversation", who, address: "", conversation: `${tick}`, news: [], weight, ...more });

test("of what comes within twenty minutes the weightiest is shown", () => {
  const scenes = [scene(100, ["a", "b"], 3), scene(160, ["c", "d"], 7), scene(400, ["e", "f"], 10)];
  assert.equal(nextScene(scenes, 90), scenes[1]);
  assert.equal(nextScene(scenes, 300), scenes[2]);
  assert.equal(nextScene(scenes, 900), undefined);
});

test("whoever has just been seen waits, and so does news just heard", () => {
  const scenes = [scene(100, ["a", "b"], 6), scene(110, ["a", "c"], 6), scene(120, ["d", "e"], 4), scene(130, ["f", "g"], 7, { news: ["party"] })];
  assert.equal(nextScene(scenes, 101, [scenes[0], scene(50, ["x", "y"], 9, { news: ["party"] })]), scenes[2]);
});

test("a shallow reflection is no scene, a deep one is", () => {
  const scenes = [scene(100, ["a"], 3, { kind: "reflection" }), scene(300, ["a"], 6, { kind: "reflection" })];
  assert.equal(nextScene(scenes, 90), scenes[1]);
});

test("what is not to be missed is not come late to", () => {
  const scenes = [scene(100, ["a", "b"], 9), scene(180, ["c", "d"], 3)];
  assert.equal(nextScene(scenes, 110), scenes[0]);
  assert.equal(nextScene(scenes, 120), scenes[1]);
});

test("time hurries to what is due, and is itself when it is there", () => {
  const frames = { end: 10_000, finished: true, want() {}, at: () => ({}) };
  const player = new Player(/** @type {any} */ (frames), { tick: 0, speed: 0 });
  player.playing = true;
  player.due = 600;
  assert.ok(player.pace > 600);
  let frame = 0;
  while (player.tick < 600 && frame < 60 * 60) (player.advance(1 / 60), frame++);
  assert.ok(frame < 60 * 12, `${frame} frames`);
  assert.ok(player.tick < 602);
  assert.equal(player.pace, player.times);
  assert.equal(player.sought, 0);
});
