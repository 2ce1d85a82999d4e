import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import { apart, emblemOf, NAMES, placeOf } from "../../../frontend/js/data/emblems.js";

const read = (/** @type {string} */ path) => readFileSync(new URL(`../../../${path}`, import.meta.url), "utf8");

test("the sheet has the icons in the order in which the page looks for them", () => {
  const drawn = [...read("modules/hometown/authoring/art/emblems.txt").matchAll(/^(\w+): /gm)].map(([, name]) => name);
  assert.deepEqual(NAMES, drawn);
  assert.deepEqual(placeOf(NAMES[13]), [16, 16]);
});

test("an icon of its own stands for each emoji by which our activities are told", () => {
  for (const lang of ["en", "zh"]) {
    const told = [...read(`data/activities/${lang}.json`), ...read(`data/scripted/${lang}/doing.json`)].join("").match(/\p{Emoji_Presentation}/gu) ?? [];
    assert.ok(told.length > 50);
    for (const emoji of told) assert.notEqual(emblemOf(emoji), "thought", emoji);
  }
});

test("what a model thinks of gets the icon of its kind, and anything else a thought", () => {
  const meant = {
    "☕️": "coffee",
    "🍵☕": "tea",
    "👩🏽‍🏫": "teaching",
    "🚶🏿‍♂️": "walking",
    "🦊": "dog",
    "🥑": "plate",
    "🛸": "journey",
    "🇫🇷": "thought",
    "?": "thought",
  };
  for (const [emoji, name] of Object.entries(meant)) assert.equal(emblemOf(emoji), name, emoji);
});

test("a text is parted from the emoji that it begins with", () => {
  assert.deepEqual(apart("🖌️ painting the fence"), ["paint", "painting the fence"]);
  assert.deepEqual(apart("12× as fast"), ["", "12× as fast"]);
  assert.deepEqual(apart("💤"), ["sleep", ""]);
});
