/** Why somebody does something, in words: the chain from its habits to the deed, each link of which leads to its moment. */

import { hhmm } from "../data/gametime.js";
import { N_, P_, t } from "../data/i18n.js";
import { button, make } from "../dom.js";
import { written } from "../data/words.js";
import { moment, person, placeLink } from "./cards.js";
import { emblem } from "./emblem.js";
import { habitMark } from "./habit.js";

/** @typedef {import("./tabs.js").Context} Context */
/** @typedef {import("../data/chain.js").Chain} Chain */

/** @param {Context} context @param {string} who @param {number} tick when it began @param {{text: string, address?: string}} what @param {Chain | undefined} chain */
export function chainSection(context, who, tick, what, chain) {
  if (!chain) return null;
  const { habit, habits, made, entry, task } = chain;
  const own = (/** @type {string} */ text) => written(context.run, "span", "words", text);
  const plan = () => context.tabs.why({ resident: who, step: made ?? 0, plan: 1 });
  const thing = context.run.things[what.address ?? ""]?.name;
  const links = [
    habit && link(P_("habit", "Usual day"), own(habit)),
    made !== null && link(N_("Plan"), moment(context, Math.max(0, made - 1) * context.run.ticks), button("link", plan, t("How this plan was made"))),
    entry &&
      link(
        N_("Hour"),
        make("span", "time", `${hhmm(entry.start)}–${hhmm(entry.end)}`),
        own(entry.activity),
        habitMark(habits, entry.activity),
        agreed(context, entry),
      ),
    task && task.activity !== entry?.activity && link(N_("Task"), make("span", "time", hhmm(task.start)), own(task.activity), habitMark(habits, task.activity)),
    what.address && link(N_("Place"), placeLink(context, what.address), thing ? own(thing) : null),
    link(N_("Deed"), moment(context, tick), own(what.text), habitMark(habits, what.text)),
  ];
  return make("section", "chain", make("h3", "", t("How it came about")), make("ol", "", ...links.map((item) => item || null)));
}

/** @param {string} key @param {...import("../dom.js").Child} parts */
function link(key, ...parts) {
  return make("li", "", make("b", "", t(key)), make("div", "", ...parts.flatMap((part) => [part, " "])));
}

/** With whom an hour was agreed, where a conversation has brought it about. @param {Context} context @param {import("../data/shapes.js").ScheduleEntry} entry */
function agreed(context, { changed }) {
  if (!changed) return null;
  const why = button("link", () => context.tabs.why({ conversation: changed.conversation }), t("agreed with"));
  return make("span", "changed", emblem("meeting"), " ", why, " ", ...changed.with.map((who) => person(context, who)), " ", moment(context, changed.tick));
}
