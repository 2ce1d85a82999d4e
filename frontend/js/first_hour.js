/** The first hour, offered where there is no run: a model that is found or fetched, and a town to watch with it. */

import * as api from "./data/api.js";
import { complaint, t } from "./data/i18n.js";
import { button, byId, make } from "./dom.js";

const AGAIN = 700; // milliseconds between two looks at the progress
const SCRIPTED = "scripted";
const GIGABYTE = 1e9;

/** @typedef {{lines: string[], failures: string[], llm: string, bytes: number}} Found */
/** @typedef {{busy: boolean, done: number, size: number, name: string, error: string}} Progress */

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

/** @param {HTMLElement} place */
async function look(place) {
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
  show(place, [memory, ...(llm ? found : [searched])], failures.join("\n"), ...acts);
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

/** Shows how far the preparation is, and opens the hour once it has begun. @param {HTMLElement} place */
async function follow(place) {
  const bar = /** @type {HTMLProgressElement} */ (make("progress"));
  const label = make("span");
  show(place, [], "", bar, label);
  for (;;) {
    const { busy, done, size, name, error } = /** @type {Progress} */ (await api.firstHourProgress());
    if (name) {
      location.href = `/?name=${encodeURIComponent(name)}&lang=${document.documentElement.lang}`;
      return;
    }
    if (!busy) return show(place, [], error, again(place));
    const isFetching = size > 0 && done < size;
    bar.hidden = !isFetching;
    if (isFetching) Object.assign(bar, { max: size, value: done });
    const [have, all] = [done, size].map((bytes) => (bytes / GIGABYTE).toFixed(2));
    label.textContent = isFetching ? t("Fetching: {have} of {all} GB", { have, all }) : t("The hour is beginning …");
    await new Promise((resolve) => setTimeout(resolve, AGAIN));
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
