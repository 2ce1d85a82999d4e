import assert from "node:assert/strict";
import { test } from "node:test";

import { shortNames } from "../../../frontend/js/data/names.js";

test("people are called by their first names, where no two have the same", () => {
  assert.deepEqual(shortNames(["Isabella Rodriguez", "Tom Moreno", "Tom Moore", "Mei Lin"]), ["Isabella", "Tom Moreno", "Tom Moore", "Mei"]);
});

test("where the family's name comes first, it does not stand alone", () => {
  assert.deepEqual(shortNames(["Zhang Wei", "Xiao Mei", "Chen Siyuan", "张伟"]), ["Zhang Wei", "Xiao Mei", "Chen Siyuan", "张伟"]);
});
