/** Words in a picture break where words end, and Chinese ones anywhere; none is lost. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { wrap } from "../../../frontend/js/data/wrap.js";

const measure = (text) => text.length;

test("lines are as full as they can be, and hold all words", () => {
  assert.deepEqual(wrap("Will you come to the party?", 12, measure), ["Will you", "come to the", "party?"]);
  assert.deepEqual(wrap("一二三四五，六七", 4, measure), ["一二三四", "五，六七"]);
});

test("a word that is too long has a line of its own", () => {
  assert.deepEqual(wrap("so extraordinarily odd", 6, measure), ["so", "extraordinarily", "odd"]);
  assert.deepEqual(wrap("", 6, measure), []);
});
