/** The mark of activities that come from habits, which were written in advance. */

import { t } from "../data/i18n.js";
import { make } from "../dom.js";

/** The mark of an activity in the words of a habit; null for any other. @param {string[]} habits @param {string} activity */
export function habitMark(habits, activity) {
  if (!habits.includes(activity)) return null;
  const mark = make("span", "from-habit", "↻");
  mark.title = t("↻ from a habit, written in advance");
  mark.setAttribute("role", "img");
  mark.setAttribute("aria-label", mark.title);
  return mark;
}
