import "./page.mjs";

import assert from "node:assert/strict";
import { test } from "node:test";

import { hourly } from "../../../frontend/js/plots/charts.js";
import { rooms } from "../../../frontend/js/plots/network.js";
import { overlap } from "../../../frontend/js/stage/boxes.js";

test("an axis of time has its marks at whole hours of the clock, wherever a run begins and ends", () => {
  for (const [from, hours] of [
    [6, 6.17],
    [6, 18],
    [5.75, 40],
    [0, 3],
  ]) {
    const marks = hourly(from, hours * 360);
    assert.ok(marks.length > 1 && marks.length <= 8, `${marks}`);
    for (const tick of marks) assert.equal((tick / 360 + from) % 1, 0, `${from}: ${tick}`);
  }
  assert.deepEqual(hourly(6, 6 * 360), [0, 360, 720, 1080, 1440, 1800, 2160]);
});

test("names of points side by side do not lie on each other", () => {
  const spots = [
    [100, 100],
    [112, 104],
    [124, 100],
    [106, 112],
  ];
  const [radii, widths] = [Array(4).fill(4), Array(4).fill(40)];
  const boxes = rooms(spots, radii, widths).map(([x, y]) => ({ left: x - 20, right: x + 20, top: y - 10, bottom: y + 3 }));
  boxes.forEach((box, at) => boxes.slice(at + 1).forEach((other) => assert.ok(!overlap(box, other), JSON.stringify([box, other]))));
});
