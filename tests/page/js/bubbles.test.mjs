import "./page.mjs";

import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";

import { overlap } from "../../../frontend/js/stage/boxes.js";
import { Bubbles, readingTime } from "../../../frontend/js/stage/bubbles.js";

const SIZE = [120, 40];

/** An element as bubbles use it. */
function element() {
  const made = { hidden: false, style: { transform: "", setProperty: () => {} }, append: () => {}, remove: () => (made.removed = true) };
  return Object.assign(made, { offsetLeft: 740, offsetTop: 10, offsetWidth: SIZE[0], offsetHeight: SIZE[1] });
}

beforeEach(() => {
  Object.assign(globalThis.document, { createElement: element, createTextNode: () => ({ data: "" }) });
  globalThis.ResizeObserver = class {
    observe() {}
  };
});

const talk = (id, opener, partner, lines = [{ speaker: opener, text: "Good morning!" }]) => ({ id, people: [opener, partner], tick: 0, ticks: 60, lines });
const figure = (id, x, y) => ({ id, x, y, size: 32, head: y });

const BUTTONS = { offsetWidth: 40, offsetHeight: 120 };
const LINE = { offsetLeft: 8, offsetTop: 140, offsetWidth: 784, offsetHeight: 60 }; // as broad as a phone

/** Bubbles over a stage of 800 × 600 with these figures, conversations, and elements at its top. */
function over(figures, talks, followed = "", top = [BUTTONS]) {
  const elements = top.map((box) => Object.assign(element(), box));
  const layer = Object.assign(element(), { parentElement: { querySelectorAll: () => elements } });
  const frames = { conversations: (tick) => talks.filter((held) => held.tick <= tick && tick < held.tick + held.ticks) };
  const run = { residents: figures.map(({ id }) => ({ id, name: id })) };
  return new Bubbles(
    layer,
    { camera: { width: 800, height: 600 }, time: { hour: () => 12 }, figures, followed, frames, run },
    { playing: true, pace: 10, times: 10 },
    true,
  );
}

test("longer lines stay longer, but not for ever; Chinese takes longer by the letter", () => {
  assert.ok(readingTime("Hello there") < readingTime("Hello there, how have you been all this time?"));
  assert.equal(readingTime("a".repeat(5000)), 2800);
  assert.equal(readingTime("你".repeat(140)), 2800);
  assert.ok(readingTime("你好") > readingTime("Hi"));
});

test("a bubble hangs above its speaker, within the screen and off what lies over the stage", () => {
  for (const [x, y] of [
    [400, 300],
    [2, 300],
    [790, 300],
    [400, 5],
    [770, 60],
    [400, 180],
  ]) {
    const bubbles = over([figure("ana", x, y), figure("bo", x + 32, y)], [talk("1", "ana", "bo")], "", [LINE, BUTTONS]);
    bubbles.draw(1, 0);
    const [box] = bubbles.taken;
    assert.ok(box.left >= 0 && box.right <= 800 && box.top >= 0, JSON.stringify(box));
    assert.ok(!bubbles.kept.some((each) => overlap(box, each)), "it lies on what is there");
    if (y > 260) assert.ok(box.bottom <= y);
  }
});

test("a bubble goes aside or up where it would cover the face of somebody who talks", () => {
  const bubbles = over([figure("ana", 400, 300), figure("bo", 350, 270)], [talk("1", "ana", "bo")]);
  bubbles.draw(1, 0);
  const [box] = bubbles.taken;
  assert.ok(!bubbles.faces.some((face) => overlap(face, box)));
  assert.ok(box.left < 416 && box.right > 416, "it still hangs over its speaker");
});

test("bubbles never lie on each other", () => {
  const figures = ["a", "b", "c", "d", "e", "f"].map((id, at) => figure(id, 380 + at * 20, 300));
  const bubbles = over(figures, [talk("1", "a", "b"), talk("2", "c", "d"), talk("3", "e", "f")]);
  bubbles.draw(1, 0);
  const boxes = bubbles.taken;
  assert.ok(boxes.length >= 2);
  boxes.forEach((box, at) => assert.ok(!boxes.slice(at + 1).some((other) => overlap(box, other))));
});

test("the conversation of the one followed comes first, then those in the middle; out of sight there is none", () => {
  const figures = [figure("ana", 10, 500), figure("bo", 400, 300), figure("cy", 4000, 300), figure("di", 600, 400)];
  const bubbles = over(figures, [talk("1", "di", "x"), talk("2", "bo", "y"), talk("3", "cy", "z"), talk("4", "ana", "w")], "ana");
  assert.deepEqual(
    bubbles.wanted(1).map(({ id }) => id),
    ["4", "2", "1"],
  );
});

test("only so many at once, and a jump in time ends what is over", () => {
  const names = [..."abcdefghijklmnopqr"];
  const figures = names.map((id, at) => figure(id, (at % 6) * 130, 60 + Math.floor(at / 6) * 200));
  const talks = names.map((id) => talk(id, id, `${id}'`));
  const bubbles = over(figures, talks);
  bubbles.draw(1, 0);
  assert.ok(bubbles.taken.length <= 6);
  assert.ok(bubbles.lines.size > 0);
  bubbles.draw(1000, 10);
  assert.equal(bubbles.shown.size, 0);
});

test("a line is written as if it were said, in the room that the whole line takes; after a jump it is there at once", () => {
  const bubbles = over([figure("ana", 400, 300), figure("bo", 350, 270)], [talk("1", "ana", "bo")]);
  bubbles.draw(100, 0); // nobody talks yet
  bubbles.draw(1, 0);
  const [bubble] = bubbles.shown.values();
  assert.equal(bubble.words.data, "Good morning!");
  bubbles.write(bubble, 0, 1000);
  const seen = Array.from({ length: 11 }, (_, at) => (bubbles.draw(1, 1000 + at * 50), [bubble.words.data, bubble.rest.textContent]));
  assert.ok(seen.every(([said, rest]) => said + rest === "Good morning!"));
  assert.ok(new Set(seen.map(([said]) => said.length)).size > 5);
  bubbles.draw(1, 1000 + readingTime("Good morning!"));
  assert.equal(bubble.words.data, "Good morning!");
});
