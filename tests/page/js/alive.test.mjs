import "./page.mjs";

import assert from "node:assert/strict";
import { test } from "node:test";

import { drop, duck, glint, leaf, puff } from "../../../frontend/js/stage/drift.js";
import { gather, inHand, nod, sits } from "../../../frontend/js/stage/poses.js";
import { ponds } from "../../../frontend/js/stage/scenery.js";

const at = (x, y, more = {}) => ({ x: 32 * x, y: 32 * y, head: 32 * y, size: 32, pose: { x, y, facing: 0, walking: false }, asleep: false, ...more });

test("what moves by itself moves, stays near its place and is never brighter than it may be", () => {
  for (const move of [glint, puff, drop, leaf, duck]) {
    const seen = Array.from({ length: 200 }, (_, step) => move(step * 0.137, 0.3));
    assert.ok(new Set(seen.map(({ x }) => x.toFixed(3))).size > 20, move.name);
    for (const { x, y, shine = 1 } of seen) assert.ok((!shine || Math.hypot(x, y) < 3) && shine >= 0 && shine <= 1, move.name);
    assert.deepEqual(move(7.5, 0.3), move(7.5, 0.3));
  }
});

test("ducks swim where there is water all around, and not in a ditch", () => {
  const cells = (columns, rows) => Array.from({ length: columns * rows }, (_, cell) => [cell % columns, Math.floor(cell / columns)]);
  assert.deepEqual(ponds(cells(40, 2)), []);
  const swimming = ponds(cells(12, 8));
  assert.ok(swimming.length > 1);
  for (const [column, row] of swimming) assert.ok(column >= 2 && column < 10 && row >= 1 && row < 7);
});

test("two face each other; more step into a circle and look into it", () => {
  const [left, right] = [at(0, 0), at(2, 0)];
  gather([left, right]);
  assert.deepEqual([left.pose.facing, right.pose.facing, left.x, right.x], [2, 1, 0, 64]);
  const [one, two, three] = [at(0, 0), at(4, 0), at(2, 3, { sits: true })];
  gather([one, two, three]);
  assert.ok(one.x > 0 && two.x < 128 && one.y > 0);
  assert.ok(one.x <= 32 * 0.4, "by a step at most");
  assert.deepEqual([three.x, three.y, three.pose.facing], [64, 96, 3], "who sits stays, and looks up to the others");
});

test("who is on furniture sits, unless it walks past; hands hold what the activity is about", () => {
  const map = { columns: 3, below: { layers: [{ name: "furniture", cells: [0, 7, 0] }] } };
  assert.ok(sits(map, { x: 1, y: 0, walking: false }));
  assert.ok(!sits(map, { x: 2, y: 0, walking: false }) && !sits(map, { x: 1, y: 0, walking: true }) && !sits(null, { x: 1, y: 0, walking: false }));
  const reading = at(0, 0, { action: { emoji: "📖" } });
  assert.equal(inHand(reading), "book");
  assert.equal(inHand({ ...reading, asleep: true }), "");
  assert.equal(inHand({ ...reading, pose: { ...reading.pose, facing: 3 } }), "", "not seen from behind");
  assert.equal(inHand({ ...reading, action: { emoji: "🌳" } }), "");
});

test("heads rest while nothing moves", () => {
  assert.equal(nod(true, 0, 1), 0);
  assert.ok(Array.from({ length: 20 }, (_, step) => nod(true, 1 + step / 10, 1)).some((by) => by > 0.02));
});
