/** A resident's relations, and its persona as the world's author wrote it. */

import { t } from "../data/i18n.js";
import { make } from "../dom.js";
import { bar, empty, moment, person, portrait } from "./cards.js";
import { opinionOf } from "./opinions.js";

/** @typedef {import("./tabs.js").Context} Context */
/** @typedef {import("../data/views.js").ResidentNow} ResidentNow */

const CLOSEST = 10;

/** @type {Partial<Record<keyof import("../data/shapes.js").PersonaView, string>>} what is shown of a persona, and in which words */
const FACTS = {
  innate: "fact_innate",
  learned: "fact_learned",
  lifestyle: "fact_lifestyle",
  daily_plan: "fact_daily_plan",
  home: "fact_home",
  interests: "fact_interests",
};

/** @param {Context} context @param {ResidentNow} resident @returns {HTMLElement} */
export function relationsSection(context, resident) {
  if (!resident.relations.length) return empty(t("relations_none"));
  const opinions = new Map(resident.opinions.map((opinion) => [opinion.id, opinion]));
  return make(
    "ul",
    "relations",
    ...resident.relations.map((relation) => relationItem(context, relation, opinionOf(context, resident.id, opinions.get(relation.id)))),
  );
}

/** @param {Context} context @param {import("../data/shapes.js").Acquaintance} relation @param {HTMLElement | null} opinion */
function relationItem(context, relation, opinion) {
  const closer = relation.closeness - relation.before;
  const words = t("closeness", { value: relation.closeness });
  const scale = make(
    "span",
    "closeness",
    bar(relation.closeness / CLOSEST),
    String(relation.closeness),
    closer ? make("span", closer > 0 ? "closer" : "closer farther", closer > 0 ? `+${closer}` : `−${-closer}`) : null,
  );
  scale.title = closer ? `${words}; ${t(closer > 0 ? "closer" : "farther", { by: Math.abs(closer) })}` : words;
  scale.setAttribute("role", "img");
  scale.setAttribute("aria-label", scale.title);
  const kind = relation.relation ? make("p", "kind", relation.relation) : null;
  const head = make("div", "head", person(context, relation.id), scale);
  const body = make("div", "", head, kind, make("p", "talked", relation.conversations ? t("talked", { count: relation.conversations }) : t("talked_never")));
  if (kind) kind.lang = context.run.lang;
  if (relation.last.length) body.append(make("ul", "last-conversations", ...relation.last.map((conversation) => lastConversation(context, conversation))));
  if (relation.moved.length) body.append(make("ul", "moved", ...relation.moved.map((move) => movedBy(context, move))));
  if (opinion) body.append(opinion);
  return make("li", "relation", portrait(context, relation.id, 40), body);
}

/** What brought somebody closer, or drove them apart. @param {Context} context @param {import("../data/shapes.js").ClosenessChange} move */
function movedBy(context, move) {
  return make("li", move.by < 0 ? "farther" : "", moment(context, move.tick), make("span", "", `${move.by < 0 ? "↘" : "↗"} ${t(`bond_${move.why}`)}`));
}

/** @param {Context} context @param {import("../data/shapes.js").LastConversation} conversation */
function lastConversation(context, conversation) {
  const summary = make("span", "", conversation.summary);
  summary.lang = context.run.lang;
  return make("li", "", moment(context, conversation.tick), summary);
}

/** @param {Context} context @param {ResidentNow} resident @returns {HTMLElement} */
export function aboutSection(context, { persona }) {
  if (!persona) return empty(t("about_none"));
  const list = make("dl", "about");
  list.lang = context.run.lang;
  for (const [key, words] of Object.entries(FACTS)) {
    const fact = persona[/** @type {keyof typeof persona} */ (key)];
    const value = Array.isArray(fact) ? fact.join(" · ") : String(fact);
    const term = make("dt", "", t(words));
    term.lang = document.documentElement.lang;
    if (value) list.append(make("div", "", term, make("dd", "", value)));
  }
  return list;
}
