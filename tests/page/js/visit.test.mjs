import "./page.mjs";

import assert from "node:assert/strict";
import { test } from "node:test";

import { Exchange } from "../../../frontend/js/data/exchange.js";
import { Requests } from "../../../frontend/js/data/requests.js";
import { Visit } from "../../../frontend/js/visit/visit.js";

const NOTHING_NEW = { entered: true, is_away: false, spoken: null, lines: [], waiting: [] };

/** A visitor amid the town, and the answers to what the page asks, each to be given by the test: to looks around and to what is done. @param {import("node:test").TestContext} context */
function visitor(context) {
  const [looks, acts] = [[], []];
  context.mock.method(
    globalThis,
    "fetch",
    (_path, { method }) => new Promise((answer) => (method ? acts : looks).push((view) => answer({ ok: true, json: async () => view }))),
  );
  const run = {
    name: "town",
    residents: [
      { id: "noor", name: "Noor" },
      { id: "mei", name: "Mei" },
    ],
  };
  const live = { running: true, on: true, words: {} };
  const parts = { run, live, frames: { steps: 5 }, navigation: {}, updateThings() {} };
  const box = { report() {}, show() {}, talk() {}, goesOn: { checked: false } };
  const own = { pass: { who: "noor", pass: "secret", isIn: true }, isPossible: true, arrives: false, since: 5, goal: {}, exchange: new Exchange("noor") };
  const visit = Object.assign(Object.create(Visit.prototype), { parts, box, looks: new Requests(), acting: Promise.resolve() }, own);
  visit.exchange.turn("mei");
  return { visit, looks, acts };
}

const settled = () => new Promise((resolve) => setImmediate(resolve));

test("what was seen before the visitor spoke does not end the conversation", async (context) => {
  const { visit, looks, acts } = visitor(context);
  const before = visit.refresh();
  await settled();
  const saying = visit.say("Hello!");
  looks[0](NOTHING_NEW);
  await before;
  assert.ok(visit.exchange.isOpen && visit.exchange.thinks);
  const meanwhile = visit.refresh();
  await settled();
  assert.equal(looks.length, 1, "the visitor looks once the words are in town");
  acts[0]({ number: 7 });
  await saying;
  await settled();
  looks[1]({ ...NOTHING_NEW, waiting: [7] });
  await meanwhile;
  assert.ok(visit.exchange.isOpen && visit.exchange.thinks);
  const after = visit.refresh();
  await settled();
  looks[2](NOTHING_NEW);
  await after;
  assert.ok(!visit.exchange.isOpen && !visit.exchange.thinks);
});
