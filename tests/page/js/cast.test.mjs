import assert from "node:assert/strict";
import { test } from "node:test";

import { castOf, nameIn, shortNameIn } from "../../../frontend/js/data/cast.js";

test("whoever comes later is known as all others are, and nobody else is", () => {
  const run = { residents: [{ id: "mei", name: "Mei Lin" }] };
  assert.deepEqual([nameIn(run, "mei"), shortNameIn(run, "mei"), nameIn(run, "noor")], ["Mei Lin", "Mei", "noor"]);
  run.residents.push({ id: "noor", name: "Noor Haddad" });
  assert.deepEqual([nameIn(run, "noor"), shortNameIn(run, "noor")], ["Noor Haddad", "Noor"]);
  assert.deepEqual([...castOf(run).residents.keys()], ["mei", "noor"]);
  assert.equal(castOf(run), castOf(run));
});
