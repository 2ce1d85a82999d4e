/** What brings people together: who knows of it and from whom, who has agreed to come, who came, came late, or stayed away and what it did instead. */

import { N_, t } from "../data/i18n.js";
import { make } from "../dom.js";
import { written } from "../data/words.js";
import { empty, moment, person, placeLink } from "./cards.js";
import { Fold } from "./fold.js";

/** @typedef {import("./tabs.js").Context} Context */
/** @typedef {import("../data/shapes.js").OccasionView} Occasion */
/** @typedef {import("../data/shapes.js").Invited} Invited */

/** @extends {Fold<Occasion>} */
export class Occasions extends Fold {
  constructor() {
    super("occasions", t("What brings people together"));
  }

  /** Tells only what has happened by the moment shown. @param {Context} context */
  show(context) {
    if (!this.element.open) return;
    this.fetch(context);
    const heard = this.known.filter((occasion) => occasion.guests.some(({ tick }) => tick <= context.tick));
    const state = JSON.stringify(
      heard.map(({ tick, end, guests }) => [
        tick,
        end <= context.tick,
        guests.map((guest) => [guest.tick <= context.tick, (guest.came ?? Infinity) <= context.tick]),
      ]),
    );
    this.draw(state, () => (heard.length ? heard.map((occasion) => item(context, occasion)) : [empty(t("Nobody has heard of a gathering yet."))]));
  }
}

/** @param {Context} context @param {Occasion} occasion */
function item(context, { what, address, tick, end, guests, away }) {
  const known = guests.filter((guest) => guest.tick <= context.tick);
  const there = known.filter(({ came }) => came !== null && came <= context.tick);
  const waiting = known.filter((guest) => !there.includes(guest));
  const over = end <= context.tick;
  const words = written(context.run, "b", "", what);
  const rows = [
    row(
      context,
      N_("Gives it:"),
      known.filter(({ part }) => part === "gives"),
    ),
    row(
      context,
      N_("Came:"),
      there.filter(({ late, part }) => !late && part !== "gives"),
    ),
    row(
      context,
      N_("Came late:"),
      there.filter(({ late }) => late),
    ),
    !over &&
      row(
        context,
        N_("Will come:"),
        waiting.filter(({ part }) => part === "comes"),
      ),
    row(
      context,
      N_("Asked:"),
      waiting.filter(({ part }) => part === "asked"),
    ),
    row(
      context,
      N_("Heard of it:"),
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
  return make("p", "row", make("span", "", t("Stayed away:")), person(context, who), instead);
}
