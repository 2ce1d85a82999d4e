import "./page.mjs";

import assert from "node:assert/strict";
import { test } from "node:test";

import { lineAt } from "../../../frontend/js/data/frames.js";
import { changes, follow, sentenceThatTells, whenTold } from "../../../frontend/js/data/rumour.js";

test("every second part of a retold sentence is new, and the parts are the sentence", () => {
  const parts = changes("Isabella is planning a party at five.", "Isabella is planning a huge party, at six o'clock.");
  assert.deepEqual(
    parts.filter((_, at) => at % 2),
    ["huge", "six o'clock"],
  );
  assert.equal(parts.join(""), "Isabella is planning a huge party, at six o'clock.");
});

test("of Chinese, characters are compared", () => {
  assert.deepEqual(changes("山姆要竞选镇长。", "山姆想要竞选镇长！"), ["山姆", "想", "要竞选镇长！"]);
});

test("what is told as it was known has nothing new", () => {
  assert.deepEqual(changes("A party.", "a party"), ["a party"]);
});

test("a telling is shown while the part is said that its listener remembers", () => {
  const talk = { tick: 100, ticks: 60, lines: LINES };
  const [from, until] = whenTold(talk, "ana", "Ana says that there is a party at the café at five.");
  assert.equal(lineAt(talk, from), 2);
  assert.equal(lineAt(talk, until), 2);
  assert.ok(until < 160);
  assert.deepEqual(whenTold(talk, "cy", "A party."), [100, 159]);
});

const LINES = [
  { speaker: "ana", text: "Good morning." },
  { speaker: "bo", text: "A party at five, did you know?" },
  { speaker: "ana", text: "I know! There is a party at the café at five. Come." },
];

test("the sentence that tells is the speaker's own with most of the words", () => {
  assert.deepEqual(sentenceThatTells(LINES, "ana", "Ana has a party at the café"), { line: 2, sentence: "There is a party at the café at five." });
  assert.equal(sentenceThatTells(LINES, "bo", "a party at five").line, 1);
  assert.equal(sentenceThatTells(LINES, "cai", "a party"), undefined);
});

test("tellings come in the order in which they were said, each with what its teller knew", async () => {
  const talk = { lines: LINES, tick: 100, ticks: 60, address: "cafe/main" };
  const learned = [
    { who: "ana", from: "", tick: 0, conversation: "", text: "Ana has a party" },
    { who: "bo", from: "ana", tick: 100, conversation: "1", text: "Ana met Bo and told him of a party" },
    { who: "cai", from: "bo", tick: 400, conversation: "2", text: "Bo met Cai" },
  ];
  const { tellings, knew, known } = await follow({ stories: [], learned }, async (id) => (id === "1" ? talk : { ...talk, tick: 400 }));
  assert.deepEqual(
    tellings.map(({ from, who, before }) => [from, who, before]),
    [
      ["ana", "bo", "Ana has a party"],
      ["bo", "cai", "There is a party at the café at five."],
    ],
  );
  assert.ok(tellings[0].tick > 100 && tellings[0].tick < 160);
  assert.deepEqual([knew, known.bo], [["ana"], 100]);
});
