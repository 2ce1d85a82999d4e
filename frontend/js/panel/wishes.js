/** The wishes that users have whispered to residents: who has each, how far it has come, and why. */

import { N_, t } from "../data/i18n.js";
import { make, setHidden } from "../dom.js";
import { moment, person } from "./cards.js";
import { Fold } from "./fold.js";

/** @type {Record<string, string>} */
const EVENTS = {
  heard: N_("came to mind"),
  planned: N_("planned"),
  left: N_("not planned"),
  begun: N_("begun"),
  sought: N_("approached"),
  missed: N_("did not meet them"),
  talked: N_("did not come up in a conversation"),
  done: N_("carried out"),
  refused: N_("refused"),
  forgotten: N_("forgotten"),
  overtaken: N_("overtaken by events"),
};

/** @typedef {import("./tabs.js").Context} Context */
/** @typedef {import("../data/shapes.js").WishView} Wish */
/** @typedef {import("../data/shapes.js").WishStepView} Step */

/** @extends {Fold<Wish>} */
export class Wishes extends Fold {
  constructor() {
    super("wishes", t("What became of your wishes"));
  }

  /** Tells only what has happened by the moment shown; nothing before the first wish. @param {Context} context */
  show(context) {
    this.fetch(context);
    const told = this.known.map((wish) => ({ wish, steps: wish.steps.filter(({ tick }) => tick <= context.tick) })).filter(({ steps }) => steps.length > 0);
    setHidden(this.element, told.length === 0);
    if (!this.element.open || this.element.hidden) return;
    const state = told.map(({ wish, steps }) => `${wish.who} ${wish.memory}:${steps.length}`).join();
    this.draw(state, () => told.toReversed().map(({ wish, steps }) => item(context, wish, steps)));
  }
}

/** @param {Context} context @param {Wish} wish @param {Step[]} steps that have happened */
function item(context, { who, text }, steps) {
  const words = make("b", "", text);
  words.lang = context.run.lang;
  const stage = make("span", "stage", t(EVENTS[steps.at(-1)?.event ?? ""] ?? ""));
  return make("li", "card", words, stage, make("p", "row", person(context, who)), make("ol", "moves", ...steps.map((step) => row(context, step))));
}

/** @param {Context} context @param {Step} step */
function row(context, { tick, event, why }) {
  const reason = why && make("p", "because", why);
  if (reason) reason.lang = context.run.lang;
  return make("li", "", moment(context, tick), make("p", "", t(EVENTS[event] ?? event)), reason || "");
}
