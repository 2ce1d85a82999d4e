/** Whatever holds all words is found, the best first, and shown about the words. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { find, known, parts, told } from "../../../frontend/js/data/finding.js";

const RUN = {
  residents: [
    { id: "ana", name: "Ana Party" },
    { id: "bo", name: "Bo" },
  ],
  places: { "cafe/main": "Café, main room" },
  things: { "cafe/main/piano": { name: "piano" } },
};
const TALK = { id: "3-0", opener: "ana", tick: 120, address: "cafe/main", lines: [{ speaker: "bo", text: "A party? Not at noon." }] };
const MEMORIES = [
  { id: 1, text: "Ana counts parties", tick: 10, address: "", poignancy: 2 },
  { id: 2, text: "There is a party", tick: 20, address: "", poignancy: 8 },
  { id: 3, text: "There is a party", tick: 90, address: "", poignancy: 8 },
];
const BLOCKS = {
  run: async () => RUN,
  upTo: async (kind, address) => (kind === "conversations" ? [{ items: [TALK] }, { items: [TALK] }] : [{ items: address.includes("ana") ? MEMORIES : [] }]),
  whole: async (address) =>
    address.includes("bo")
      ? [
          { tick: 5, kind: "action", text: "tunes the piano" },
          { tick: 6, kind: "plan", text: "a piano plan" },
        ]
      : [],
};

const all = async () => [...known(RUN), ...(await told(BLOCKS))];
const texts = (groups) => groups.map(({ kind, entries }) => [kind, ...entries.map(({ text }) => text)]);

test("people, words and memories are found, each text once, the weightiest first", async () => {
  const groups = find(await all(), "part");
  assert.deepEqual(texts(groups), [
    ["person", "Ana Party"],
    ["line", "A party? Not at noon."],
    ["memory", "There is a party", "Ana counts parties"],
  ]);
  const { entries } = groups[2];
  assert.deepEqual([entries[0].times, entries[0].tick, entries[0].who, entries[0].memory], [2, 20, "ana", 2]);
  assert.equal(groups[1].entries[0].conversation, "3-0");
});

test("things and actions are found, plans are no actions", async () => {
  assert.deepEqual(texts(find(await all(), "PIANO")), [
    ["place", "piano · Café, main room"],
    ["action", "tunes the piano"],
  ]);
});

test("all words must be there, in any order; nothing is found for nothing", async () => {
  const entries = await all();
  assert.deepEqual(texts(find(entries, "noon party")), [["line", "A party? Not at noon."]]);
  assert.deepEqual(find(entries, "noon piano"), []);
  assert.deepEqual(find(entries, "  "), []);
});

test("of many there are few, and how many there are is told", () => {
  const [{ total, entries }] = find(
    known({ residents: Array.from({ length: 30 }, (_, at) => ({ id: `${at}`, name: `Bo ${at}` })), places: {}, things: {} }),
    "bo",
  );
  assert.equal(total, 30);
  assert.equal(entries.length, 5);
});

test("a text is shown about the first word, with the words apart", () => {
  assert.deepEqual(parts("There is a party", "PARTY is"), ["There ", "is", " a ", "party", ""]);
  const [before, found, after] = parts(`${"so ".repeat(80)}(party) ${"la ".repeat(80)}`, "(party)");
  assert.ok(before.startsWith("…") && before.length < 50);
  assert.equal(found, "(party)");
  assert.ok(after.endsWith("…") && after.length < 150);
});
