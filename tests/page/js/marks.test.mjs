import assert from "node:assert/strict";
import { test } from "node:test";

import { Marks } from "../../../frontend/js/data/marks.js";

const TALKS = [
  { id: "1", tick: 10, ticks: 5, people: ["ana", "bo"] },
  { id: "2", tick: 30, ticks: 5, people: ["cy", "ana"] },
  { id: "3", tick: 50, ticks: 5, people: ["bo", "cy"] },
];
const ALL = { width: 1, events: [], conversations: [], reflections: [], plans: [], held: TALKS };
const OWN = [
  { tick: 5, kind: "action", text: "wakes up" },
  { tick: 25, kind: "plan", text: "plans" },
];

async function loaded() {
  const asked = [];
  const marks = new Marks(
    async () => ALL,
    async (id) => (asked.push(id), OWN),
    assert.fail,
  );
  await marks.load();
  return { marks, asked };
}

test("the next conversation, and the last before", async () => {
  const { marks } = await loaded();
  assert.equal(marks.conversation(10, 1).id, "2");
  assert.equal(marks.conversation(10.9, -1), undefined);
  assert.equal(marks.conversation(49, -1).id, "2");
  assert.equal(marks.conversation(50, 1), undefined);
});

test("the next conversation of a resident", async () => {
  const { marks } = await loaded();
  assert.equal(marks.conversation(10, 1, "bo").id, "3");
  assert.equal(marks.conversation(50, -1, "bo").id, "1");
});

test("whoever waits for the first answer gets what it says", async () => {
  let answer;
  const marks = new Marks(
    () => new Promise((done) => (answer = done)),
    async () => OWN,
    assert.fail,
  );
  const next = marks.answered.then(() => marks.conversation(10, 1));
  assert.equal(marks.conversation(10, 1), undefined);
  const loading = marks.load();
  answer(ALL);
  await loading;
  assert.equal((await next).id, "2");
});

test("a resident's events are fetched once, until the run has gone on", async () => {
  const { marks, asked } = await loaded();
  assert.equal((await marks.event("ana", 5, 1)).tick, 25);
  assert.equal((await marks.event("ana", 25, -1)).tick, 5);
  assert.deepEqual(asked, ["ana"]);
  await marks.load();
  assert.deepEqual(asked, ["ana", "ana"]);
});

test("of nobody there are none", async () => {
  const { marks, asked } = await loaded();
  assert.deepEqual(await marks.of(""), []);
  assert.deepEqual(asked, []);
});

test("a failure is reported, and nothing is kept of it", async () => {
  const errors = [];
  const marks = new Marks(
    () => Promise.reject(new Error("no server")),
    () => Promise.reject(new Error("no resident")),
    (error) => errors.push(error.message),
  );
  await marks.load();
  assert.equal(marks.conversation(0, 1), undefined);
  assert.deepEqual(await marks.of("ana"), []);
  assert.deepEqual(errors, ["no server", "no resident"]);
  assert.equal(marks.version, 0);
});
