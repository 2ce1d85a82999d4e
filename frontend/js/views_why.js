/**
 * Why something was done, said or remembered, as the server's `why` would answer, from what a file carries of it.
 *
 * @typedef {import("./views.js").Load} Load
 * @typedef {import("./views.js").Memory} Memory
 *
 * @typedef {object} Causes   of a block of steps; calls go by resident and by step and cause
 * @property {Record<string, Record<string, string>>} memories   resident → memory → its cause
 * @property {Record<string, [number, number, string, any][]>} actions   resident → step from which on, step in which it was begun, cause, action
 * @property {Record<string, {cause: string, lines: string[]}>} talks   by id: why it was begun, and the call of each line
 * @property {Record<string, Record<string, any>>} calls
 * @property {Record<string, Record<string, any[]>>} led_to
 *
 * @typedef {{who: string, step: number, cause: string, what: any}} Cause
 */

/** @param {Load} load @param {URLSearchParams} asked */
export async function why(load, asked) {
  const run = await load("");
  const { who, step, cause, what } = await causeOf(load, asked);
  const causes = await block(load, run, step, "why");
  const known = new Map((await memories(load, who)).map((one) => [one.id, one]));
  const key = `${step} ${cause}`;
  const call = causes.calls[who]?.[key];
  const led = (causes.led_to[who]?.[key] ?? []).map((/** @type {any} */ one) => (one.type === "memory" ? remembered(one, known) : one));
  return { resident: who, step, tick: begin(run, step), what, cause, call: call ? await whole(load, run, asked, call, known, [who, step, key]) : null, led_to: led };
}

/** A call with its memories, and with its prompt where that is asked for. @param {Load} load @param {any} run @param {URLSearchParams} asked @param {any} call @param {Map<number, Memory>} known @param {[string, number, string]} where */
async function whole(load, run, asked, call, known, [who, step, key]) {
  const { recency_weight, importance_weight, relevance_weight } = (await load(`residents/${who}/memories`)).settings;
  const retrieved = call.retrieved.flatMap((/** @type {number[]} */ [id, ...scores]) => (known.has(id) ? [{ ...known.get(id), scores }] : []));
  const messages = asked.get("prompt") === "1" ? (await block(load, run, step, "prompts"))[who]?.[key] ?? [] : [];
  return { ...call, weights: [recency_weight, importance_weight, relevance_weight], retrieved, messages };
}

/** @param {{type: string, id: number}} result @param {Map<number, Memory>} known */
function remembered(result, known) {
  const memory = known.get(result.id);
  return { ...result, text: memory?.text ?? "", kind: memory?.type ?? "" };
}

/** What is asked of: a line of a talk, a memory, a call, or else the action in force. @param {Load} load @param {URLSearchParams} asked @returns {Promise<Cause>} */
async function causeOf(load, asked) {
  const run = await load("");
  const who = asked.get("resident") ?? "";
  const step = Math.min(Number(asked.get("step") ?? run.steps), run.steps);
  if (asked.has("talk")) return ofLine(load, run, asked.get("talk") ?? "", Number(asked.get("line") ?? -1));
  if (asked.has("memory")) return ofMemory(load, run, who, Number(asked.get("memory")));
  if (asked.has("kind")) return { who, step, cause: `call:${asked.get("kind")}#${asked.get("ordinal") ?? 0}`, what: { type: "call", tick: begin(run, step) } };
  const found = (await block(load, run, step, "why")).actions[who]?.findLast((/** @type {any} */ [since]) => since <= step);
  const [, begun, cause, action] = await existing(load, found);
  return { who, step: begun, cause, what: { type: "action", ...action } };
}

/** @param {Load} load @param {any} run @param {string} id @param {number} line −1 for the talk itself @returns {Promise<Cause>} */
async function ofLine(load, run, id, line) {
  const talk = await existing(load, (await load("talks")).find((/** @type {any} */ one) => one.id === id));
  const { step, opener, partner, tick } = talk;
  const told = (await block(load, run, step, "why")).talks[id];
  const what = { type: "talk", talk: id, opener, partner, tick, text: talk.summary };
  if (line < 0) return { who: opener, step, cause: told.cause, what };
  const said = await existing(load, talk.lines[line]);
  return { who: said.speaker, step, cause: told.lines[line], what: { ...what, type: "line", line, ...said } };
}

/** @param {Load} load @param {any} run @param {string} who @param {number} id @returns {Promise<Cause>} */
async function ofMemory(load, run, who, id) {
  const memory = await existing(load, (await memories(load, who)).find((one) => one.id === id));
  const cause = (await block(load, run, memory.step, "why")).memories[who]?.[id] ?? "";
  return { who, step: memory.step, cause, what: { type: "memory", tick: memory.tick, text: memory.text, memory } };
}

/** All memories of a resident, whenever they were used or retired. @param {Load} load @param {string} who @returns {Promise<Memory[]>} */
async function memories(load, who) {
  return (await load(`residents/${who}/memories`)).items;
}

/** What is told of a step with those beside it. @param {Load} load @param {any} run @param {number} step @param {string} kind */
function block(load, run, step, kind) {
  const at = Math.max(1, step);
  return load(`${kind}/${at - ((at - 1) % run.chunk)}`);
}

/** The tick with which a step begins. @param {any} run @param {number} step */
function begin(run, step) {
  return Math.max(0, step - 1) * run.ticks;
}

/** What was found; rejects with the server's words where nothing was. @template T @param {Load} load @param {T | undefined} found @returns {Promise<T>} */
async function existing(load, found) {
  if (found === undefined) throw new Error((await load(`/frontend/lang/${document.documentElement.lang}.json`)).unknown_thing);
  return found;
}
