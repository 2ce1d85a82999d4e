/** A town whose residents speak another language than the page, and its lesson in the page's. */

import * as api from "../data/api.js";
import { complaint, t } from "../data/i18n.js";
import { button, make, setText } from "../dom.js";

/**
 * Say that residents speak another language; where the town is that of a lesson, offer to begin it anew.
 * @param {import("../data/shapes.js").RunView} run @param {string} lesson its id, or ""
 * @returns {HTMLElement | ""} nothing where both are the same
 */
export function noteLanguage(run, lesson) {
  const { lang } = document.documentElement;
  if (lang === run.lang) return "";
  const names = new Intl.DisplayNames([lang], { type: "language" });
  const note = make("p", "foreign", make("span", "", t("The residents of this town speak {language}.", { language: names.of(run.lang) ?? run.lang })));
  if (lesson && document.body.dataset.mayChange !== undefined) {
    const label = t("Begin the lesson anew in {language}", { language: names.of(lang) ?? lang });
    const anew = button("", () => void begin(lesson, anew), label);
    note.append(" ", anew);
  }
  return note;
}

/** @param {string} lesson @param {HTMLButtonElement} pressed */
async function begin(lesson, pressed) {
  pressed.disabled = true;
  try {
    await api.openLesson(lesson);
  } catch (error) {
    pressed.disabled = false;
    setText(pressed, complaint(error));
  }
}
