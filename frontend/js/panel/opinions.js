/** What a resident thinks of another: regard and trust, each ground with the memory that tells of it, and the impression it has. */

import { t } from "../data/i18n.js";
import { make } from "../dom.js";
import { moment, whyButton } from "./cards.js";

/** @typedef {import("./tabs.js").Context} Context */

const SHOWN = 3; // grounds, the latest

/** @param {Context} context @param {string} who @param {import("../data/shapes.js").Opinion | undefined} opinion @returns {HTMLElement | null} */
export function opinionOf(context, who, opinion) {
  if (!opinion || !(opinion.grounds.length || opinion.impression)) return null;
  const points = make("p", "points", t("Regard {regard}, trust {trust}", { regard: signed(opinion.regard), trust: signed(opinion.trust) }));
  points.title = t("How well this resident thinks of the other, and how far it relies on them, each from −100 to 100. Both fade where nothing more happens.");
  const grounds = opinion.grounds.slice(0, SHOWN).map((ground) => {
    const why = make("span", "", `${ground.regard + ground.trust < 0 ? "↘" : "↗"} ${ground.why}`);
    why.lang = context.run.lang;
    return make("li", "", moment(context, ground.tick), why, ground.memory ? whyButton(context, { resident: who, memory: ground.memory }, ground.why) : null);
  });
  return make("div", "opinion", points, grounds.length ? make("ul", "moved", ...grounds) : null, impressionOf(context, who, opinion));
}

/** @param {Context} context @param {string} who @param {import("../data/shapes.js").Opinion} opinion */
function impressionOf(context, who, { impression, evidence }) {
  if (!impression) return null;
  const words = make("q", "", impression);
  words.lang = context.run.lang;
  const asks = evidence.map((memory, at) => {
    const number = evidence.length > 1 ? ` ${at + 1}` : "";
    const ask = whyButton(context, { resident: who, memory }, impression);
    ask.append(number);
    ask.setAttribute("aria-label", `${t("Why?")}${number} ${impression}`);
    return ask;
  });
  return make("p", "impression", make("span", "", t("Impression: ")), words, ...asks);
}

/** @param {number} points */
function signed(points) {
  return points > 0 ? `+${points}` : points < 0 ? `−${-points}` : "0";
}
