/** What is retired is searched no more, until it comes to mind again. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { memoriesAt } from "../../../frontend/js/data/retrieval.js";

const BLOCKS = [
  {
    items: [
      { id: 1, step: 1 },
      { id: 2, step: 1 },
      { id: 3, step: 1 },
    ],
    used: [
      [2, 1, 9],
      [3, 2, 14],
    ],
    retired: [
      [3, 1],
      [3, 2],
      [4, 3],
    ],
    settled: [[2, 14]],
  },
  { items: [], used: [[6, 1, 31]], retired: [], settled: [] },
];

/** @param {number} step */
const retired = (step) => memoriesAt(BLOCKS, step).flatMap((memory) => (memory.retired ? [memory.id] : []));

test("a memory that was retired and used later is live again", () => {
  assert.deepEqual(retired(2), []);
  assert.deepEqual(retired(4), [1, 2, 3]);
  assert.deepEqual(retired(6), [2, 3]);
});

test("what is over has the time since when", () => {
  assert.deepEqual(
    memoriesAt(BLOCKS, 6).map((memory) => memory.settled),
    [null, 14, null],
  );
});
