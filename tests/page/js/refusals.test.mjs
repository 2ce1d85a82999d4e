// What the page says where something cannot be had: the reason that is known, and not that its server is gone.

import assert from "node:assert/strict";
import test from "node:test";
import "./page.mjs";

const { complaint, t } = await import("../../../frontend/js/data/i18n.js");
const { Refused, Unknown, Unreachable } = await import("../../../frontend/js/data/refusals.js");
const { view } = await import("../../../frontend/js/data/views.js");

const blocks = {
  run: async () => ({ residents: [{ id: "ana" }] }),
  whole: async (address) => ({ address, stories: [{ id: "party", title: "The party" }] }),
};
const asked = (name, query = {}) => view(blocks, name, new URLSearchParams(query));

test("an answer speaks for itself; only where there is none the server is out of reach", () => {
  assert.equal(complaint(new Refused("no such run")), "no such run");
  assert.equal(complaint(new Unreachable("fetch failed")), t("The server does not answer. What is shown stays; the page goes on when it is back."));
});

test("a storyline or a resident that a run does not have is named", async () => {
  const unknown = (text, name) => (error) => error instanceof Unknown && error.text === text && error.values.name === name;
  await assert.rejects(asked("spread", { story: "war" }), unknown("This simulation has no storyline named “{name}”.", "war"));
  await assert.rejects(asked("spread", { memory: "bo/3" }), unknown("This simulation has no resident named “{name}”.", "bo"));
  await assert.rejects(asked("why", { resident: "bo", step: "2" }), unknown("This simulation has no resident named “{name}”.", "bo"));
  await assert.rejects(asked("residents/bo/diary"), unknown("This simulation has no resident named “{name}”.", "bo"));
  assert.equal((await asked("spread", { story: "party" })).address, "spread/story/party");
  assert.equal((await asked("spread", { memory: "ana/3" })).address, "spread/memory/ana/3");
});
