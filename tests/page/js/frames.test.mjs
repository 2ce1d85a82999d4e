import assert from "node:assert/strict";
import { test } from "node:test";

import { DOWN, RIGHT } from "../../../frontend/js/data/facing.js";
import { FrameBuffer, latest, lineAt, lineStarts } from "../../../frontend/js/data/frames.js";

const RUN = { ticks: 60, chunk: 4, steps: 40, finished: true };
const TALK = { id: "1", people: ["ana", "bo"], tick: 100, ticks: 50, lines: [{ text: "a".repeat(8) }, { text: "b".repeat(28) }] };

function chunk(from, to) {
  const track = {
    at: [1, 1],
    moves: [10, 2, 1, 11, 3, 1],
    actions: [
      { tick: 0, kind: "act" },
      { tick: 20, kind: "wait" },
    ],
  };
  const events = [{ address: "park", text: "rain", tick: 30, ticks: 10 }];
  return { from, to, residents: { ana: track }, things: { "home/bed": [{ tick: 5, state: "made", users: [] }] }, conversations: [TALK], events };
}

/** A buffer, and the requests that it made. */
function buffer(answer = chunk, run = RUN) {
  const requests = [];
  const fetchFrames = async (from, to) => (requests.push([from, to]), answer(from, to));
  return { requests, frames: new FrameBuffer(run, fetchFrames) };
}

const settled = () => new Promise((resolve) => setImmediate(resolve));

test("latest finds the last entry that is not after a tick", () => {
  const list = [1, 4, 4, 9].map((tick, at) => ({ tick, at }));
  assert.deepEqual(
    [0, 1, 3, 4, 100].map((tick) => latest(list, tick)?.at),
    [undefined, 0, 0, 2, 3],
  );
});

test("longer lines are spoken longer", () => {
  assert.deepEqual(lineStarts(TALK), [0, 20 / 60]);
  assert.deepEqual(
    [99, 100, 116, 117, 150].map((tick) => lineAt(TALK, tick)),
    [-1, 0, 0, 1, 1],
  );
});

test("steps are fetched in whole chunks, the moment first and then ahead", async () => {
  const { requests, frames } = buffer();
  frames.want(0);
  await settled();
  assert.deepEqual(requests, [[1, 4]]);
  frames.want(0);
  frames.want(0);
  await settled();
  frames.want(0);
  await settled();
  assert.deepEqual(requests, [
    [1, 4],
    [5, 8],
    [9, 12],
  ]);
  frames.want(0);
  await settled();
  assert.equal(requests.length, 3, "no more than two chunks ahead");
});

test("a jump gives up what was wanted before", () => {
  const signals = [];
  const frames = new FrameBuffer(RUN, (_from, _to, signal) => (signals.push(signal), new Promise(() => {})));
  frames.want(0);
  frames.want(30 * 60);
  assert.deepEqual(
    signals.map((signal) => signal.aborted),
    [true, false],
  );
});

test("a chunk that has grown is fetched again", async () => {
  const { requests, frames } = buffer(chunk, { ...RUN, steps: 2, finished: false });
  frames.want(0);
  await settled();
  assert.equal(frames.at(121), undefined, "beyond the last step");
  frames.extend({ steps: 3, finished: false });
  frames.need(0);
  await settled();
  assert.deepEqual(requests, [
    [1, 2],
    [1, 3],
  ]);
  assert.ok(frames.at(150));
});

test("a failure is known until there is an answer again", async () => {
  const answers = [() => Promise.reject(new Error("gone")), chunk];
  const { frames } = buffer((from, to) => answers.shift()(from, to));
  frames.want(0);
  await settled();
  assert.equal(frames.problem.message, "gone");
  frames.need(1);
  await settled();
  assert.equal(frames.problem, null);
});

test("a pose lies between the tiles of a step", async () => {
  const { frames } = buffer();
  frames.want(0);
  await settled();
  assert.deepEqual(frames.pose("ana", 9), { x: 1, y: 1, facing: DOWN, walking: false, walked: 0 });
  assert.deepEqual(frames.pose("ana", 10.5), { x: 1.5, y: 1, facing: RIGHT, walking: true, walked: 0.5 });
  const { x, walking } = frames.pose("ana", 40);
  assert.deepEqual([x, walking], [3, false]);
  assert.equal(frames.pose("nobody", 9), undefined);
  assert.equal(frames.pose("ana", 30 * 60), undefined, "not fetched");
});

test("how many sleep", async () => {
  const at = (kind) => ({ at: [1, 1], moves: [], actions: [{ tick: 0, kind: "sleep" }, ...(kind ? [{ tick: 30, kind }] : [])] });
  const { frames } = buffer((from, to) => ({ ...chunk(from, to), residents: { ana: at("act"), bo: at() } }));
  assert.equal(frames.asleep(0), 0, "not fetched");
  frames.want(0);
  await settled();
  assert.deepEqual([frames.asleep(0), frames.asleep(30)], [1, 0.5]);
});

test("what goes on at a moment", async () => {
  const { frames } = buffer();
  frames.want(0);
  await settled();
  assert.equal(frames.action("ana", 25).kind, "wait");
  assert.deepEqual(
    [99, 100, 149, 150].map((tick) => frames.conversations(tick).length),
    [0, 1, 1, 0],
  );
  assert.deepEqual(
    [29, 30, 39, 40].map((tick) => frames.events(tick).length),
    [0, 1, 1, 0],
  );
  assert.equal(frames.lastConversation(200, "bo").id, "1");
  assert.equal(frames.lastConversation(200, "cy"), undefined);
  assert.equal(frames.thingChange("home/bed", 4), undefined);
  assert.equal(frames.thingChange("home/bed", 5).state, "made");
});
