import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import { apart, COLUMNS, emblemOf, NAMES, placeOf, SIZE } from "../../../frontend/js/data/emblems.js";

const read = (/** @type {string} */ path) => readFileSync(new URL(`../../../${path}`, import.meta.url), "utf8");

test("the sheet has a place for each icon that the page looks for", () => {
  const sheet = readFileSync(new URL("../../../frontend/emblems.png", import.meta.url));
  assert.deepEqual([sheet.readUInt32BE(16), sheet.readUInt32BE(20)], [COLUMNS * SIZE, Math.ceil(NAMES.length / COLUMNS) * SIZE]);
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
