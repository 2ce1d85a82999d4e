import "./page.mjs";

import assert from "node:assert/strict";
import { test } from "node:test";

import { Minimap } from "../../../frontend/js/stage/minimap.js";

function shaded(hour) {
  const painted = [];
  const context = { fillRect: (...box) => painted.push([context.fillStyle, context.globalCompositeOperation, ...box]) };
  Minimap.prototype.shade.call({ context, map: { columns: 40, rows: 30 }, scale: 4, time: { hour: () => hour } }, 0);
  return { painted, after: context.globalCompositeOperation };
}

test("on the small map it is night at night, and day by day", () => {
  assert.deepEqual(shaded(0), { painted: [["rgb(92 104 168)", "multiply", 0, 0, 160, 120]], after: "source-over" });
  assert.deepEqual(shaded(12).painted[0][0], "rgb(255 255 255)");
});
