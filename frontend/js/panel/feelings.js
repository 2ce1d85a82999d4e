/** Mood and feelings of a resident, each with what has stirred it. */

import { t } from "../data/i18n.js";
import { make } from "../dom.js";
import { bar, moment, whyButton } from "./cards.js";

/** @typedef {import("./tabs.js").Context} Context */

const MOST = 3; // feelings shown, the strongest
const FULL = 1000;

/** @param {Context} context @param {string} who @param {import("../data/feelings.js").FeelNow} feel @returns {HTMLElement} */
export function feelingsOf(context, who, { mood, pleasure, arousal, dominance, feelings }) {
  const name = make("p", "mood", make("span", "", t("Mood")), make("b", "", mood));
  name.lastElementChild?.setAttribute("lang", context.run.lang);
  name.title = t("Pleasure {pleasure}, arousal {arousal}, dominance {dominance}, each from -100 to 100", { pleasure, arousal, dominance });
  const items = feelings.slice(0, MOST).map((feeling) => {
    const says = make("span", "", feeling.says);
    const why = make("small", "", feeling.why);
    for (const words of [says, why]) words.lang = context.run.lang;
    const strength = bar(feeling.strength / FULL);
    strength.title = t("Strength {strength} of 1000", { strength: feeling.strength });
    const asks = feeling.memory ? whyButton(context, { resident: who, memory: feeling.memory }, feeling.says) : null;
    return make("li", "", says, strength, moment(context, feeling.tick), why, asks);
  });
  return make("div", "feelings", name, items.length ? make("ul", "", ...items) : null);
}
