/** A resident's relations, and its persona as the world's author wrote it. */

import { N_, t } from "../data/i18n.js";
import { make } from "../dom.js";
import { bar, empty, moment, person, portrait } from "./cards.js";
import { opinionOf } from "./opinions.js";

/** @type {Record<string, string>} */
const BONDS = {
  helped: N_("did a great service"),
  talk: N_("had a good talk"),
  made_up: N_("made up again"),
  let_down: N_("was refused or let down"),
  quarrel: N_("quarrelled"),
  waited: N_("waited in vain"),
  apart: N_("had not talked for days"),
};

/** @typedef {import("./tabs.js").Context} Context */
/** @typedef {import("../data/views.js").ResidentNow} ResidentNow */

const CLOSEST = 10;

/** @type {Partial<Record<keyof import("../data/shapes.js").PersonaView, string>>} what is shown of a persona, and in which words */
const FACTS = {
  innate: N_("Character"),
  learned: N_("Life so far"),
  lifestyle: N_("Habits"),
  daily_plan: N_("Usual day"),
  home: N_("Home"),
  interests: N_("Interests"),
};

/** @param {Context} context @param {ResidentNow} resident @returns {HTMLElement} */
export function relationsSection(context, resident) {
  if (!resident.relations.length) return empty(t("Knows nobody yet."));
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
  const words = t("Closeness {value} of 10", { value: relation.closeness });
  const scale = make(
    "span",
    "closeness",
    bar(relation.closeness / CLOSEST),
    String(relation.closeness),
    closer ? make("span", closer > 0 ? "closer" : "closer farther", closer > 0 ? `+${closer}` : `−${-closer}`) : null,
  );
  scale.title = closer
    ? `${words}; ${t(closer > 0 ? N_("{by} closer than at the start") : N_("{by} less close than at the start"), { by: Math.abs(closer) })}`
    : words;
  scale.setAttribute("role", "img");
  scale.setAttribute("aria-label", scale.title);
  const kind = relation.relation ? make("p", "kind", relation.relation) : null;
  const head = make("div", "head", person(context, relation.id), scale);
  const body = make(
    "div",
    "",
    head,
    kind,
    make("p", "talked", relation.conversations ? t("Conversations: {count}", { count: relation.conversations }) : t("No conversations yet")),
  );
  if (kind) kind.lang = context.run.lang;
  if (relation.last.length) body.append(make("ul", "last-conversations", ...relation.last.map((conversation) => lastConversation(context, conversation))));
  if (relation.moved.length) body.append(make("ul", "moved", ...relation.moved.map((move) => movedBy(context, move))));
  if (opinion) body.append(opinion);
  return make("li", "relation", portrait(context, relation.id, 40), body);
}

/** What brought somebody closer, or drove them apart. @param {Context} context @param {import("../data/shapes.js").ClosenessChange} move */
function movedBy(context, move) {
  return make("li", move.by < 0 ? "farther" : "", moment(context, move.tick), make("span", "", `${move.by < 0 ? "↘" : "↗"} ${t(BONDS[move.why])}`));
}

/** @param {Context} context @param {import("../data/shapes.js").LastConversation} conversation */
function lastConversation(context, conversation) {
  const summary = make("span", "", conversation.summary);
  summary.lang = context.run.lang;
  return make("li", "", moment(context, conversation.tick), summary);
}

/** @param {Context} context @param {ResidentNow} resident @returns {HTMLElement} */
export function aboutSection(context, { persona }) {
  if (!persona) return empty(t("Nothing is known: the world’s folder was not found."));
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
