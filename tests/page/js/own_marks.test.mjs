import assert from "node:assert/strict";
import { test } from "node:test";

import { OwnMarks } from "../../../frontend/js/data/own_marks.js";

function keeper(kept = new Map()) {
  return () => ({ getItem: (key) => kept.get(key) ?? null, setItem: (key, value) => kept.set(key, value) });
}

test("marks are kept for their run, in order of time", () => {
  const storage = keeper();
  const marks = new OwnMarks("town", storage);
  marks.set(60, "supper");
  marks.set(30, "tea");
  marks.set(60, "the supper");
  marks.set(90, "");
  marks.remove(90);
  const expected = [
    { tick: 30, text: "tea" },
    { tick: 60, text: "the supper" },
  ];
  assert.deepEqual(marks.all, expected);
  assert.deepEqual(new OwnMarks("town", storage).all, expected);
  assert.deepEqual(new OwnMarks("other", storage).all, []);
});

test("a browser that keeps nothing still shows them", () => {
  const marks = new OwnMarks("town", () => {
    throw new Error("denied");
  });
  marks.set(60, "supper");
  assert.equal(marks.all.length, 1);
});

test("what was kept in another form is no mark", () => {
  assert.deepEqual(new OwnMarks("town", keeper(new Map([["hometown-marks-town", "{}"]]))).all, []);
});
