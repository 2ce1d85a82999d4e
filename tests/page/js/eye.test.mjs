import "./page.mjs";

import assert from "node:assert/strict";
import { test } from "node:test";

import { lastSeen } from "../../../frontend/js/data/eye.js";
import { nearest } from "../../../frontend/js/stage/minds_eye.js";

const memory = (id, more) => ({ id, step: id, tick: id * 60, type: "event", about: ["bo"], address: "cafe/main", conversation: "", text: `${id}`, ...more });
const blocks = (...items) => [{ items, used: [], retired: [], settled: [] }];

test("somebody was last seen where it was met or talked to, up to the moment shown", () => {
  const seen = blocks(memory(1), memory(2, { address: "park/lawn", type: "chat", conversation: "2" }), memory(9, { address: "pub/main" }));
  assert.deepEqual(
    lastSeen("ana", seen, 5).map(({ who, address, tick }) => [who, address, tick]),
    [["bo", "park/lawn", 120]],
  );
});

test("what one was told, thinks or does oneself is no sight", () => {
  const told = memory(1, { conversation: "1" });
  const thought = memory(2, { type: "thought", address: "" });
  assert.deepEqual(lastSeen("ana", blocks(told, thought, memory(3, { about: ["ana"] })), 5), []);
});

test("what is no place belongs to the nearest one, and not round the edge of the map", () => {
  const cells = [1, 0, 0, 2, 1, 0, 0, 2];
  assert.deepEqual(nearest({ columns: 4, names: ["", "a", "b"], cells }), [1, 1, 2, 2, 1, 1, 2, 2]);
  assert.deepEqual(nearest({ columns: 3, names: ["", "a", "b"], cells: [0, 0, 1, 2, 0, 0] }), [2, 1, 1, 2, 2, 1]);
});
