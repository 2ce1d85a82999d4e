/** Threads of stories: what has been planted, how it moved on and what moved it, and whether it was paid off or dropped. */

import { N_, P_, t } from "../data/i18n.js";
import { make, setHidden } from "../dom.js";
import { empty, moment, person, talkMoment } from "./cards.js";
import { Fold } from "./fold.js";

/** @type {Record<string, string>} */
const STAGES = {
  planted: N_("planted"),
  active: N_("active"),
  paid_off: N_("paid off"),
  dropped: P_("storyline", "dropped"),
  omen: N_("let happen"),
};

/** @typedef {import("./tabs.js").Context} Context */
/** @typedef {import("../data/shapes.js").StoryThread} StoryThread */
/** @typedef {import("../data/shapes.js").ThreadMove} ThreadMove */

/** @extends {Fold<StoryThread>} */
export class Foreshadowing extends Fold {
  constructor() {
    super("foreshadowing", t("Threads of stories"));
  }

  /** Tells only what has happened by the moment shown; nothing where the world has no threads. @param {Context} context */
  show(context) {
    setHidden(this.element, !context.run.threads);
    if (!this.element.open || this.element.hidden) return;
    this.fetch(context);
    const told = this.known
      .map((thread) => ({ thread, moves: thread.moves.filter(({ tick }) => tick <= context.tick) }))
      .filter(({ moves }) => moves.length > 0)
      .sort((one, other) => (other.moves.at(-1)?.tick ?? 0) - (one.moves.at(-1)?.tick ?? 0));
    const state = told.map(({ thread, moves }) => `${thread.number}:${moves.length}`).join();
    this.draw(state, () => (told.length ? told.map(({ thread, moves }) => item(context, thread, moves)) : [empty(t("Nothing has been planted yet."))]));
  }
}

/** @param {Context} context @param {StoryThread} thread @param {ThreadMove[]} moves that have happened */
function item(context, { title, who }, moves) {
  const name = make("b", "", title);
  name.lang = context.run.lang;
  const stage = make("span", "stage", t(STAGES[moves.at(-1)?.stage ?? ""] ?? ""));
  const people = who.length > 0 && make("p", "row", ...who.map((id) => person(context, id)));
  return make("li", "card", name, stage, people, make("ol", "moves", ...moves.map((move) => row(context, move))));
}

/** @param {Context} context @param {ThreadMove} move */
function row(context, { tick, omen, text, because, talk }) {
  const words = make("p", "", text);
  words.lang = context.run.lang;
  const time = talk ? talkMoment(context, talk) : moment(context, tick);
  const cause = make("p", "because", omen ? t("let happen") : t("because: {what}", { what: because }));
  cause.lang = omen ? document.documentElement.lang : context.run.lang;
  return make("li", "", time, words, cause);
}
