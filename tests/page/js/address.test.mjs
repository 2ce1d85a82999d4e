import { address, language } from "./page.mjs";

import assert from "node:assert/strict";
import { test } from "node:test";

import { Address, firstTick } from "../../../frontend/js/data/address.js";

const RUN = { residents: [{ id: "ana" }, { id: "bo" }] };
const SHOWN = { step: 7, minute: 0, paused: false, speed: 2, zoom: 1.23456, resident: "", x: 3.14159, y: 2 };

function opened(query, shown = SHOWN) {
  address.href = `http://town.test/?${query}`;
  return new Address(() => shown);
}

test("an address may name a resident of the run", () => {
  assert.equal(opened("resident=ana").resident(RUN), "ana");
  assert.equal(opened("resident=nobody").resident(RUN), "");
  assert.equal(opened("").resident(RUN), "");
});

test("a place outranks a resident", () => {
  const given = opened("resident=ana&x=3.5&y=-2");
  assert.deepEqual(given.place(), [3.5, -2]);
  assert.equal(given.resident(RUN), "");
});

test("half a place is none", () => {
  for (const query of ["x=3", "y=4", "x=here&y=there", "x=NaN&y=1"]) assert.equal(opened(query).place(), undefined, query);
});

test("what is shown is written, and what else the address says is kept", () => {
  opened("name=demo&tab=why&resident=ana").write();
  assert.deepEqual(Object.fromEntries(new URL(address.href).searchParams), {
    name: "demo",
    tab: "why",
    step: "7",
    speed: "2",
    zoom: "1.23",
    x: "3.1",
    y: "2.0",
  });
});

test("whoever is followed is written instead of the place", () => {
  opened("name=demo&x=1&y=2", { ...SHOWN, resident: "bo" }).write();
  const written = new URL(address.href).searchParams;
  assert.deepEqual([written.get("resident"), written.get("x"), written.get("y")], ["bo", null, null]);
});

test("the minute is written, and that the town is paused; both go when they are over", () => {
  opened("name=demo", { ...SHOWN, minute: 8, paused: true }).write();
  const written = new URL(address.href).searchParams;
  assert.deepEqual([written.get("minute"), written.get("paused")], ["8", "1"]);
  new Address(() => SHOWN).write();
  assert.deepEqual(
    ["minute", "paused"].map((key) => new URL(address.href).searchParams.has(key)),
    [false, false],
  );
});

test("while the town plays, the address goes along", () => {
  const shown = { ...SHOWN };
  const kept = opened("name=demo", shown);
  kept.keep(10_000);
  shown.step = 9;
  kept.keep(10_100);
  assert.equal(new URL(address.href).searchParams.get("step"), "7", "not in every frame");
  kept.keep(20_000);
  assert.equal(new URL(address.href).searchParams.get("step"), "9");
});

test("an address begins at its minute; one that names no moment, with the run's opening", () => {
  const run = { ticks: 60, stride: 10, steps: 100, opening: { tick: 300 } };
  const begins = (query, step) => firstTick(new URLSearchParams(query), run, step);
  assert.equal(begins("name=demo&step=7&minute=8", 7), 6 * 60 + 48);
  assert.equal(begins("name=demo&step=7&minute=1e9", 7), 7 * 60);
  assert.equal(begins("name=demo&step=7&minute=-3", 7), 6 * 60);
  assert.equal(begins("name=demo&step=0", 0), 0);
  assert.equal(begins("name=demo&lang=zh", 0), 300);
  assert.equal(firstTick(new URLSearchParams(), { ...run, opening: null }, 0), 0);
  assert.equal(firstTick(new URLSearchParams(), run, 0, true), 99 * 60, "a run that is being lived, at its latest step");
});

test("the other language opens at the same moment", () => {
  opened("name=demo&lang=en").write();
  const other = new URL(language.href).searchParams;
  assert.deepEqual([other.get("lang"), other.get("step"), other.get("name")], ["zh", "7", "demo"]);
});
