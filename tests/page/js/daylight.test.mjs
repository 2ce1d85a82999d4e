import assert from "node:assert/strict";
import { test } from "node:test";

import { darkness, light } from "../../../frontend/js/stage/daylight.js";

test("noon is white and not dark, midnight is blue and dark", () => {
  assert.deepEqual(light(12), [255, 255, 255]);
  assert.equal(darkness(12), 0);
  const [red, , blue] = light(0);
  assert.ok(blue > red);
  assert.equal(darkness(0), 1);
});

test("the light changes by little within a minute, through midnight too", () => {
  let before = light(24 - 1 / 60);
  for (let minute = 0; minute < 24 * 60; minute++) {
    const now = light(minute / 60);
    now.forEach((value, at) => assert.ok(Math.abs(value - before[at]) <= 3, `${minute}: ${before} → ${now}`));
    before = now;
  }
});
