import assert from "node:assert/strict";
import { test } from "node:test";

import { signOf } from "../../../frontend/js/stage/signs.js";

test("an event has the sign of what happens, in both languages", () => {
  const told = {
    "fireworks over the pond": "fireworks",
    公园上空放烟花: "fireworks",
    "The stove is on fire": "fire",
    "a window breaks": "crash",
    一只猫跑了进来: "cat",
  };
  for (const [text, sign] of Object.entries(told)) assert.equal(signOf(text), sign, text);
});

test("words within other words say nothing, and what is unknown has the usual sign", () => {
  for (const text of ["a catalogue lies open", "the train is late", "nobody comes"]) assert.equal(signOf(text), "alert", text);
});
