import assert from "node:assert/strict";
import { test } from "node:test";

import { fill } from "../../../frontend/js/data/fill.js";

test("fields are filled in", () => {
  assert.equal(fill("{done} of {all}, {missing}.", { done: 1, all: "1,000" }), "1 of 1,000, .");
});

test("one is a singular", () => {
  const said = (days) => fill("{days} {days:day is|days are} left", { days });
  assert.deepEqual([0, 1, "1", 2].map(said), ["0 days are left", "1 day is left", "1 day is left", "2 days are left"]);
});
