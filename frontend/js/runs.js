/** The list of runs, which is kept as they are, sorted and sifted; renames and deletes them after confirmation, and puts back what was deleted. */

import * as api from "./data/api.js";
import { complaint, t } from "./data/i18n.js";
import { button, byId, make, setText } from "./dom.js";
import { offerFirstHour } from "./first_hour.js";
import { openNewTown } from "./new_town.js";
import { readSearch, sift } from "./sift.js";
import { showStories } from "./stories.js";

const AGAIN = 4000; // milliseconds between two looks at the runs

let chosen = "";
let shown = document.querySelector("main")?.cloneNode(true); // as the server has written it

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
    dialog(act).close();
    await keepUp();
  } catch (error) {
    setText(dialog(act).querySelector(".failure"), complaint(error));
  }
}

/** Takes over what the list has become: new runs, and how far others have come. What is being done keeps its place. */
async function keepUp() {
  if (document.hidden) return;
  const reply = await fetch(location.href);
  const [now, next] = [document, new DOMParser().parseFromString(await reply.text(), "text/html")].map((page) => page.querySelector("main"));
  if (!reply.ok || !now || !next || next.isEqualNode(shown ?? null)) return;
  shown = next.cloneNode(true);
  const focused = /** @type {HTMLElement | null} */ (document.activeElement?.closest("main [data-act], main a"));
  const again = focused && [`[data-run="${CSS.escape(runOf(focused))}"]`, focused.dataset.act ? `[data-act=${focused.dataset.act}]` : "a"].join(" ");
  now.replaceWith(next);
  sift(next, sieve());
  watchPictures();
  if (again) /** @type {HTMLElement | null} */ (next.querySelector(again))?.focus();
}

/** What is looked for, and in which order. */
function sieve() {
  const given = new FormData(byId("sift"));
  return { query: String(given.get("query")), by: String(given.get("by")) };
}

/** Offers to put back what was deleted. @param {string} name */
function offerUndo(name) {
  const failure = make("span", "failure");
  const back = async () => {
    try {
      await api.change("POST", `${api.addressOf(name)}/back`, {});
      byId("undo").replaceChildren();
      await keepUp();
    } catch (error) {
      setText(failure, complaint(error));
    }
  };
  byId("undo").replaceChildren(make("p", "", t("“{name}” is deleted.", { name }), button("", back, t("Undo")), failure));
}

/** @param {Element} element @returns {string} the run to whose card it belongs */
function runOf(element) {
  return /** @type {HTMLElement | null} */ (element.closest("[data-run]"))?.dataset.run ?? "";
}

/** A picture that cannot be had leaves its room empty. */
function watchPictures() {
  for (const image of document.querySelectorAll("img.picture")) image.addEventListener("error", () => image.classList.add("none"));
}

document.addEventListener("click", (event) => {
  const target = /** @type {HTMLElement} */ (event.target);
  const act = target.closest("button")?.dataset.act;
  const name = runOf(target);
  if (act === "new-town") void openNewTown();
  else if (act === "lesson") void beginLesson(/** @type {HTMLButtonElement} */ (target.closest("button")));
  else if (act === "go" || act === "pause") void control(act, target, name);
  else if (act && name) open(act, name);
  if (target.closest(".close")) target.closest("dialog")?.close();
});

/** Prepares the town of a lesson and opens it for the class. @param {HTMLButtonElement} element of the lesson's card */
async function beginLesson(element) {
  element.disabled = true;
  try {
    const { name } = await api.beginLesson(element.dataset.lesson ?? "");
    location.href = `./?${new URLSearchParams({ name, class: "1", lang: document.documentElement.lang })}`;
  } catch (error) {
    element.disabled = false;
    setText(/** @type {HTMLElement} */ (element.closest(".card")?.querySelector(".failure")), complaint(error));
  }
}

/** Lets a run be lived, or rest. @param {"go" | "pause"} act @param {HTMLElement} button of its card @param {string} name */
async function control(act, button, name) {
  /** @type {HTMLButtonElement} */ (button).disabled = true;
  try {
    await api.control(name, act);
    await keepUp();
  } catch (error) {
    /** @type {HTMLButtonElement} */ (button).disabled = false;
    setText(/** @type {HTMLElement} */ (button.closest(".card")?.querySelector(".failure")), complaint(error));
  }
}

dialog("rename").addEventListener("submit", (/** @type {SubmitEvent} */ event) => {
  event.preventDefault();
  const name = dialog("rename").querySelector("input").value.trim();
  carryOut("rename", () => api.change("POST", `${api.addressOf(chosen)}/name`, { name }));
});

dialog("remove").addEventListener("submit", (/** @type {SubmitEvent} */ event) => {
  event.preventDefault();
  const name = chosen;
  carryOut("remove", async () => {
    await api.change("DELETE", api.addressOf(name), {});
    offerUndo(name);
  });
});

byId("sift").addEventListener("submit", (/** @type {SubmitEvent} */ event) => {
  const isComplete = !document.querySelector(".pages") && !readSearch(byId("sift"));
  if (isComplete) event.preventDefault(); // else the server looks for the words among all names
});
byId("sift").addEventListener("input", () => sift(/** @type {Element} */ (document.querySelector("main")), sieve()));
sift(/** @type {Element} */ (document.querySelector("main")), sieve());
watchPictures();
api.words(document.documentElement.lang).then(() => {
  setInterval(() => keepUp().catch(() => {}), AGAIN);
  void offerFirstHour();
  void showStories();
});
