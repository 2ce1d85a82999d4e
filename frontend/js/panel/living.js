/** A resident's body, work and goods, in a town with a society: drawn rather than written. */

import { P_, nt, t } from "../data/i18n.js";
import { make } from "../dom.js";
import { bar, empty } from "./cards.js";

/** @typedef {import("./tabs.js").Context} Context */
/** @typedef {import("../data/stores.js").LivingNow} LivingNow */
/** @typedef {import("../data/shapes.js").Holding} Holding */

const FULL = 1000;

/** The level of each need, with what it does by itself and what meets it. @param {Context} context @param {LivingNow} living */
export function needsOf(context, { needs, bodily }) {
  if (!bodily) return null;
  const rows = needs.map((need, at) => {
    const level = bodily.levels[at];
    const rate = bodily.asleep ? need.asleep : need.awake;
    const state = level < need.urgent ? "urgent" : level < need.low ? "low" : "";
    const name = make("span", "name", need.name);
    name.lang = context.run.lang;
    const hourly = make("small", "", t("{rate}/h", { rate: signed(rate) }));
    const item = make("li", state, name, meter(level / FULL, state), hourly, make("span", "unseen", explained(need, level, rate)));
    item.title = explained(need, level, rate);
    return item;
  });
  return make("ul", "needs", ...rows);
}

/** @param {import("../data/shapes.js").Need} need @param {number} level @param {number} rate */
function explained(need, level, rate) {
  const { name, met_by: ways, drains } = need;
  const parts = [t("{name}: {level} of 1000, {rate} an hour.", { name, level, rate: signed(rate) })];
  if (ways.length) parts.push(t("Met by {ways}.", { ways: ways.join(t(", ")) }));
  for (const [what, by] of drains) parts.push(t("At 0, {what} changes by {rate} an hour.", { what, rate: signed(by) }));
  return parts.join(" ");
}

/** What somebody is at work on, or what goes on by itself, and how far it is. @param {Pick<Context, "time" | "tick" | "run">} context @param {import("../data/shapes.js").Work | null} work */
export function progressOf({ time, tick, run }, work) {
  if (!work) return null;
  const words = make("span", "words", work.text);
  words.lang = run.lang;
  const share = (tick - work.begun) / Math.max(1, work.due - work.begun);
  return make("p", "progress", words, meter(share), make("small", "", t("until {time}", { time: time.stamp(work.due, tick) })));
}

/** Bag, purse and skills. @param {Context} context @param {import("../data/views.js").ResidentNow} resident @returns {HTMLElement} */
export function goodsSection(context, { living }) {
  if (!living) return empty(t("There are no goods in this town."));
  const { bag, coins, house, skills } = living;
  const purse = make("p", "purse", make("b", "", `🪙 ${coins}`), " ", make("span", "", t("coins of {house}", { house })));
  const able = skills
    .toSorted((one, other) => other[1] - one[1])
    .map(([name, level]) => {
      const skill = make("li", "", make("span", "name", name), meter(level / FULL), make("small", "", String(level)));
      skill.lang = context.run.lang;
      return skill;
    });
  return make(
    "div",
    "goods-section",
    make("h3", "", t("In the bag")),
    bag.length ? goodsList(context, bag) : make("p", "hint", t(P_("of a bag", "Nothing."))),
    make("h3", "", t("In the purse")),
    purse,
    able.length ? make("h3", "", t("Skills")) : null,
    able.length ? make("ul", "needs", ...able) : null,
  );
}

/** Goods as tokens; how far an item is worn is a bar below it. @param {Pick<Context, "run">} context @param {Holding[]} goods */
export function goodsList({ run }, goods) {
  const tokens = goods.map(({ name, count, worn, wears, inside }) => {
    const token = make("li", "", make("span", "name", name), count > 1 ? make("b", "", `×${count}`) : null);
    token.lang = run.lang;
    if (inside.length) token.append(make("small", "", inside.map(([each, number]) => `${each} ×${number}`).join(t(", "))));
    if (wears) {
      const left = meter(1 - worn / wears, worn + 1 >= wears ? "urgent" : "");
      left.title = nt("Used {count} time; breaks after {wears}", "Used {count} times; breaks after {wears}", worn, { wears });
      token.append(left);
    }
    return token;
  });
  return make("ul", "goods", ...tokens);
}

/** @param {number} share @param {string} [state] */
function meter(share, state = "") {
  return bar(share, `meter ${state}`);
}

/** With a minus that is as wide as a plus. @param {number} number */
function signed(number) {
  return number > 0 ? `+${number}` : number < 0 ? `−${-number}` : "±0";
}
