/** The first hour, offered where there is no run: a model that is found or fetched, and a town to watch with it. */

import * as api from "./data/api.js";
import { complaint, t } from "./data/i18n.js";
import { button, byId, make } from "./dom.js";

const AGAIN = 700; // milliseconds between two looks at the progress
const SCRIPTED = "scripted";
const GIGABYTE = 1e9;

/** @typedef {{lines: string[], failures: string[], llm: string, bytes: number}} Found */
/** @typedef {{busy: boolean, fetching: boolean, done: number, size: number, name: string, error: string}} Progress */

/** Looks for a model and offers the hour, or goes on with one that is being prepared. */
export async function offerFirstHour() {
  const place = byId("first-hour");
  if (!place) return;
  try {
    if ((await api.firstHourProgress()).busy) return await follow(place);
    await look(place);
  } catch (error) {
    show(place, [], complaint(error), again(place));
  }
}

/** @param {HTMLElement} place @param {string[]} [news] Lines that come first. */
async function look(place, news = []) {
  show(place, [t("Looking for a model on this computer …")], "");
  const { lines, failures, llm, bytes } = /** @type {Found} */ (await api.firstHour());
  const size = (bytes / GIGABYTE).toFixed(1);
  const found = !llm ? [] : [bytes ? t("No model is there yet. {model} fits.", { model: llm }) : t("{model} is there.", { model: llm })];
  const first = bytes ? t("Fetch it ({size} GB) and live the hour", { size }) : t("Live an hour with it");
  const byRules = t("By rules, without a language model");
  const acts = [
    llm && button("primary", () => void begin(place, llm), first),
    button(llm ? "" : "primary", () => void begin(place, SCRIPTED), byRules),
    !llm && button("", () => void offerFirstHour(), t("Look again")),
  ];
  const [memory, searched] = lines;
  show(place, [...news, memory, ...(llm ? found : [searched])], failures.join("\n"), ...acts);
}

/** @param {HTMLElement} place @param {string} llm */
async function begin(place, llm) {
  try {
    await api.beginFirstHour(llm);
    await follow(place);
  } catch (error) {
    show(place, [], complaint(error), again(place));
  }
}

/** Shows how far the preparation is, with a button that cancels the fetch, and opens the hour once it has begun. @param {HTMLElement} place */
async function follow(place) {
  const bar = /** @type {HTMLProgressElement} */ (make("progress"));
  const label = make("span");
  const cancel = button("", () => void cancelFetch(place, cancel), t("Cancel"));
  show(place, [], "", bar, label, cancel);
  for (;;) {
    const { busy, fetching, done, size, name, error } = /** @type {Progress} */ (await api.firstHourProgress());
    if (name) {
      location.href = `./?name=${encodeURIComponent(name)}&lang=${document.documentElement.lang}`;
      return;
    }
    if (!busy && error) return show(place, [], error, again(place));
    if (!busy) return look(place, [t("The fetch was cancelled. What has arrived is kept, and the next fetch continues it.")]);
    bar.hidden = cancel.hidden = !fetching;
    if (size) Object.assign(bar, { max: size, value: done });
    label.textContent = !fetching ? t("The hour is beginning …") : size ? fetched(done, size) : t("The fetch is beginning …");
    await new Promise((resolve) => setTimeout(resolve, AGAIN));
  }
}

/** @param {number} done @param {number} size In bytes. */
function fetched(done, size) {
  const [have, all] = [done, size].map((bytes) => (bytes / GIGABYTE).toFixed(2));
  return t("Fetching: {have} of {all} GB", { have, all });
}

/** @param {HTMLElement} place @param {HTMLButtonElement} cancel */
async function cancelFetch(place, cancel) {
  cancel.disabled = true;
  try {
    await api.cancelFirstHour();
  } catch (error) {
    show(place, [], complaint(error), again(place));
  }
}

/** @param {HTMLElement} place */
const again = (place) => button("primary", () => void look(place).catch((error) => show(place, [], complaint(error), again(place))), t("Look again"));

/**
 * @param {HTMLElement} place
 * @param {string[]} lines
 * @param {string} failure
 * @param {...import("./dom.js").Child} acts
 */
function show(place, lines, failure, ...acts) {
  const failures = failure.split("\n").map((line) => make("p", "problem", line));
  if (failure) for (const line of failures) line.setAttribute("role", "alert");
  const status = /** @type {HTMLElement} */ (place.querySelector("[role=status]"));
  status.replaceChildren(...lines.map((line) => make("p", "", line)), ...(failure ? failures : []), make("div", "acts", ...acts));
}
