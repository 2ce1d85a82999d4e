// What is asked for twice, or replaced by something else before its answer is there.

import "./page.mjs";

import assert from "node:assert/strict";
import { test } from "node:test";

import { Requests } from "../../../frontend/js/data/requests.js";
import { changeMap, refreshMap } from "../../../frontend/js/editor/painter.js";
import { AskTab } from "../../../frontend/js/panel/ask.js";
import { ConversationsTab } from "../../../frontend/js/panel/conversations.js";
import { InterveneTab } from "../../../frontend/js/panel/intervene.js";
import { MapMenu } from "../../../frontend/js/panel/map_menu.js";
import { MemoryList } from "../../../frontend/js/panel/memories.js";
import { PlaceCard } from "../../../frontend/js/panel/place_card.js";
import { Butterfly } from "../../../frontend/js/show/butterfly.js";

const settled = () => new Promise((resolve) => setImmediate(resolve));

/** An object of a class without what its constructor makes of the page. */
const bare = (kind, parts) => Object.assign(Object.create(kind.prototype), parts);

const IDS = ["1-1", "1-2", "1-3", "1-4"];
const HEAD = { residents: [{ id: "ana", name: "Ana" }], steps: 4, widths: { memories: 9, conversations: 9 } };
/** Blocks of a run, by how their addresses end. */
const BLOCKS = {
  "/memories": { items: IDS.map((id) => ({ id, step: 1, text: "", poignancy: 1 })), used: [], retired: [], settled: [] },
  "/marks": { held: IDS.map((id) => ({ id, tick: 1 })) },
  "/conversations": { items: IDS.map((id) => ({ id })) },
};
const CONTEXT = { run: { name: "late" }, resident: "ana", step: 4 };

/** Serves a run, unless it is away. @param {import("node:test").TestContext} context */
function serve(context) {
  const server = { isAway: false };
  context.mock.method(globalThis, "fetch", async (path) => {
    if (server.isAway) throw new TypeError("away");
    const [, block = HEAD] = Object.entries(BLOCKS).find(([end]) => path.split("?")[0].endsWith(end)) ?? [];
    return { ok: true, json: async () => block };
  });
  return server;
}

test("the place clicked last is shown, however late the answer to an earlier click", async () => {
  const answers = [];
  const shown = [];
  const card = bare(PlaceCard, { parts: { run: { things: { "inn/bar/stove": {} } } }, requests: new Requests(), element: {} });
  Object.assign(card, { arenaAt: () => new Promise((answer) => answers.push(answer)), show: (address) => shown.push(address) });
  const [first, second] = [card.at(1, 1, ""), card.at(2, 2, "")];
  answers[1]("inn/bar");
  answers[0]("park/green");
  await Promise.all([first, second]);
  const late = card.at(1, 1, "");
  await card.at(3, 3, "inn/bar/stove");
  answers[2]("park/green");
  await late;
  const closed = card.at(1, 1, "");
  card.close();
  answers[3]("park/green");
  await closed;
  assert.deepEqual(shown, ["inn/bar", "inn/bar/stove"]);
});

test("a menu that has been closed does not open late", async () => {
  const answers = [];
  const stage = { hit: () => "", thingAt: () => "" };
  const place = { arenaAt: () => new Promise((answer) => answers.push(answer)) };
  const menu = bare(MapMenu, { parts: { stage, place, player: {}, run: { things: {}, places: {} } }, requests: new Requests(), element: {} });
  const opened = menu.open(1, 1);
  menu.close();
  menu.ofPlace = () => assert.fail("it is filled");
  answers[0]("park/green");
  await opened;
});

test("more memories asked for twice are listed once, and those of an earlier search never", async (context) => {
  serve(context);
  const listed = [];
  const memories = bare(MemoryList, { requests: new Requests(), context: CONTEXT, request: (offset) => ({ offset, limit: 2 }) });
  memories.fill = (_context, { items }, offset) => listed.push([offset, items.length]);
  await Promise.all([memories.fetch(2), memories.fetch(2)]);
  assert.deepEqual(listed, [[2, 2]]);
  await Promise.all([memories.fetch(2), memories.fetch(0)]);
  assert.deepEqual(listed.slice(1), [[0, 2]]);
});

test("more conversations asked for twice are listed once; where they cannot be had, that is told", async (context) => {
  const server = serve(context);
  const ids = [IDS[1]];
  const list = { append: (...more) => ids.push(...more), prepend: (...more) => ids.unshift(...more), childElementCount: 1 };
  const own = { pages: new Requests(), context: CONTEXT, first: 1, list, element: {}, more: {}, earlier: {}, note: {}, mark() {} };
  const tab = bare(ConversationsTab, { ...own, request: (offset) => ({ offset, limit: 2 }), cards: (_context, { items }) => items.map(({ id }) => id) });
  await Promise.all([tab.fetchMore(), tab.fetchMore()]);
  await Promise.all([tab.fetchEarlier(), tab.fetchEarlier()]);
  assert.deepEqual(ids, IDS);
  const late = tab.fetchMore();
  tab.listed(CONTEXT, { total: 4 }); // another list
  await late;
  assert.deepEqual(ids, IDS);
  server.isAway = true;
  await tab.fetchMore();
  assert.match(tab.note.textContent, /does not answer/);
});

test("two towns are laid side by side once", async (context) => {
  context.mock.method(globalThis, "fetch", async () => ({ ok: true, json: async () => ({ ...HEAD, map: null }) }));
  let opened = 0;
  const classes = { add: () => opened++ };
  context.mock.method(globalThis.document, "getElementById", () => ({ classList: classes }));
  const own = { parts: { run: { name: "late" } }, other: "other", openings: new Requests(), line: { replaceChildren() {} }, button: { setAttribute() {} } };
  const butterfly = bare(Butterfly, own);
  await Promise.all([butterfly.open(), butterfly.open()]);
  assert.equal(opened, 1);
});

test("changes of a map are made one after the other, also after the server has been away", async (context) => {
  serve(context).isAway = true;
  context.mock.method(globalThis.document, "getElementById", () => ({}));
  const said = [];
  const desk = { world: { id: "late" }, busy: Promise.resolve(), take() {}, complain() {}, say: (text) => said.push(text) };
  await refreshMap(desk);
  assert.match(said.pop(), /does not answer/);
  const made = [];
  const change = (name) => changeMap(desk, async () => (made.push(name), await settled(), made.push(name), { undo: "", problems: [] }), assert.fail, name);
  await Promise.all([change("wall"), change("door")]);
  assert.deepEqual(made, ["wall", "wall", "door", "door"]);
  assert.deepEqual(said, ["wall", "door"]);
});

test("what is typed while words are on their way stays", async (context) => {
  const answers = [];
  context.mock.method(globalThis, "fetch", () => new Promise((answer) => answers.push(() => answer({ ok: true, json: async () => ({}) }))));
  globalThis.document.createElement = () => ({ append() {} });
  context.after(() => delete globalThis.document.createElement);
  const silent = { report() {}, add() {}, fill() {}, lines: () => [], run: { name: "late" } };
  const question = { value: "How are you?" };
  const tab = bare(AskTab, { ...silent, context: { player: {}, step: 1 }, whom: { value: "ana" }, send: {}, question });
  const asking = tab.submit();
  question.value = "And Bo?";
  answers[0]();
  await asking;
  assert.equal(question.value, "And Bo?");
  const again = tab.submit();
  answers[1]();
  await again;
  assert.equal(question.value, "");
  const text = { value: "Sing" };
  const own = { kind: { value: "tell" }, target: { value: "ana" }, at: { value: "" }, text, enter: (/** @type {() => Promise<void>} */ sending) => sending() };
  const entering = bare(InterveneTab, { ...silent, ...own }).submit();
  text.value = "Dance";
  answers[2]();
  await entering;
  assert.equal(text.value, "Dance");
});
