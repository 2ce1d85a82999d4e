/** With whom a resident stands how, and who it is by the world's author. */

import { bar, empty, moment, person, portrait } from "./cards.js";
import { make } from "./dom.js";
import { t } from "./i18n.js";

/** @typedef {import("./tabs.js").Context} Context */

const CLOSEST = 10;

/** @type {Record<string, string>} what is told of a persona, and in which words */
const FACTS = { innate: "fact_innate", learned: "fact_learned", lifestyle: "fact_lifestyle", daily_plan: "fact_daily_plan", home: "fact_home", interests: "fact_interests" };

/** @param {Context} context @param {any} told of the resident @returns {HTMLElement} */
export function relations(context, told) {
  if (!told.relations.length) return empty(t("relations_none"));
  return make("ul", "relations", ...told.relations.map((/** @type {any} */ one) => relation(context, one)));
}

/** @param {Context} context @param {any} one */
function relation(context, one) {
  const closer = one.closeness - one.before;
  const words = t("closeness", { value: one.closeness });
  const scale = make("span", "closeness", bar(one.closeness / CLOSEST), String(one.closeness), closer > 0 ? make("span", "closer", `+${closer}`) : null);
  scale.title = closer > 0 ? `${words}; ${t("closer", { by: closer })}` : words;
  scale.setAttribute("role", "img");
  scale.setAttribute("aria-label", scale.title);
  const kind = one.relation ? make("p", "kind", one.relation) : null;
  const head = make("div", "head", person(context, one.id), scale);
  const told = make("div", "", head, kind, make("p", "talked", one.talks ? t("talked", { count: one.talks }) : t("talked_never")));
  if (kind) kind.lang = context.run.lang;
  if (one.last.length) told.append(make("ul", "last-talks", ...one.last.map((/** @type {any} */ talk) => lastTalk(context, talk))));
  return make("li", "relation", portrait(context, one.id, 40), told);
}

/** @param {Context} context @param {{id: string, tick: number, summary: string}} talk */
function lastTalk(context, talk) {
  const summary = make("span", "", talk.summary);
  summary.lang = context.run.lang;
  return make("li", "", moment(context, talk.tick), summary);
}

/** @param {Context} context @param {any} told of the resident @returns {HTMLElement} */
export function about(context, { persona }) {
  if (!persona) return empty(t("about_none"));
  const list = make("dl", "about");
  list.lang = context.run.lang;
  for (const [key, words] of Object.entries(FACTS)) {
    const value = Array.isArray(persona[key]) ? persona[key].join(" · ") : persona[key];
    const term = make("dt", "", t(words));
    term.lang = document.documentElement.lang;
    if (value) list.append(make("div", "", term, make("dd", "", value)));
  }
  return list;
}
