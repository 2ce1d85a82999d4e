import "./page.mjs";

import assert from "node:assert/strict";
import { test } from "node:test";

import { Requests } from "../../../frontend/js/data/requests.js";
import { LawForm } from "../../../frontend/js/panel/law.js";

/** A form without a page, what it reports, and the answers to its requests, each to be given by the test. @param {import("node:test").TestContext} context */
function form(context) {
  const list = { items: [], append: (...items) => list.items.push(...items), replaceChildren: () => (list.items = []) };
  const [reports, answers] = [[], []];
  context.mock.method(globalThis, "fetch", () => new Promise((answer) => answers.push(answer)));
  globalThis.document.createElement = () => ({ append() {} });
  context.after(() => delete globalThis.document.createElement);
  const parts = { patch: { value: '{"recipes": {"bread": null}}' }, words: { value: "No bread." }, found: list, says: {}, json: {}, draft: {}, try: {} };
  const more = { force: {}, insist: {}, meter: {}, plot: { destroy() {}, fill() {} }, report: (text) => reports.push(text), requests: new Requests() };
  return { law: Object.assign(Object.create(LawForm.prototype), { run: "town", society: true, waits: false }, parts, more), list, reports, answers };
}

const settled = () => new Promise((resolve) => setImmediate(resolve));

test("the verdict on a law does not appear under another one", async (context) => {
  const { law, list, reports, answers } = form(context);
  const { readable, writable } = new TransformStream();
  const [writer, encoder] = [writable.getWriter(), new TextEncoder()];
  const done = law.tried();
  answers[0](new Response(readable));
  await writer.write(encoder.encode('{"changes": ["bread: gone"]}\n'));
  await settled();
  assert.equal(list.items.length, 1);
  assert.ok(law.try.disabled);
  law.write({ recipes: { flour: null } });
  assert.ok(!law.try.disabled);
  await writer.write(encoder.encode('{"day": 14, "days": 14}\n{"harmless": true}\n'));
  await writer.close();
  await done;
  assert.deepEqual([list.items.length, law.insist.hidden, law.meter.hidden, reports.at(-1)], [0, true, true, ""]);
});

test("a draft does not replace what has been written meanwhile", async (context) => {
  const { law, reports, answers } = form(context);
  const done = law.drafted();
  law.write({ recipes: { flour: null } });
  answers[0](Response.json({ patch: '{"recipes": {"bread": {"minutes": 9}}}' }));
  await done;
  assert.deepEqual(JSON.parse(law.patch.value), { recipes: { flour: null } });
  assert.deepEqual([law.draft.disabled, reports.at(-1)], [false, ""]);
  const again = law.drafted();
  assert.ok(law.draft.disabled);
  answers[1](Response.json({ patch: '{"recipes": {"bread": {"minutes": 9}}}' }));
  await again;
  assert.deepEqual(JSON.parse(law.patch.value), { recipes: { bread: { minutes: 9 } } });
  assert.equal(reports.at(-1), "Drafted: look at it, and try it.");
});
