import { address, language } from "./page.mjs";

import assert from "node:assert/strict";
import { test } from "node:test";

import { Address } from "../../../frontend/js/data/address.js";

const RUN = { residents: [{ id: "ana" }, { id: "bo" }] };
const SHOWN = { step: 7, speed: 2, zoom: 1.23456, resident: "", x: 3.14159, y: 2 };

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

test("the other language opens at the same moment", () => {
  opened("name=demo&lang=en").write();
  const other = new URL(language.href).searchParams;
  assert.deepEqual([other.get("lang"), other.get("step"), other.get("name")], ["zh", "7", "demo"]);
});
