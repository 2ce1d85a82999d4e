/**
 * What the page shows of a run, derived from its blocks: the one place for it, with a server and without.
 *
 * @typedef {import("./blocks.js").Blocks} Blocks
 * @typedef {import("./shapes.js").ConversationView} Conversation
 * @typedef {import("./shapes.js").Memories} Memories
 * @typedef {import("./shapes.js").ResidentBlock} ResidentBlock
 * @typedef {import("./retrieval.js").Memory} Memory
 * @typedef {import("./shapes.js").ScheduleDay & {minute: number}} Schedule   `minute`: since midnight, at the moment shown
 * @typedef {{id: string, step: number, persona: import("./shapes.js").PersonaView | null, mind: import("./shapes.js").MindView, schedule: Schedule | null,
 *            habits: string[], goals: import("./shapes.js").GoalView[], promises: import("./shapes.js").Appointment[], relations: import("./shapes.js").Acquaintance[],
 *            feel: import("./feelings.js").FeelNow | null, living: import("./stores.js").LivingNow | null, opinions: import("./shapes.js").Opinion[]}} ResidentNow
 * @typedef {{total: number, offset: number, items: Conversation[]}} ConversationPage
 * @typedef {{total: number, items: Memory[], by?: "vectors" | "words", weights?: number[]}} MemoryPage
 * @typedef {(blocks: Blocks, query: URLSearchParams, names: string[]) => Promise<any>} View
 */

import { N_ } from "./fill.js";
import { why } from "./causes.js";
import { eye } from "./eye.js";
import { feltAt } from "./feelings.js";
import { place } from "./lingering.js";
import { Unknown } from "./refusals.js";
import { follow } from "./rumour.js";
import { comparedBy, memoriesAt, rank, weightsOf } from "./retrieval.js";
import { fixtures, livingAt } from "./stores.js";
import { trail } from "./trails.js";

const BEGUN = 0.25; // share of a page of conversations that had begun by the moment it is asked for; at least one of them is shown
const SPACED = /^(?!\p{Script=Han})[\p{L}\p{N}]$/u; // letters of words between which there are spaces
const [MINUTE, DAY] = [60_000, 86_400_000]; // milliseconds

/** @type {[RegExp, View][]} by the name of the view */
const VIEWS = [
  [/^residents\/([^/]+)$/, resident],
  [/^residents\/([^/]+)\/memories$/, memories],
  [/^residents\/([^/]+)\/trail$/, trail],
  [/^residents\/([^/]+)\/diary$/, diary],
  [/^residents\/([^/]+)\/eye$/, eye],
  [/^residents\/([^/]+)\/memories\/(\d+)\/evidence$/, evidence],
  [/^conversations$/, conversations],
  [/^conversations\/([^/]+)$/, (blocks, _, [id]) => conversation(blocks, id)],
  [/^place$/, place],
  [/^fixtures$/, fixtures],
  [/^why$/, why],
  [/^spread$/, spread],
  [/^rumour$/, rumour],
];

/** A view of a run; where there is none of that name, the block. @param {Blocks} blocks @param {string} name @param {URLSearchParams} query */
export async function view(blocks, name, query) {
  await checkResident(blocks, /^residents\/([^/]+)/.exec(name)?.[1] ?? query.get("resident"));
  for (const [pattern, derive] of VIEWS) {
    const match = pattern.exec(name);
    if (match) return derive(blocks, query, match.slice(1));
  }
  return blocks.whole(name);
}

/** Throws Unknown for somebody who does not live in the run. @param {Blocks} blocks @param {string | null | undefined} who nobody where the view is of no resident */
async function checkResident(blocks, who) {
  if (who && !(await blocks.run()).residents.some(({ id }) => id === who))
    throw new Unknown(N_("This simulation has no resident named “{name}”."), { name: who });
}

/** @param {URLSearchParams} query @param {string} key @param {number} otherwise */
function number(query, key, otherwise) {
  return Number(query.get(key) ?? otherwise);
}

/** @param {URLSearchParams} query @param {string} key */
function words(query, key) {
  return (query.get(key) ?? "").trim().toLowerCase();
}

/** @param {URLSearchParams} query @param {string} key */
function list(query, key) {
  return (query.get(key) ?? "").split(",").filter(Boolean);
}

// a resident --------------------------------------------------------------------------------------

/** A resident as it stood after a step; its schedule is that of the step which begins then, since that is what it is seen to do. @type {View} */
async function resident(blocks, query, [who]) {
  const run = await blocks.run();
  const step = Math.min(number(query, "step", blocks.steps), blocks.steps);
  /** @type {ResidentBlock} */
  const block = await blocks.at("resident", `residents/${who}`, step);
  const lived = Math.min(step + 1, blocks.steps);
  const next = await blocks.at("resident", `residents/${who}`, lived);
  const now = (/** @type {[number, any][]} */ versions, at = step) => /** @type {[number, any]} */ (versions.findLast(([since]) => since <= at))[1];
  const schedule = asLived(now(next.schedule, lived), run, step);
  /** @type {import("./shapes.js").MoodView | null} */
  const feel = now(block.feel);
  /** @type {ResidentNow} */
  const shown = {
    id: who,
    step,
    persona: block.persona,
    habits: block.habits,
    mind: now(block.mind),
    schedule,
    goals: now(block.goals),
    promises: now(block.promises),
    relations: now(block.relations),
    feel: feel && feltAt(feel, step * run.ticks, block.moods),
    living: block.living && livingAt(block.living, step),
    opinions: now(block.opinions),
  };
  return shown;
}

/** A day's schedule as it has turned out: of hours that are over, what was under way is done, and what was never begun has been skipped. @param {import("./shapes.js").ScheduleDay | null} day @param {import("./shapes.js").RunView} run @param {number} step @returns {Schedule | null} */
function asLived(day, run, step) {
  if (!day) return null;
  const minute = minuteOf(run, step, day.date);
  /** @type {Record<string, string>} */
  const settled = { doing: "done", todo: "skipped" };
  const entries = day.entries.map((entry) => {
    if (entry.end > minute) return entry;
    return { ...entry, tasks: entry.tasks.map((task) => ({ ...task, status: settled[task.status] ?? task.status })) };
  });
  return { ...day, entries, minute };
}

/** Minutes since midnight after a step; all of a day that is over, or has yet to come. @param {import("./shapes.js").RunView} run @param {number} step @param {string} date */
function minuteOf({ start, stride }, step, date) {
  const moment = Date.parse(`${start}Z`) + step * stride * MINUTE;
  return new Date(moment).toISOString().slice(0, 10) === date ? (moment % DAY) / MINUTE : DAY / MINUTE;
}

/** A resident's memories after a step, the latest first; with a query, as a search for it would rank those that are not retired. @type {View} */
async function memories(blocks, query, [who]) {
  const { retrieval, ticks } = await blocks.run();
  const step = Math.min(number(query, "step", blocks.steps), blocks.steps);
  const all = memoriesAt(await memoryBlocks(blocks, who, step), step);
  const searched = (query.get("query") ?? "").trim();
  const ordered = searched ? rank(all, searched, step * ticks, retrieval) : all.reverse();
  const [types, text, least] = [list(query, "type"), words(query, "text"), number(query, "min", 1)];
  const items = ordered.filter(
    (memory) => (!types.length || types.includes(memory.type)) && memory.poignancy >= least && memory.text.toLowerCase().includes(text),
  );
  const offset = number(query, "offset", 0);
  const ranking = searched ? { by: comparedBy(retrieval), weights: weightsOf(retrieval) } : {};
  return { total: items.length, ...ranking, items: items.slice(offset, offset + number(query, "limit", 50)) };
}

/** @param {Blocks} blocks @param {string} who @param {number} [step] @returns {Promise<Memories[]>} */
export function memoryBlocks(blocks, who, step) {
  return blocks.upTo("memories", `residents/${who}/memories`, step);
}

/** A memory with those that it rests on, down to what rests on nothing; one met `again` is shown without its own evidence. @type {View} */
async function evidence(blocks, query, [who, id]) {
  const known = new Map(memoriesAt(await memoryBlocks(blocks, who), Infinity).map((memory) => [memory.id, memory]));
  const met = new Set();
  if (!known.has(Number(id))) throw new Unknown();
  const branch = (/** @type {number} */ number) => {
    const memory = /** @type {Memory} */ (known.get(number));
    const again = met.has(number);
    met.add(number);
    /** @type {any[]} */
    const below = again ? [] : memory.evidence.filter((other) => known.has(other)).map(branch);
    return { memory, again, evidence: below };
  };
  return branch(Number(id));
}

/** A day of a resident, the nearest that there is. @type {View} */
async function diary(blocks, query, [who]) {
  const { start, stride } = await blocks.run();
  const begin = Date.parse(`${start}Z`);
  const end = Math.max(begin, begin + blocks.steps * stride * MINUTE - 1);
  const [first, last] = [begin, end].map((moment) => new Date(moment).toISOString().slice(0, 10));
  const day = query.get("day") ?? first;
  return blocks.whole(`residents/${who}/diary/${day < first ? first : day > last ? last : day}`);
}

// conversations -----------------------------------------------------------------------------------

/** Those in which all of `who` take part and that hold a text, in order of time; a page of them, about the moment `at` where one is given. @type {View} */
async function conversations(blocks, query) {
  const people = list(query, "who");
  const text = words(query, "text");
  /** @type {import("./shapes.js").Marks} */
  const marks = await blocks.whole("marks");
  let matches = marks.held.filter((conversation) => people.every((who) => conversation.people.includes(who)));
  if (text) {
    const holding = await conversationsWith(blocks, text);
    matches = matches.filter(({ id }) => holding.has(id));
  }
  const limit = number(query, "limit", 50);
  const begun = matches.filter(({ tick }) => tick <= number(query, "at", 0)).length;
  const about = Math.max(0, Math.min(begun - Math.max(1, Math.floor(BEGUN * limit)), matches.length - limit));
  const offset = query.has("at") ? about : number(query, "offset", 0);
  const items = await Promise.all(matches.slice(offset, offset + limit).map(({ id }) => conversation(blocks, id)));
  return { total: matches.length, offset, items };
}

/** @param {Blocks} blocks @param {string} id which begins with its step @returns {Promise<Conversation>} */
export async function conversation(blocks, id) {
  const block = await blocks.at("conversations", "conversations", Number.parseInt(id) || 1);
  const match = block.items.find((/** @type {Conversation} */ conversation) => conversation.id === id);
  if (!match) throw new Unknown();
  return match;
}

/** The ids of the conversations that hold a text: in what was said, in the summary, in the names of people and place. @param {Blocks} blocks @param {string} text in small letters */
async function conversationsWith(blocks, text) {
  const run = await blocks.run();
  const names = new Map(run.residents.map(({ id, name }) => [id, name]));
  const ids = new Set();
  for (const { items } of await blocks.upTo("conversations", "conversations")) {
    for (const { id, people, address, summary, lines } of /** @type {Conversation[]} */ (items)) {
      const searched = [summary, ...people.map((who) => names.get(who)), run.places[address], ...lines.map((line) => line.text)];
      if (searched.join("\n").toLowerCase().includes(text)) ids.add(id);
    }
  }
  return ids;
}

/** Who came to know of a `story`, of a `memory` (`<resident>/<id>`) or of a word (`text`), from whom. @type {View} */
async function spread(blocks, query) {
  const [story, memory, text] = [query.get("story"), query.get("memory"), words(query, "text")];
  if (memory) {
    await checkResident(blocks, memory.split("/")[0]);
    return blocks.whole(`spread/memory/${memory}`);
  }
  /** @type {import("./shapes.js").Spread} */
  const known = await blocks.whole("spread");
  if (story && !known.stories.some(({ id }) => id === story)) throw new Unknown(N_("This simulation has no storyline named “{name}”."), { name: story });
  if (story) return blocks.whole(`spread/story/${story}`);
  return text ? { ...known, learned: await learned(blocks, text) } : known;
}

/** The same topic as it went from mouth to mouth. @type {View} */
async function rumour(blocks, query) {
  return follow(await spread(blocks, query, []), (id) => conversation(blocks, id));
}

/** What finds some words in a text: whole ones, where the writing has spaces between them. @param {string} text */
function mention(text) {
  const plain = text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&").replace(/\s+/g, "\\s+");
  const before = SPACED.test(text[0] ?? "") ? "(?<![\\p{L}\\p{N}])" : "";
  const after = SPACED.test(text.at(-1) ?? "") ? "(?![\\p{L}\\p{N}])" : "";
  return new RegExp(`${before}${plain}${after}`, "iu");
}

/** Who told somebody in a conversation what it remembers: of two, the other; of more, whom the memory is about first.
 * @param {import("./shapes.js").Held} conversation @param {string} who @param {import("./shapes.js").MemoryView} memory */
function tellerOf({ people }, who, { about }) {
  const others = people.filter((other) => other !== who);
  return about.find((other) => others.includes(other)) ?? others[0];
}

/** By whose memories a word became known, in order; a word does not change in the telling. @param {Blocks} blocks @param {string} text */
async function learned(blocks, text) {
  const word = mention(text);
  const run = await blocks.run();
  const marks = await blocks.whole("marks");
  /** @type {Map<string, import("./shapes.js").Held>} */
  const held = new Map(marks.held.map((/** @type {import("./shapes.js").Held} */ conversation) => [conversation.id, conversation]));
  const first = async (/** @type {string} */ who) => {
    const items = (await memoryBlocks(blocks, who)).flatMap((block) => block.items);
    const memory = items.find((other) => word.test(other.text));
    if (!memory) return [];
    const conversation = held.get(memory.conversation);
    const from = conversation ? tellerOf(conversation, who, memory) : "";
    return [
      { who, from, tick: memory.tick, step: memory.step, conversation: memory.conversation, memory: memory.id, text: memory.text, changed: [], strayed: [] },
    ];
  };
  const all = (await Promise.all(run.residents.map(({ id }) => first(id)))).flat();
  return all.sort((one, other) => one.step - other.step || (one.who < other.who ? -1 : 1));
}
