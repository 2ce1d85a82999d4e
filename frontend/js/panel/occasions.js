/** What brings people together: who knows of it and from whom, who has agreed to come, who came, came late, or stayed away and what it did instead. */

import { Latest } from "../data/api.js";
import { t } from "../data/i18n.js";
import { make } from "../dom.js";
import { empty, moment, person, placeLink } from "./cards.js";

/** @typedef {import("./tabs.js").Context} Context */
/** @typedef {import("../data/shapes.js").OccasionView} Occasion */
/** @typedef {import("../data/shapes.js").Invited} Invited */

export class Occasions {
  constructor() {
    this.list = make("ul", "occasions");
    this.element = /** @type {HTMLDetailsElement} */ (make("details", "", make("summary", "", t("occasions")), this.list));
    this.element.id = "occasions";
    this.answers = new Latest();
    /** @type {Occasion[]} */
    this.known = [];
    this.shown = "";
  }

  /** Tells only what has happened by the moment shown. @param {Context} context */
  show(context) {
    if (!this.element.open) return;
    const failed = (/** @type {string} */ problem) => this.list.replaceChildren(empty(problem));
    this.answers.ask(context.run.name, "occasions", { steps: context.frames.steps }, (known) => ((this.known = known), (this.shown = "")), failed);
    const heard = this.known.filter((occasion) => occasion.guests.some(({ tick }) => tick <= context.tick));
    const state = JSON.stringify(
      heard.map(({ tick, end, guests }) => [
        tick,
        end <= context.tick,
        guests.map((guest) => [guest.tick <= context.tick, (guest.came ?? Infinity) <= context.tick]),
      ]),
    );
    if (state === this.shown) return;
    this.shown = state;
    this.list.replaceChildren(...(heard.length ? heard.map((occasion) => item(context, occasion)) : [empty(t("occasions_none"))]));
  }
}

/** @param {Context} context @param {Occasion} occasion */
function item(context, { what, address, tick, end, guests, away }) {
  const known = guests.filter((guest) => guest.tick <= context.tick);
  const there = known.filter(({ came }) => came !== null && came <= context.tick);
  const waiting = known.filter((guest) => !there.includes(guest));
  const over = end <= context.tick;
  const words = make("b", "", what);
  words.lang = context.run.lang;
  const rows = [
    row(
      context,
      "occasion_gives",
      known.filter(({ part }) => part === "gives"),
    ),
    row(
      context,
      "occasion_came",
      there.filter(({ late, part }) => !late && part !== "gives"),
    ),
    row(
      context,
      "occasion_late",
      there.filter(({ late }) => late),
    ),
    !over &&
      row(
        context,
        "occasion_comes",
        waiting.filter(({ part }) => part === "comes"),
      ),
    row(
      context,
      "occasion_asked",
      waiting.filter(({ part }) => part === "asked"),
    ),
    row(
      context,
      "occasion_told",
      waiting.filter(({ part }) => part === "told"),
    ),
    ...(over ? away.map(({ who, doing }) => absent(context, who, doing)) : []),
  ];
  return make("li", "card", words, make("p", "where", moment(context, tick), " ", placeLink(context, address)), ...rows);
}

/** @param {Context} context @param {string} key @param {Invited[]} guests */
function row(context, key, guests) {
  return guests.length > 0 && make("p", "row", make("span", "", t(key)), ...guests.map(({ who }) => person(context, who)));
}

/** @param {Context} context @param {string} who @param {string} doing */
function absent(context, who, doing) {
  const instead = make("span", "", doing);
  instead.lang = context.run.lang;
  return make("p", "row", make("span", "", t("occasion_away")), person(context, who), instead);
}
