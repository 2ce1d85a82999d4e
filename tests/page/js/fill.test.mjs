import assert from "node:assert/strict";
import { test } from "node:test";

import "./page.mjs";

const { fill } = await import("../../../frontend/js/data/fill.js");
const { learn, nt, P_, t } = await import("../../../frontend/js/data/i18n.js");

test("fields are filled in", () => {
  assert.equal(fill("{done} of {all}, {missing}.", { done: 1, all: "1,000" }), "1 of 1,000, .");
});

test("one is a singular", () => {
  const said = (days) => nt("{count} day is left", "{count} days are left", days);
  assert.deepEqual([0, 1, 2].map(said), ["0 days are left", "1 day is left", "2 days are left"]);
});

test("a language has its own plural forms, and a context tells equal words apart", () => {
  learn({ "{count} day": ["{count} 天"], "tool\u0004Remove": "移走", Remove: "删除" });
  document.documentElement.lang = "zh";
  assert.deepEqual(
    [1, 2].map((days) => nt("{count} day", "{count} days", days)),
    ["1 天", "2 天"],
  );
  assert.deepEqual([t(P_("tool", "Remove")), t("Remove"), t(P_("tool", "Move"))], ["移走", "删除", "Move"]);
  learn({});
  document.documentElement.lang = "en";
});
