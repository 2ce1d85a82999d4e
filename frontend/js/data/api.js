/** The server's JSON, and what the page derives from it; what the file holds, where there is no server. */

import { Blocks } from "./blocks.js";
import { noteAfter } from "./changes.js";
import { embedded, standalone } from "./embedded.js";
import * as finding from "./finding.js";
import { complaint, learn, t } from "./i18n.js";
import { Refused, Unknown, Unreachable } from "./refusals.js";
import { Requests } from "./requests.js";
import { view } from "./views.js";

/** @typedef {import("./shapes.js").RunView} Run */
/** @typedef {import("./shapes.js").Frames} Frames */

export const API = "api/v1";
const FIRST_HOUR = `${API}/first-hour`;
const JSON_BODY = { "Content-Type": "application/json" };
const AGAIN = 4000; // milliseconds after which what could not be had may be asked for again

/**
 * @param {string} path
 * @param {RequestInit} [init]
 * @returns {Promise<any>} rejects with Refused, in the server's own words where it has any
 */
function json(path, init) {
  return noteAfter(standalone ? embedded(path) : answer(path, init));
}

/** @param {string} path @param {RequestInit} [init] @returns {Promise<any>} */
async function answer(path, init = {}) {
  const headers = { Accept: "application/json", ...init.headers };
  const send = () => fetch(path, { ...init, headers }).catch(unreachable);
  const reply = await (init.method ? signedIn(send) : send()); // what a page asks for by itself asks nobody
  const body = await reply.json().catch(() => ({}));
  if (!reply.ok) throw new Refused(body.error || `${reply.status} ${path}`, reply.status);
  return body;
}

/** What a browser says of a server that does not answer is in no language of ours. @param {unknown} error @returns {never} */
function unreachable(error) {
  throw /** @type {Error} */ (error).name === "AbortError" ? error : new Unreachable();
}

/** An address of the server relative to the page, as a proxy may serve both below a path of its own. @param {string | null} address */
function besidePage(address) {
  return address?.replace(/^\//, "") ?? null;
}

/** An address whose answer is in the page's language. @param {string} address */
function inPageLanguage(address) {
  return `${address}?lang=${globalThis.document.documentElement.lang}`;
}

/** The address of a run. @param {string} name */
export function addressOf(name) {
  return `${API}/runs/${encodeURIComponent(name)}`;
}

/**
 * A block of a run.
 * @param {string} name @param {string} address below the run's @param {[number, number]} [steps] both included @param {AbortSignal} [signal]
 * @returns {Promise<any>}
 */
function block(name, address, steps, signal) {
  if (standalone) return noteAfter(embedded(steps ? `${address}/${steps[0]}` : address));
  const path = address.split("/").map(encodeURIComponent).join("/");
  const range = steps ? `?from=${steps[0]}&to=${steps[1]}` : "";
  return json(`${addressOf(name)}${path && "/"}${path}${range}`, { signal });
}

/** @type {Map<string, Blocks>} by run */
const opened = new Map();

/** @param {string} name */
function blocksOf(name) {
  let blocks = opened.get(name);
  if (!blocks) opened.set(name, (blocks = new Blocks((address, steps) => block(name, address, steps))));
  return blocks;
}

/** A run has gone on. @param {string} name @param {number} steps */
export function grown(name, steps) {
  blocksOf(name).steps = steps;
}

/** @param {string} name @returns {Promise<Run>} */
export async function run(name) {
  const head = await json(standalone ? addressOf(name) : inPageLanguage(addressOf(name)));
  blocksOf(name).know(head);
  for (const resident of head.residents) Object.assign(resident, { portrait: besidePage(resident.portrait), sprite: besidePage(resident.sprite) });
  return { ...head, map: besidePage(head.map) };
}

/** Steps `from` to `to`, both included. @param {string} name @param {number} from @param {number} to @param {AbortSignal} signal @returns {Promise<Frames>} */
export function frames(name, from, to, signal) {
  return block(name, "frames", [from, to], signal);
}

/** The interventions of a run: those that wait, then the latest of the others. @param {string} name @returns {Promise<any[]>} */
export function interventions(name) {
  return json(`${addressOf(name)}/interventions`);
}

/** Adds an intervention to a run. @param {string} name @param {{kind: string, text: string, at: string}} asked @returns {Promise<any>} */
export function intervene(name, asked) {
  return change("POST", inPageLanguage(`${addressOf(name)}/interventions`), asked);
}

/**
 * Asks a resident after a step; `lines` are the earlier questions of the conversation with their answers.
 * @param {string} name @param {{who: string, question: string, step: number, lines: [string, string][]}} asked @returns {Promise<any>}
 */
export function question(name, asked) {
  return change("POST", inPageLanguage(`${addressOf(name)}/questions`), asked);
}

/** The entries of a town's book, as they are now. @param {string} name @returns {Promise<any[]>} */
export function laws(name) {
  return json(`${addressOf(name)}/laws`);
}

/** A law that the run's model drafts from words, or somebody who moves in. @param {string} name @param {string} words @param {string} about the section `residents`, or "" @returns {Promise<any>} */
export function draftLaw(name, words, about) {
  return change("POST", lawsOf(name, "/draft"), { words, about });
}

/** @param {string} name @param {{patch: string, say: string, at: string, force: boolean}} law @returns {Promise<any>} */
export function enactLaw(name, law) {
  return change("POST", lawsOf(name), law);
}

/** Tries a law; `told` gets each line of the answer as soon as it is there. @param {string} name @param {string} patch @param {(line: any) => void} told */
export async function tryLaw(name, patch, told) {
  const path = lawsOf(name, "/trial");
  const init = { method: "POST", body: JSON.stringify({ patch }), headers: JSON_BODY };
  const reply = await signedIn(() => fetch(path, init).catch(unreachable));
  if (!reply.ok || !reply.body) throw new Refused((await reply.json().catch(() => ({}))).error || `${reply.status} ${path}`, reply.status);
  const reader = reply.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    const lines = (rest + part.value).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) told(JSON.parse(line));
  }
}

/** @param {string} name @param {string} [below] */
function lawsOf(name, below = "") {
  return inPageLanguage(`${addressOf(name)}/laws${below}`);
}

/**
 * Sends a request; where nobody is signed in, the user may sign in without leaving the page, and it is sent again.
 * @param {() => Promise<Response>} send @returns {Promise<Response>}
 */
async function signedIn(send) {
  const reply = await send();
  if (reply.status !== 401) return reply;
  const secret = globalThis.prompt(t("You are not signed in any more. Enter the password, or the token from the address that the terminal printed:"));
  if (!secret) return reply;
  const answer = await fetch("sign-in", { method: "POST", body: new URLSearchParams({ secret, next: "/frontend/icon.svg" }) }).catch(unreachable);
  return answer.ok ? send() : reply;
}

/**
 * Asks for a change, which names the `version` of what it changes, where that has one.
 * @param {string} method @param {string} path @param {any} [body] @param {string} [version] @returns {Promise<any>}
 */
export function change(method, path, body = {}, version = "") {
  const headers = version ? { ...JSON_BODY, "If-Match": version } : JSON_BODY;
  return json(path, { method, body: JSON.stringify(body), headers });
}

/** @typedef {{look: Record<string, any>, choices: Record<string, string[]>}} Looks */

/** A look for a resident with a pronoun, or for a visitor of a run, and all values of its parts. @param {string} who @param {string} pronoun @param {string} [name] of the run @returns {Promise<Looks>} */
export function look(who, pronoun, name = "") {
  return json(`${API}/looks?${new URLSearchParams({ who, pronoun, name })}`);
}

/** The address of a picture of a look. @param {"portrait" | "figure"} kind @param {any} given @param {string} [name] of the run that is visited */
export function lookPicture(kind, given, name = "") {
  return `${API}/looks/${kind}?${new URLSearchParams({ look: JSON.stringify(given), name })}`;
}

/** The link by which others visit a run. @param {string} name @returns {Promise<{address: string, code: string, is_reachable: boolean}>} */
export function makeVisitLink(name) {
  return change("POST", inPageLanguage(`${addressOf(name)}/visits/link`));
}

/** Enters a run as a visitor. @param {string} name @param {{called: string, look: any, pass: string}} asked @returns {Promise<{who: string, pass: string}>} */
export function enterTown(name, asked) {
  return change("POST", inPageLanguage(`${addressOf(name)}/visits`), asked);
}

/** Lets a visitor walk, say, give or leave, also while the page is being closed. @param {string} name @param {string} who @param {Record<string, any>} act @returns {Promise<{number: number}>} */
export function actAsVisitor(name, who, act) {
  return json(inPageLanguage(`${addressOf(name)}/visits/${who}`), { method: "POST", headers: JSON_BODY, body: JSON.stringify(act), keepalive: true });
}

/** What a visitor sees, and what has been said to them since a step; with their pass, it keeps them in town. @param {string} name @param {{who: string, pass: string}} visitor @param {number} since @returns {Promise<import("./exchange.js").VisitorView>} */
export function lookAround(name, { who, pass }, since) {
  return json(`${addressOf(name)}/visits/${who}?since=${since}`, { headers: { "Visitor-Pass": pass } });
}

/** What a new town can be made of. @returns {Promise<any>} */
export function offers() {
  return json(`${API}/offers`);
}

/** Puts a recorded town among the runs. @param {string} recording @returns {Promise<{name: string}>} its run */
export function openRecording(recording) {
  return change("POST", inPageLanguage(`${API}/recordings/${encodeURIComponent(recording)}`));
}

/** Prepares the towns of a lesson, and opens the first of them for the class. @param {string} lesson @param {number} [seed] another one than the lesson's */
export async function openLesson(lesson, seed) {
  const { name } = await change("POST", inPageLanguage(`${API}/lessons/${encodeURIComponent(lesson)}`), { seed });
  location.href = `./?${new URLSearchParams({ name, class: "1", sheet: "1", lang: globalThis.document.documentElement.lang })}`;
}

/** The model of a first hour, as far as there is one. @returns {Promise<any>} */
export function firstHour() {
  return json(inPageLanguage(FIRST_HOUR));
}

/** How far the preparation of a first hour is. @returns {Promise<any>} */
export function firstHourProgress() {
  return json(inPageLanguage(`${FIRST_HOUR}/progress`));
}

/** Fetches a model if need be, and begins the first hour on it. @param {string} llm @returns {Promise<any>} */
export function beginFirstHour(llm) {
  return change("POST", inPageLanguage(FIRST_HOUR), { llm });
}

/** Cancels the fetch of a first hour's model. @returns {Promise<any>} */
export function cancelFirstHour() {
  return change("DELETE", inPageLanguage(FIRST_HOUR));
}

/** Lets a run be lived, or not: "go", "pause", "end" or "branch". @param {string} name @param {string} act @param {any} [body] */
export function control(name, act, body) {
  return change("POST", `${addressOf(name)}/${act}`, body);
}

/** Takes back an intervention that waits. @param {string} name @param {number} number */
export function withdraw(name, number) {
  return change("DELETE", `${addressOf(name)}/interventions/${number}`);
}

/** A run beside another one. @param {string} name @param {string} other @returns {Promise<import("./shapes.js").Beside>} */
export function together(name, other) {
  return json(inPageLanguage(`${addressOf(name)}/beside/${encodeURIComponent(other)}`));
}

/** What the timeline shows of the whole run. @param {string} name @returns {Promise<import("./marks.js").RunMarks>} */
export async function marks(name) {
  const [marks, alerts] = await Promise.all([block(name, "marks"), block(name, "alerts")]);
  return { ...marks, alerts };
}

/** What one resident did. @param {string} name @param {string} resident @returns {Promise<import("./shapes.js").Mark[]>} */
export function marksOf(name, resident) {
  return block(name, `residents/${resident}/marks`);
}

/** Fetches the page's words. @param {string} lang */
export async function words(lang) {
  learn(await json(`frontend/lang/${lang}.json`));
}

/** @param {string} path @returns {Promise<any>} */
export function document(path) {
  return json(path);
}

/**
 * A view of a run (`views.js`) or one of its blocks; what has no value is left out of the query.
 * @param {string} name @param {string} path @param {Record<string, string | number>} [query] @returns {Promise<any>}
 */
export async function ask(name, path, query = {}) {
  const given = Object.entries(query).filter(([, value]) => value !== "");
  try {
    return await noteAfter(view(blocksOf(name), path, new URLSearchParams(given.map(([key, value]) => [key, String(value)]))));
  } catch (error) {
    throw error instanceof Unknown ? new Refused(t(error.text, error.values)) : error;
  }
}

/** What can be found in a run by words. @param {string} name */
export function told(name) {
  return finding.told(blocksOf(name));
}

/** Answers of which only the one asked for last is wanted. */
export class Latest {
  constructor() {
    this.requests = new Requests();
    this.asked = "";
    this.shown = ""; // the answer that was passed on last
  }

  /** Begins anew: what is on its way is not wanted any more, and whatever is asked for next is passed on. */
  forget() {
    this.requests.begin();
    this.asked = this.shown = "";
  }

  /**
   * Asks unless that was what was asked for last, and passes the answer on unless it is the same or something else is wanted by then. What failed can be
   * asked for again after a pause.
   * @param {string} name @param {string} path @param {Record<string, string | number>} query
   * @param {(answer: any) => void} receive @param {(problem: string) => void} failed
   */
  async ask(name, path, query, receive, failed) {
    const asked = JSON.stringify([name, path, query]);
    if (asked === this.asked) return;
    this.asked = asked;
    const isLatest = this.requests.begin();
    try {
      const answer = await ask(name, path, query);
      const shown = JSON.stringify([path, answer]);
      if (!isLatest() || shown === this.shown) return;
      this.shown = shown;
      receive(answer);
    } catch (error) {
      if (!isLatest()) return;
      this.shown = "";
      failed(complaint(error));
      setTimeout(() => isLatest() && this.forget(), AGAIN);
    }
  }
}
