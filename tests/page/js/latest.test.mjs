import "./page.mjs";

import assert from "node:assert/strict";
import { test } from "node:test";

import { Latest } from "../../../frontend/js/data/api.js";
import { Requests } from "../../../frontend/js/data/requests.js";

const HEAD = { name: "town", residents: [{ id: "ana", name: "Ana" }], steps: 5, chunk: 1, ticks: 60, start: "2025-02-13T06:00", widths: {} };
const PAIRS = [{ people: ["ana"], conversations: 1, tick: 3 }];

/** A panel that asks a server, which can be away. @param {import("node:test").TestContext} context */
function panel(context) {
  const server = { isAway: false, requests: 0 };
  const shown = [];
  context.mock.timers.enable({ apis: ["setTimeout"] });
  context.mock.method(globalThis, "fetch", async (path) => {
    server.requests++;
    if (server.isAway) throw new TypeError("away");
    return { ok: true, json: async () => (path.includes("threads") ? PAIRS : HEAD) };
  });
  const answers = new Latest();
  const ask = (steps) =>
    answers.ask(
      "town",
      "threads",
      { steps },
      (answer) => shown.push(answer),
      () => shown.push("failed"),
    );
  return { server, shown, answers, ask };
}

test("what failed is asked for again after a pause, and shown although it has been shown before", async (context) => {
  const { server, shown, ask } = panel(context);
  await ask(5);
  server.isAway = true;
  await ask(6);
  assert.deepEqual(shown, [PAIRS, "failed"]);
  const { requests } = server;
  server.isAway = false;
  await ask(6);
  assert.equal(server.requests, requests, "not at once");
  context.mock.timers.tick(4000);
  await ask(6);
  assert.deepEqual(shown, [PAIRS, "failed", PAIRS]);
});

test("what is asked anew is shown again, and what was on its way before is not", async (context) => {
  const { shown, answers, ask } = panel(context);
  await ask(5);
  await ask(6);
  assert.deepEqual(shown, [PAIRS], "the same is not shown twice");
  const late = ask(7);
  answers.forget();
  await Promise.all([late, ask(7)]);
  assert.deepEqual(shown, [PAIRS, PAIRS]);
});

test("only the request made last counts", () => {
  const requests = new Requests();
  const isFirst = requests.begin();
  assert.ok(isFirst());
  const isSecond = requests.begin();
  assert.deepEqual([isFirst(), isSecond()], [false, true]);
});
