/** A resident's schedule for the day: tasks, what is done, and what a conversation has changed. */

import { hhmm } from "../data/gametime.js";
import { N_, nt, t } from "../data/i18n.js";
import { button, make } from "../dom.js";
import { written } from "../data/words.js";
import { empty, moment, person, placeLink } from "./cards.js";
import { emblem } from "./emblem.js";
import { habitMark } from "./habit.js";

/** @typedef {import("./tabs.js").Context} Context */
/** @typedef {import("../data/shapes.js").ScheduleTask} Task */

/** @type {Record<string, [string, string]>} mark and words of each state of a task */
const STATES = {
  todo: ["○", N_("to do")],
  doing: ["◐", N_("under way")],
  done: ["✓", N_("done")],
  skipped: ["–", N_("skipped")],
  dropped: ["×", N_("dropped")],
};

/** @param {Context} context @param {import("../data/views.js").ResidentNow} resident @returns {HTMLElement} */
export function scheduleSection(context, resident) {
  const { schedule, promises, goals, habits } = resident;
  if (!schedule) return empty(t("No plan has been made yet."));
  const list = make("ol", "schedule");
  for (const entry of schedule.entries) list.append(stretch(context, entry, schedule.minute, habits));
  const made = button("link", () => context.tabs.why({ resident: resident.id, step: schedule.made, plan: 1 }), t("How this plan was made"));
  return make(
    "div",
    "",
    goals.length ? towards(context, goals) : null,
    promises.length ? agreed(context, resident.id, promises) : null,
    list,
    make("p", "after", made),
  );
}

/** @param {Context} context @param {import("../data/shapes.js").ScheduleEntry} entry @param {number} minute since midnight @param {string[]} habits */
function stretch(context, entry, minute, habits) {
  const state = entry.end <= minute ? "past" : entry.start <= minute ? "present" : "future";
  const item = make("li", `stretch ${state} ${entry.kind}`, make("span", "time", hhmm(entry.start)), make("span", "dot"));
  const words = written(context.run, "span", "", entry.activity);
  const activity = make("p", "activity", words, " ", habitMark(habits, entry.activity));
  if (state === "present") item.setAttribute("aria-current", "time");
  const body = make("div", "", activity);
  if (entry.address) body.append(make("p", "where", placeLink(context, entry.address)));
  if (entry.changed) body.append(change(context, entry.changed));
  if (entry.tasks.length > 1 || entry.tasks[0]?.activity !== entry.activity) body.append(tasks(context, entry.tasks, state === "present", habits));
  item.append(body);
  return item;
}

/** @param {Context} context @param {Task[]} list @param {boolean} open @param {string[]} habits */
function tasks(context, list, open, habits) {
  if (!list.length) return "";
  const done = list.filter((task) => task.status === "done").length;
  const details = /** @type {HTMLDetailsElement} */ (
    make("details", "tasks", make("summary", "", nt("{done} of {count} task done", "{done} of {count} tasks done", list.length, { done })))
  );
  details.open = open;
  const items = list.map((task) => {
    const [mark, state] = STATES[task.status];
    const sign = make("span", "mark", mark);
    sign.title = t(state);
    sign.setAttribute("role", "img");
    sign.setAttribute("aria-label", t(state));
    const words = written(context.run, "span", "", task.activity);
    const text = make("span", "", words, " ", habitMark(habits, task.activity));
    return make("li", task.status, sign, make("span", "time", hhmm(task.start)), text);
  });
  details.append(make("ul", "", ...items));
  return details;
}

/** With whom an entry was agreed, and what it replaces. @param {Context} context @param {import("../data/shapes.js").ScheduleChange} changed */
function change(context, changed) {
  const by = make(
    "p",
    "changed",
    emblem("meeting"),
    " ",
    t("agreed with"),
    " ",
    ...changed.with.map((who) => person(context, who)),
    " ",
    moment(context, changed.tick),
  );
  if (!changed.instead.length) return by;
  const before = make("del", "", [...new Set(changed.instead)].join(" · "));
  before.lang = context.run.lang;
  return make("div", "", by, make("p", "instead", t("instead of"), " ", before));
}

/** What somebody works towards over days. @param {Context} context @param {import("../data/shapes.js").GoalView[]} goals */
function towards(context, goals) {
  const items = goals.map(({ what, since, days }) => {
    const words = make("span", "", what);
    words.lang = context.run.lang;
    return make(
      "li",
      "",
      words,
      make(
        "small",
        "",
        nt("since {date}, on the plan of {count} day", "since {date}, on the plan of {count} days", days, { date: context.time.longDate(since) }),
      ),
    );
  });
  return make("section", "card agreed goals", make("h3", "", t("Works towards")), make("ul", "", ...items));
}

/** Appointments that are still to come. @param {Context} context @param {string} who @param {import("../data/shapes.js").Appointment[]} promises */
function agreed(context, who, promises) {
  const items = promises.map((promise) => {
    const others = promise.people.filter((other) => other !== who);
    const what = written(context.run, "span", "", promise.what);
    const place = promise.address ? placeLink(context, promise.address) : null;
    return make("li", "", make("b", "", context.time.stamp(promise.tick, context.tick)), what, place, ...others.map((other) => person(context, other)));
  });
  return make("section", "card agreed", make("h3", "", emblem("meeting"), " ", t("Agreed on")), make("ul", "", ...items));
}
