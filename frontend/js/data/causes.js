/**
 * Why something was done, said or remembered: the rule or the model call behind it, what the call rested on and what came of it.
 *
 * @typedef {import("./blocks.js").Blocks} Blocks
 * @typedef {import("./shapes.js").Causes} Causes
 * @typedef {import("./shapes.js").CallView} Call
 * @typedef {import("./shapes.js").Result} Result
 * @typedef {import("./retrieval.js").Memory} Memory
 * @typedef {Omit<Call, "retrieved"> & {weights: number[], retrieved: (Memory & {scores: number[]})[], messages: import("./shapes.js").MessageView[]}} Explained   a call
 * @typedef {{who: string, step: number, cause: string, what: any}} Cause   whose, in which step, what caused it, and the thing itself
 */

import { chainOf } from "./chain.js";
import { Unknown } from "./refusals.js";
import { memoriesAt, weightsOf } from "./retrieval.js";

/**
 * Of a line of a conversation (`conversation`, `line`), a memory (`resident`, `memory`), a call (`resident`, `step`, `kind`, `ordinal`), or else
 * of the action in force (`resident`, `step`). With `prompt=1` the call has its messages.
 * @param {Blocks} blocks @param {URLSearchParams} query
 */
export async function why(blocks, query) {
  const run = await blocks.run();
  const { who, step, cause, what } = await causeOf(blocks, query);
  const causes = await causesOf(blocks, who, step);
  const key = `${step} ${cause}`;
  const known = await memoriesOf(blocks, who);
  const call = causes.calls[key] ? await explained(blocks, who, step, key, causes.calls[key], known, query.get("prompt") === "1") : null;
  const results = (causes.led_to[key] ?? []).map((result) => (result.type === "memory" ? remembered(result, known) : result));
  const chain = what.type === "action" ? await chainOf(blocks, who, step, what.text) : undefined;
  const refusal = what.memory ? causes.refusals[what.memory.id] : undefined;
  return { resident: who, step, refusal, tick: Math.max(0, step - 1) * run.ticks, what, cause, call, led_to: results, ...(chain && { chain }) };
}

/** A call with the memories it rested on, and with its messages where they are wanted. @param {Blocks} blocks @param {string} who @param {number} step @param {string} key @param {Call} call @param {Map<number, Memory>} known @param {boolean} prompt @returns {Promise<Explained>} */
async function explained(blocks, who, step, key, call, known, prompt) {
  const retrieved = call.retrieved.flatMap(([id, ...scores]) => {
    const memory = known.get(id);
    return memory ? [{ ...memory, scores }] : [];
  });
  const messages = prompt ? await messagesOf(blocks, who, step, key) : [];
  return { ...call, weights: weightsOf((await blocks.run()).retrieval), retrieved, messages };
}

/** @param {Blocks} blocks @param {string} who @param {number} step @param {string} key */
async function messagesOf(blocks, who, step, key) {
  /** @type {import("./shapes.js").Prompts} */
  const { lines, calls } = await blocks.at("prompts", `residents/${who}/prompts`, step);
  return (calls[key] ?? []).map(([role, numbers]) => ({ role, content: numbers.map((number) => lines[number]).join("\n") }));
}

/** @param {Result} result @param {Map<number, Memory>} known */
function remembered(result, known) {
  const memory = known.get(Number(result.id));
  return { ...result, text: memory?.text ?? "", kind: memory?.type ?? "" };
}

/** @param {Blocks} blocks @param {URLSearchParams} query @returns {Promise<Cause>} */
async function causeOf(blocks, query) {
  const { ticks } = await blocks.run();
  const who = query.get("resident") ?? "";
  const step = Math.min(Number(query.get("step") ?? blocks.steps), blocks.steps);
  if (query.has("conversation")) return ofLine(blocks, query.get("conversation") ?? "", Number(query.get("line") ?? -1));
  if (query.has("memory")) return ofMemory(blocks, who, Number(query.get("memory")));
  const tick = Math.max(0, step - 1) * ticks;
  if (query.has("plan")) return { who, step, cause: await plannedBy(blocks, who, step), what: { type: "call", tick } };
  if (query.has("kind")) return { who, step, cause: `call:${query.get("kind")}#${query.get("ordinal") ?? 0}`, what: { type: "call", tick } };
  const action = (await causesOf(blocks, who, step)).actions.findLast(([since]) => since <= step);
  if (!action) throw new Unknown();
  return { who, step: action[1], cause: action[2], what: { type: "action", ...action[3] } };
}

/** The call that planned a resident's day in a step. @param {Blocks} blocks @param {string} who @param {number} step @returns {Promise<string>} */
async function plannedBy(blocks, who, step) {
  const results = Object.entries((await causesOf(blocks, who, step)).led_to);
  const [key] = results.find(([, results]) => results.some((result) => result.type === "plan" && result.text === "DayPlanned")) ?? [];
  if (!key) throw new Unknown();
  return key.slice(key.indexOf(" ") + 1);
}

/** @param {Blocks} blocks @param {string} id @param {number} line −1 for the conversation itself @returns {Promise<Cause>} */
async function ofLine(blocks, id, line) {
  const { items } = await blocks.at("conversations", "conversations", Number.parseInt(id) || 1);
  const conversation = items.find((/** @type {import("./shapes.js").ConversationView} */ other) => other.id === id);
  if (!conversation || line >= conversation.lines.length) throw new Unknown();
  const { step, people, tick } = conversation;
  const opener = people[0];
  const what = { type: "conversation", conversation: id, people, tick, text: conversation.summary };
  if (line < 0) return { who: opener, step, cause: (await causesOf(blocks, opener, step)).conversations[id] ?? "", what };
  const { speaker, text, call } = conversation.lines[line];
  return { who: speaker, step, cause: call, what: { ...what, type: "line", line, speaker, text } };
}

/** @param {Blocks} blocks @param {string} who @param {number} id @returns {Promise<Cause>} */
async function ofMemory(blocks, who, id) {
  const memory = (await memoriesOf(blocks, who)).get(id);
  if (!memory) throw new Unknown();
  const cause = (await causesOf(blocks, who, memory.step)).memories[id] ?? "";
  return { who, step: memory.step, cause, what: { type: "memory", tick: memory.tick, text: memory.text, memory } };
}

/** @param {Blocks} blocks @param {string} who @param {number} step @returns {Promise<Causes>} */
function causesOf(blocks, who, step) {
  return blocks.at("causes", `residents/${who}/causes`, step);
}

/** All memories of a resident by their ids. @param {Blocks} blocks @param {string} who @returns {Promise<Map<number, Memory>>} */
async function memoriesOf(blocks, who) {
  const all = memoriesAt(await blocks.upTo("memories", `residents/${who}/memories`), Infinity);
  return new Map(all.map((memory) => [memory.id, memory]));
}
