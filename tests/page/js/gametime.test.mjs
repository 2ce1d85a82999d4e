import "./page.mjs";

import assert from "node:assert/strict";
import { before, test } from "node:test";

import { GameTime, TICKS_PER_HOUR, duration, hhmm } from "../../../frontend/js/data/gametime.js";
import { words } from "../../../frontend/js/data/api.js";
import { t } from "../../../frontend/js/data/i18n.js";

before(() => words("en"));

test("minutes of the day read as a clock", () => {
  assert.deepEqual([0, 490, 1439].map(hhmm), ["00:00", "08:10", "23:59"]);
});

test("durations name no part that is zero", async () => {
  assert.deepEqual([5, 60, 125].map(duration), ["5 min", "1 h", "2 h 5 min"]);
  await words("zh");
  assert.match(duration(125), /^2.+5.+$/);
  await words("en");
});

test("ticks are ten game seconds from the start, whatever the zone of this machine", () => {
  const time = new GameTime("2025-02-13T06:00:00", "en");
  assert.equal(time.clock(0), "06:00");
  assert.equal(time.clock(7), "06:01");
  assert.equal(time.hour(1.5 * TICKS_PER_HOUR), 7.5);
  assert.equal(time.stamp(0), "Thu 06:00");
});

test("a weekday that is not that of these days comes with its date", () => {
  const [week, hour] = [7 * 24 * TICKS_PER_HOUR, 19 * TICKS_PER_HOUR];
  const [english, chinese] = ["en", "zh"].map((lang) => new GameTime("2025-02-13T00:00:00", lang));
  assert.equal(english.stamp(week - 1, hour), "Wed 23:59");
  assert.match(english.stamp(week + hour, hour), /^Thu,? 20 Feb 19:00$/);
  assert.match(english.stamp(hour, week), /^Thu,? 13 Feb 19:00$/);
  assert.equal(chinese.stamp(week + hour, english.begin("2025-02-13")), "2月20日周四 19:00");
  assert.equal(new GameTime("2025-02-13T06:00:00", "en").begin("2025-02-14"), 18 * TICKS_PER_HOUR);
});

test("days are counted from the first midnight, not from the start's hour", () => {
  const time = new GameTime("2025-02-13T23:50:00", "en");
  assert.match(time.day(0), /^Day 1 · Thu/);
  assert.match(time.day(60), /^Day 2 · Fri/);
  assert.equal(time.clock(60), "00:00");
  assert.equal(time.hour(60), 0);
});

test("a day begins at its midnight, whatever fraction of a tick has passed", () => {
  for (const start of ["2025-02-13T06:00:00", "2025-02-13T07:00:00"]) {
    const time = new GameTime(start, "en");
    const midnight = (24 - time.hour(0)) * TICKS_PER_HOUR;
    for (const passed of [0, 0.013, 7.1, 3600.37, 8639.999]) assert.equal(time.midnight(midnight + passed), midnight, `${start} + ${passed}`);
    assert.equal(time.midnight(0), midnight - 24 * TICKS_PER_HOUR);
  }
});

test("a moment beyond all calendars has a time, too", () => {
  assert.match(new GameTime("2025-02-13T06:00:00", "en").stamp(202502131430 * 60), /^\w+ \d\d:\d\d$/);
});

test("a text fills its blanks", () => {
  assert.equal(t("Zoom in"), "Zoom in");
  assert.equal(t("{done} of {planned}", { done: 3, planned: 9 }), "3 of 9");
});
