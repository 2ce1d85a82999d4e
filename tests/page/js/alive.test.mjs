import "./page.mjs";

import assert from "node:assert/strict";
import { test } from "node:test";

import { drop, duck, glint, leaf, puff } from "../../../frontend/js/stage/drift.js";
import { liven, mannerOf } from "../../../frontend/js/stage/manners.js";
import { gather, hidden, inHand, sits } from "../../../frontend/js/stage/poses.js";
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

const COMPANY = ["ana", "bo"];
const company = (line, seconds) => {
  const figures = COMPANY.map((id) => at(0, 0, { id, nods: 0, manner: "" }));
  liven(figures, COMPANY, line, seconds);
  return figures;
};

test("heads rest while nothing moves, and nod while somebody speaks", () => {
  const line = { speaker: "ana", text: "It rains.", at: 1 };
  assert.deepEqual(
    company(line, 0).map(({ nods, manner }) => [nods, manner]),
    [
      [0, ""],
      [0, ""],
    ],
  );
  assert.ok(Array.from({ length: 20 }, (_, step) => company(line, 1 + step / 10)[0].nods).some((by) => by > 0.02));
});

test("people wave as they meet and part, and all laugh at what is funny", () => {
  const manners = (speaker, text, number) => COMPANY.map((who) => mannerOf({ speaker, text, at: number }, who));
  assert.deepEqual(manners("ana", "Any news?", 0), ["waves", "waves"]);
  assert.deepEqual(manners("ana", "Good evening!", 3), ["waves", ""]);
  assert.deepEqual(manners("bo", "那就再见。", 3), ["", "waves"]);
  assert.deepEqual(manners("ana", "The oven is hot.", 3), ["", ""]);
  for (const text of ["Haha, again?", "That joke is old.", "真好笑！"]) assert.deepEqual(manners("bo", text, 2), ["laughs", "laughs"]);
  assert.deepEqual(manners("ana", "This is a behaviour of hills.", 2), ["", ""], "words, not letters");
});

test("whoever is below a tree is hidden by it, or its head is", () => {
  const map = { columns: 2, above: { layers: [{ cells: [0, 7, 0, 0, 0, 0] }] } };
  const under = (x, y) => hidden(map, { x, y });
  assert.deepEqual([under(1, 0), under(1, 1), under(1, 2), under(0, 0)], [true, true, false, false]);
  assert.ok(!hidden(null, { x: 1, y: 0 }));
});
