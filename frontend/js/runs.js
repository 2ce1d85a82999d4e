/** The list of runs, which is kept as they are, sorted and sifted; renames and deletes them after confirmation, and puts back what was deleted. */

import * as api from "./data/api.js";
import { complaint, t } from "./data/i18n.js";
import { button, byId, make, setChildren, setText } from "./dom.js";
import { offerFirstHour } from "./first_hour.js";
import { openNewTown } from "./new_town.js";
import { readSearch, sift } from "./sift.js";
import { showStories } from "./stories.js";

const AGAIN = 4000; // milliseconds between two looks at the runs

let chosen = "";
const main = /** @type {HTMLElement} */ (document.querySelector("main"));
let shown = /** @type {HTMLElement} */ (main.cloneNode(true)); // as the server has written it

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

/** Takes over what the page has become: new runs, and how far others have come. What has not changed and what is being done keep their place. */
async function keepUp() {
  if (document.hidden) return;
  const reply = await fetch(location.href);
  const next = new DOMParser().parseFromString(await reply.text(), "text/html").querySelector("main");
  if (!reply.ok || !next || next.isEqualNode(shown)) return;
  const before = shown;
  shown = /** @type {HTMLElement} */ (next.cloneNode(true));
  const focused = /** @type {HTMLElement | null} */ (document.activeElement?.closest("main [data-act], main a"));
  const again = focused && [`[data-run="${CSS.escape(runOf(focused))}"]`, focused.dataset.act ? `[data-act=${focused.dataset.act}]` : "a"].join(" ");
  setChildren(
    main,
    [...next.children].map((part) => renewPart(/** @type {HTMLElement} */ (part), before)),
  );
  sift(byId("recordings"), sieve());
  if (again && document.activeElement === document.body) /** @type {HTMLElement | null} */ (main.querySelector(again))?.focus();
}

/** A part of the page as it is now: the one that is there, if that has not changed or only its list has. @param {HTMLElement} part @param {HTMLElement} before */
function renewPart(part, before) {
  const [old, there] = [before, main].map((page) => /** @type {HTMLElement | null} */ (page.querySelector(`:scope > #${part.id}`)));
  if (!old || !there || old.isEqualNode(part)) return there ?? part;
  const [was, list, wanted] = [old, there, part].map((one) => one.querySelector(".runs"));
  if (!was || !list || !wanted) return part;
  const [known, live] = [was, list].map((one) => new Map([...one.children].map((item) => [runIn(item), item])));
  setChildren(
    /** @type {HTMLElement} */ (list),
    [...wanted.children].map((item) => (known.get(runIn(item))?.isEqualNode(item) && live.get(runIn(item))) || item),
  );
  for (const item of /** @type {HTMLCollectionOf<HTMLElement>} */ (list.children)) delete item.dataset.at; // the server's order is new
  there.hidden = part.hidden;
  return there;
}

/** @param {Element} item of a list @returns {string | undefined} the run whose card it is */
const runIn = (item) => /** @type {HTMLElement | null} */ (item.querySelector("[data-run]"))?.dataset.run;

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

// A picture that cannot be had leaves its room empty.
document.addEventListener("error", ({ target }) => target instanceof HTMLImageElement && target.matches(".picture") && target.classList.add("none"), true);

document.addEventListener("click", (event) => {
  const target = /** @type {HTMLElement} */ (event.target);
  const act = target.closest("button")?.dataset.act;
  const name = runOf(target);
  if (act === "new-town") void openNewTown();
  else if (act === "watch") void watchRecording(/** @type {HTMLButtonElement} */ (target.closest("button")));
  else if (act === "lesson") void beginLesson(/** @type {HTMLButtonElement} */ (target.closest("button")));
  else if (act === "go" || act === "pause") void control(act, target, name);
  else if (act && name) open(act, name);
  if (target.closest(".close")) target.closest("dialog")?.close();
});

/** Opens a recorded town. @param {HTMLButtonElement} element of its card */
function watchRecording(element) {
  return openFrom(element, async () => {
    const { name } = await api.openRecording(element.dataset.recording ?? "");
    location.href = `./?${new URLSearchParams({ name, lang: document.documentElement.lang })}`;
  });
}

/** Prepares the town of a lesson and opens it for the class. @param {HTMLButtonElement} element of the lesson's card */
function beginLesson(element) {
  return openFrom(element, () => api.openLesson(element.dataset.lesson ?? ""));
}

/** Opens a page from a card, which shows a failure. @param {HTMLButtonElement} element of the card @param {() => Promise<void>} open */
async function openFrom(element, open) {
  element.disabled = true;
  try {
    await open();
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
byId("sift").addEventListener("input", () => sift(byId("recordings"), sieve()));
sift(byId("recordings"), sieve());
api.words(document.documentElement.lang).then(() => {
  setInterval(() => keepUp().catch(() => {}), AGAIN);
  void offerFirstHour();
  void showStories();
});
