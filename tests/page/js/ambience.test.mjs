import assert from "node:assert/strict";
import { test } from "node:test";

import { levelsAt } from "../../../frontend/js/sound/ambience.js";

const heard = { hour: 12, zoom: 1.6, water: 0, fires: 0, rains: 0, talks: 0 };

test("birds sing by day, most at dawn, and crickets by night", () => {
  const [noon, dawn, night] = [12, 7, 1].map((hour) => levelsAt({ ...heard, hour }));
  assert.ok(dawn.birds > noon.birds && noon.birds > 0 && night.birds === 0);
  assert.ok(night.crickets === 1 && noon.crickets === 0);
});

test("water, fires and voices are heard from near, and rain silences the birds", () => {
  const there = { ...heard, water: 30, fires: 1, talks: 2, rains: 1 };
  const [near, far] = [levelsAt(there), levelsAt({ ...there, zoom: 0.2 })];
  for (const name of ["water", "fire", "murmur"]) assert.ok(near[name] > 0.5 && far[name] === 0, name);
  assert.ok(near.rain > far.rain && far.rain > 0 && near.birds === 0);
  for (const level of [...Object.values(near), ...Object.values(far)]) assert.ok(level >= 0 && level <= 1);
});
