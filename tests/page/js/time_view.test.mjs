import "./page.mjs";

import assert from "node:assert/strict";
import { test } from "node:test";

import { TimeView } from "../../../frontend/js/data/time_view.js";

const HOUR = 360;

function view(hours = 24) {
  return new TimeView({ end: hours * HOUR });
}

test("at first the whole run is shown, also when it grows", () => {
  const frames = { end: 10 * HOUR };
  const shown = new TimeView(frames);
  frames.end = 12 * HOUR;
  assert.ok(shown.whole);
  assert.deepEqual([shown.from, shown.to], [0, 12 * HOUR]);
});

test("a moment keeps its place while the timeline zooms", () => {
  const shown = view();
  shown.zoom(0.5, 6 * HOUR);
  assert.deepEqual([shown.from, shown.to], [3 * HOUR, 15 * HOUR]);
  assert.equal(shown.share(6 * HOUR), 0.25);
  assert.equal(shown.at(0.25), 6 * HOUR);
  shown.zoom(8, 6 * HOUR);
  assert.ok(shown.whole);
});

test("no less than an hour is shown, and nothing beyond the run", () => {
  const shown = view();
  shown.show(5 * HOUR, 5 * HOUR + 6);
  assert.equal(shown.to - shown.from, HOUR);
  shown.pan(100);
  assert.equal(shown.to, 24 * HOUR);
  const short = view(0.5);
  short.zoom(0.1, 10);
  assert.ok(short.whole);
});

test("a moment that leaves what is shown is brought back", () => {
  const shown = view();
  shown.show(0, 2 * HOUR);
  shown.reveal(HOUR);
  assert.equal(shown.from, 0);
  shown.reveal(10 * HOUR);
  assert.ok(shown.from < 10 * HOUR && shown.to > 11 * HOUR);
});
