import assert from "node:assert/strict";
import { test } from "node:test";

import { BoxIndex, cellsOf, overlap } from "../../../frontend/js/stage/boxes.js";

const box = (left, top, right, bottom) => ({ left, top, right, bottom });

test("boxes that only touch do not overlap", () => {
  assert.ok(overlap(box(0, 0, 10, 10), box(9, 9, 20, 20)));
  assert.ok(!overlap(box(0, 0, 10, 10), box(10, 0, 20, 10)));
});

test("a box touches every cell that it lies over", () => {
  assert.deepEqual(cellsOf(box(0, 0, 64, 64)), [0]);
  assert.deepEqual(cellsOf(box(60, 0, 65, 65)), [0, 1, 4096, 4097]);
});

test("an index agrees with comparing every pair, also across cells and left of the screen", () => {
  const boxes = [];
  let seed = 1;
  const next = (most) => (seed = (seed * 48_271) % 2_147_483_647) % most;
  for (let at = 0; at < 60; at++) {
    const [left, top] = [next(700) - 60, next(500) - 60];
    boxes.push(box(left, top, left + 5 + next(150), top + 5 + next(40)));
  }
  const index = new BoxIndex();
  const added = [];
  for (const candidate of boxes) {
    assert.equal(index.free(candidate), !added.some((other) => overlap(other, candidate)));
    index.add(candidate);
    added.push(candidate);
  }
});

test("what is one's own is not in one's way", () => {
  const index = new BoxIndex();
  index.add(box(0, 0, 10, 10), "ana");
  assert.ok(index.free(box(5, 5, 8, 8), "ana"));
  assert.ok(!index.free(box(5, 5, 8, 8), "bo"));
});
