import assert from "node:assert/strict";
import { test } from "node:test";

import { DOWN, LEFT, RIGHT, UP, facing, seatFacing } from "../../../frontend/js/data/facing.js";

test("whoever walks looks where it goes", () => {
  assert.deepEqual([facing(1, 0, UP), facing(-1, 0, UP), facing(0, 1, UP), facing(0, -1, DOWN)], [RIGHT, LEFT, DOWN, UP]);
});

test("whoever stands looks as before", () => {
  assert.equal(facing(0, 0, LEFT), LEFT);
});

test("whoever sits looks as the map says", () => {
  const bench = { facing: { "3,4": "up", "4,4": "left" } };
  assert.deepEqual([seatFacing(bench, [3, 4]), seatFacing(bench, [4, 4]), seatFacing(bench, [5, 4]), seatFacing(undefined, [3, 4])], [UP, LEFT, null, null]);
});
