import assert from "node:assert/strict";
import { test } from "node:test";

import { inParts } from "../../../frontend/js/data/parts.js";

const said = (text) => inParts({ lines: [{ speaker: "ana", text, call: "" }] }).lines.map((line) => line.text);
const LONG =
  "I have thought about it all week, and I still can't say whether it was the rain, the flour, or the oven that ruined the bread. " +
  "But tomorrow I'll bake again, at five, before anybody is up; and this time I'll stay beside the oven until the very last loaf is out of it.";

test("a short line stays as it is", () => assert.deepEqual(said("Good morning!"), ["Good morning!"]));

test("of a long line nothing is left out, and each part ends with a sentence or a word", () => {
  const parts = said(LONG);
  assert.ok(parts.length > 1 && parts.every((part) => part.length <= 140));
  assert.equal(parts.join(" "), LONG);
  assert.equal(parts[0], LONG.slice(0, LONG.indexOf(".") + 1));
});

test("Chinese is parted at its own signs, and what has no signs is parted all the same", () => {
  const chinese = "我想了整整一个星期，还是说不清到底是雨水、面粉，还是烤箱把那批面包给毁了。".repeat(8);
  assert.ok(said(chinese).every((part) => part.length <= 140 && /[。，、]$/.test(part)));
  assert.equal(said(chinese).join(""), chinese);
  assert.equal(said("啊".repeat(500)).join(""), "啊".repeat(500));
});
