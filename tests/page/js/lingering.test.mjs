/** A visit lasts while somebody is in a place; whoever passes through has not been there. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { place, visits } from "../../../frontend/js/data/lingering.js";

const ARENAS = { columns: 3, names: ["", "cafe/main", "park/main"], cells: [0, 1, 1, 0, 2, 2] };
const trail = (at, ...moves) => [{ at, moves }];

test("a visit goes from tile to tile, and over a moment outside", () => {
  const trails = [...trail([0, 0], 100, 1, 0), ...trail([1, 0], 150, 2, 0, 200, 0, 0, 220, 1, 0, 300, 0, 0)];
  assert.deepEqual(visits("ana", trails, ARENAS, "cafe/main", 999), [{ who: "ana", tick: 100, end: 300 }]);
});

test("whoever is long away comes anew, and whoever stays is there until the end", () => {
  assert.deepEqual(visits("ana", trail([1, 0], 50, 0, 0, 400, 1, 0), ARENAS, "cafe/main", 999), [
    { who: "ana", tick: 0, end: 50 },
    { who: "ana", tick: 400, end: 999 },
  ]);
});

test("whoever passes through was not there; in a place that is not on the map was nobody", () => {
  assert.deepEqual(visits("ana", trail([0, 0], 100, 1, 1, 105, 0, 1), ARENAS, "park/main", 999), []);
  assert.deepEqual(visits("ana", trail([0, 0], 100, 1, 1), ARENAS, "moon/main", 999), []);
});

test("a place knows its visitors in order, and each conversation held there once", async () => {
  const talk = (id, tick, address) => ({ id, tick, address });
  const blocks = {
    steps: 10,
    run: async () => ({ residents: [{ id: "ana" }, { id: "bo" }], ticks: 60 }),
    whole: async () => ARENAS,
    upTo: async (kind, address) => {
      if (kind === "trail") return trail([0, 0], address.includes("ana") ? 200 : 100, 1, 0);
      return [{ items: [talk("2", 90, "cafe/main"), talk("3", 91, "park/main")] }, { items: [talk("2", 90, "cafe/main"), talk("1", 30, "cafe/main")] }];
    },
  };
  const view = await place(blocks, new URLSearchParams({ address: "cafe/main" }));
  assert.deepEqual(
    view.visits.map(({ who, end }) => [who, end]),
    [
      ["bo", 600],
      ["ana", 600],
    ],
  );
  assert.deepEqual(
    view.talks.map(({ id }) => id),
    ["1", "2"],
  );
});
