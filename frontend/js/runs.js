/** The list of runs: renames and deletes them after confirmation, and updates those that are running. */

import * as api from "./data/api.js";
import { load, t } from "./data/i18n.js";
import { setText } from "./dom.js";

const AGAIN = 4000; // milliseconds between two looks at runs that go on

let chosen = "";

/** @param {string} act @returns {any} */
const dialog = (act) => document.getElementById(act);

/** @param {string} act @param {string} name */
function open(act, name) {
  chosen = name;
  const element = dialog(act);
  setText(element.querySelector(".failure"), "");
  const field = element.querySelector("input");
  if (field) field.value = name;
  else setText(element.querySelector(".which"), name);
  element.showModal();
  field?.select();
}

/** @param {string} act @param {() => Promise<any>} change */
async function carryOut(act, change) {
  try {
    await change();
    location.reload();
  } catch (error) {
    setText(dialog(act).querySelector(".failure"), /** @type {Error} */ (error).message);
  }
}

/** Steps lived of runs that go on; the page is loaded anew when one has ended. */
async function keepUp() {
  const running = [...document.querySelectorAll(".card:has(.state.running)")];
  if (!running.length) return;
  const runs = new Map((await api.document(`${api.API}/runs`)).map((/** @type {any} */ run) => [run.name, run]));
  for (const card of running) {
    const run = runs.get(/** @type {HTMLElement} */ (card).dataset.run);
    if (!run || run.state !== "running") return location.reload();
    /** @type {HTMLProgressElement} */ (card.querySelector("progress")).value = run.steps;
    setText(/** @type {HTMLElement} */ (card.querySelector(".steps")), t("steps_of", { done: run.steps, planned: run.planned }));
  }
}

document.addEventListener("click", (event) => {
  const target = /** @type {HTMLElement} */ (event.target);
  const act = target.closest("button")?.dataset.act;
  const name = /** @type {HTMLElement | null} */ (target.closest("[data-run]"))?.dataset.run;
  if (act && name) open(act, name);
  if (target.closest(".close")) target.closest("dialog")?.close();
});

dialog("rename").addEventListener("submit", (/** @type {SubmitEvent} */ event) => {
  event.preventDefault();
  const name = dialog("rename").querySelector("input").value.trim();
  carryOut("rename", () => api.change("POST", `${api.addressOf(chosen)}/name`, { name }));
});

dialog("remove").addEventListener("submit", (/** @type {SubmitEvent} */ event) => {
  event.preventDefault();
  carryOut("remove", () => api.change("DELETE", api.addressOf(chosen), {}));
});

for (const image of document.querySelectorAll("img.picture")) image.addEventListener("error", () => image.classList.add("none"));

load(document.documentElement.lang).then(() => setInterval(() => keepUp().catch(() => {}), AGAIN));
