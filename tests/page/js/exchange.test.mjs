import assert from "node:assert/strict";
import { test } from "node:test";

import { Exchange, VisitorPass } from "../../../frontend/js/data/exchange.js";

const answer = (text) => [{ resident: "mei", partner: "noor", text, complete: "true" }];
const view = (more) => ({ spoken: null, lines: [], waiting: [], ...more });

test("a resident thinks until their answer is complete", () => {
  const talk = new Exchange("noor");
  talk.turn("mei");
  talk.say("Hello!");
  talk.hear([{ resident: "mei", partner: "noor", text: "Good mor" }]);
  talk.hear([{ resident: "mei", partner: "lin", text: "Lin!", complete: "true" }]);
  assert.ok(talk.thinks);
  talk.hear(answer("Good morning."));
  assert.ok(!talk.thinks);
  talk.say("How are you?");
  talk.hear(answer("Good morning."));
  assert.ok(talk.thinks, "the answer before is none to this");
  talk.hear(answer("Well."));
  assert.deepEqual(
    talk.lines.map(({ text }) => text),
    ["Hello!", "Good morning.", "How are you?", "Well."],
  );
});

test("a step ends the conversation, unless words still wait", () => {
  const talk = new Exchange("noor");
  talk.turn("mei");
  talk.say("Hello!");
  talk.settle(view({ waiting: [3] }));
  assert.ok(talk.isOpen && talk.thinks);
  const lines = [
    { speaker: "noor", text: "Hello!" },
    { speaker: "mei", text: "Hello, and goodbye." },
  ];
  talk.settle(view({ lines }));
  assert.deepEqual([talk.isOpen, talk.thinks, talk.lines, talk.partner], [false, false, lines, "mei"]);
});

test("who is addressed turns to who has spoken, but not amid a conversation", () => {
  const talk = new Exchange("noor");
  talk.settle(view({ spoken: { speaker: "lin", text: "New here?" } }));
  assert.deepEqual([talk.partner, talk.lines.length], ["lin", 1]);
  talk.say("Yes.");
  talk.settle(view({ waiting: [4], spoken: { speaker: "mei", text: "Hey!" } }));
  assert.equal(talk.partner, "lin");
  talk.give("a postcard");
  assert.ok(!talk.isOpen);
});

test("a browser knows as whom it visits", () => {
  const kept = new Map();
  const storage = () => ({ getItem: (key) => kept.get(key) ?? null, setItem: (key, value) => kept.set(key, value) });
  new VisitorPass("town", storage).keep({ who: "noor", pass: "secret", name: "Noor", isIn: true });
  new VisitorPass("town", storage).leave();
  const { who, pass, name, isIn } = new VisitorPass("town", storage);
  assert.deepEqual([who, pass, name, isIn], ["noor", "secret", "Noor", false]);
  const denied = () => {
    throw new Error("denied");
  };
  assert.equal(new VisitorPass("town", denied).who, "");
});
