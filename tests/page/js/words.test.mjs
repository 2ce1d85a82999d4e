import assert from "node:assert/strict";
import { test } from "node:test";

import { inWords, langOf } from "../../../frontend/js/data/words.js";

const run = {
  lang: "en",
  words: { "washing up": "洗碗", "returning to {}": "又回头{}", "returning to {} at home": "又回头在家{}", "looking for {}": "去找{}", "making {}": "整理{}" },
};

test("a text is shown in the page's language where it is known in both", () => {
  globalThis.document = { documentElement: { lang: "zh" } };
  assert.deepEqual([inWords(run, "washing up"), langOf(run, "washing up")], ["洗碗", "zh"]);
  assert.deepEqual([inWords(run, "singing"), langOf(run, "singing")], ["singing", "en"]);
});

test("a text may fill the slot of another, and a name any", () => {
  assert.equal(inWords(run, "returning to washing up"), "又回头洗碗");
  assert.equal(inWords(run, "returning to washing up at home"), "又回头在家洗碗");
  assert.equal(inWords(run, "looking for $& Lin"), "去找$& Lin");
  assert.equal(inWords(run, "returning to looking for Lin"), "又回头去找Lin");
  assert.equal(inWords(run, "making "), "making ", "nothing fills the slot");
});
