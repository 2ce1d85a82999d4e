/** Runs are found by all of some words, and sorted as is wanted. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { holds, ORDERS } from "../../../frontend/js/sift.js";

const RUNS = [
  { name: "b", steps: 10, size: 5 },
  { name: "a", steps: 30, size: 1 },
  { name: "c", steps: 20, size: 9 },
];
const sorted = (by) =>
  RUNS.toSorted(ORDERS[by])
    .map(({ name }) => name)
    .join("");

test("each order is what it is called", () => {
  assert.deepEqual(Object.keys(ORDERS).map(sorted), ["bac", "abc", "acb", "cba"]);
});

test("all words must be there, no word is in everything", () => {
  assert.ok(holds("demo The Ville scripted", "ville DEMO"));
  assert.ok(!holds("demo The Ville", "ville tiny"));
  assert.ok(holds("demo", ""));
});
