import "./page.mjs";

import assert from "node:assert/strict";
import { test } from "node:test";

import { localVoices, voiceOf } from "../../../frontend/js/sound/speech.js";

const VOICES = [
  { name: "Zoe", lang: "en-GB", localService: true },
  { name: "Amy", lang: "en-US", localService: true },
  { name: "Cloud", lang: "en-US", localService: false },
  { name: "Ting", lang: "zh-CN", localService: true },
];

test("only voices of this machine and of the language read", () => {
  assert.deepEqual(
    localVoices(VOICES, "en").map(({ name }) => name),
    ["Amy", "Zoe"],
  );
});

test("a resident keeps their voice, and not all have the same", () => {
  const voices = localVoices(VOICES, "en");
  assert.deepEqual(voiceOf("mei_lin", voices), voiceOf("mei_lin", voices));
  const sounds = new Set(["mei_lin", "john_lin", "eddy_lin", "tom_moreno"].map((who) => JSON.stringify(voiceOf(who, voices))));
  assert.ok(sounds.size > 1);
});
