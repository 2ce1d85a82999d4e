import "./page.mjs";

import assert from "node:assert/strict";
import { test } from "node:test";

import { LEVELS, Player, SPEEDS } from "../../../frontend/js/stage/player.js";

function player(more = {}) {
  const frames = { ticks: 60, end: 600, finished: true, at: () => ({}), want: () => {}, ...more };
  return new Player(frames, { tick: 90, speed: 0 });
}

test("speeds go from slow to fast", () => {
  const times = LEVELS.map((level) => SPEEDS.get(level));
  assert.deepEqual(
    [...times].sort((a, b) => a - b),
    times,
  );
});

test("the slider stays within the speeds", () => {
  const clock = player();
  clock.level = 99;
  assert.equal(clock.times, 600);
  clock.level = -5;
  assert.equal(clock.times, 1);
});

test("skipping goes to the beginning of a step", () => {
  const clock = player();
  clock.skip(1);
  assert.equal(clock.tick, 120);
  clock.skip(-1);
  assert.equal(clock.tick, 60);
  clock.seek(-10);
  assert.equal(clock.tick, 0);
  clock.skip(-1);
  assert.equal(clock.tick, 0);
  clock.seek(1e9);
  assert.equal(clock.tick, 600);
});

test("a conversation listened to goes at a reader's pace, unless time is hurried", () => {
  const clock = player();
  clock.listening = { ticks: 6, lines: Array(4).fill({ text: "Good morning!" }) };
  clock.level = LEVELS.indexOf(3);
  assert.ok(clock.pace < clock.times);
  assert.equal(clock.pace, 60 / (4 * 2.8));
  clock.level = LEVELS.indexOf(5);
  assert.equal(clock.pace, clock.times);
});

test("hours in which nearly all sleep are skimmed, unless time is slow or somebody is listened to", () => {
  const clock = player();
  clock.asleep = true;
  assert.equal(clock.pace, 1800);
  clock.level = 0;
  assert.equal(clock.pace, 1, "who looks closely sees the night");
  clock.level = LEVELS.indexOf(0);
  clock.listening = { ticks: 6, lines: [{ text: "Psst!" }] };
  assert.ok(clock.pace <= clock.times);
});

test("time passes while it plays and the moment is there, and ends with the run", () => {
  const clock = player();
  clock.advance(1);
  assert.equal(clock.tick, 90);
  clock.toggle();
  clock.advance(0.1);
  assert.equal(clock.tick, 90 + (0.1 * 18.75) / 10);
  clock.seek(599.99);
  clock.advance(0.25);
  assert.ok(clock.atEnd && !clock.playing);
  clock.toggle();
  assert.equal(clock.tick, 0, "from the beginning again");
});

test("time waits for what has not been fetched", () => {
  const clock = player({ at: () => undefined });
  clock.toggle();
  clock.advance(1);
  assert.equal(clock.tick, 90);
});

test("time goes round within a range, in whichever order its ends were chosen", () => {
  const clock = player();
  clock.repeat(120, 60);
  assert.deepEqual(clock.range, [60, 120]);
  clock.playing = true;
  clock.tick = 119.9;
  clock.advance(0.2);
  assert.equal(clock.tick, 60);
  clock.tick = 300;
  clock.advance(0.2);
  assert.ok(clock.tick > 300);
  clock.repeat(80, 80);
  assert.equal(clock.range, null);
});
