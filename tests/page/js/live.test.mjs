import "./page.mjs";

import assert from "node:assert/strict";
import { test } from "node:test";

import { Live } from "../../../frontend/js/data/live.js";

/** A page that follows a run, the streams that it has opened, and what each is told. @param {import("node:test").TestContext} context */
function follower(context) {
  const streams = [];
  class Stream extends EventTarget {
    static CLOSED = 2;
    readyState = 1;
    constructor() {
      super();
      streams.push(this);
    }
    close() {
      this.readyState = Stream.CLOSED;
    }
    /** @param {number} state of the stream after that */
    fail(state) {
      this.readyState = state;
      this.dispatchEvent(new Event("error"));
    }
  }
  context.mock.timers.enable({ apis: ["setTimeout"] });
  globalThis.EventSource = Stream;
  context.after(() => delete globalThis.EventSource);
  const live = Object.assign(Object.create(Live.prototype), { run: { name: "town" }, frames: { finished: false }, words: {}, source: null, draw() {} });
  live.listen();
  return { live, streams };
}

test("a run is listened to again after an answer that was no stream", (context) => {
  const { streams } = follower(context);
  streams[0].fail(0);
  context.mock.timers.tick(4000);
  assert.equal(streams.length, 1, "the browser connects again by itself");
  streams[0].fail(2);
  assert.equal(streams.length, 1, "not at once");
  context.mock.timers.tick(4000);
  assert.equal(streams.length, 2);
});

test("a run that rests is asked for again, one that is over is not", (context) => {
  const { live, streams } = follower(context);
  const end = () => streams.at(-1).dispatchEvent(Object.assign(new Event("end"), { data: '{"cause": ""}' }));
  end();
  context.mock.timers.tick(4000);
  assert.equal(streams.length, 2);
  live.frames.finished = true;
  end();
  context.mock.timers.tick(4000);
  assert.equal(streams.length, 2);
  assert.ok(streams.every(({ readyState }) => readyState === 2) && live.source === null);
});
