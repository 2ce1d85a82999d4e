/** The director's hand: what it has planted in the town, where, and why. */

import { N_, t } from "../data/i18n.js";
import { make, setHidden } from "../dom.js";
import { moment, person, placeLink } from "./cards.js";
import { Fold } from "./fold.js";

/** @type {Record<string, string>} */
const KINDS = {
  occasion: N_("an occasion"),
  letter: N_("a letter"),
  stranger: N_("a stranger"),
};

/** @typedef {import("./tabs.js").Context} Context */
/** @typedef {import("../data/shapes.js").DirectorMoveView} Move */

/** @extends {Fold<Move>} */
export class DirectorMoves extends Fold {
  constructor() {
    super("director", t("The director's hand"));
  }

  /** Tells only what has been planted by the moment shown; nothing before the first move. @param {Context} context */
  show(context) {
    this.fetch(context);
    const made = this.known.filter(({ tick }) => tick <= context.tick);
    setHidden(this.element, made.length === 0);
    if (!this.element.open || this.element.hidden) return;
    this.draw(String(made.length), () => made.toReversed().map((move) => item(context, move)));
  }
}

/** @param {Context} context @param {Move} move */
function item(context, { tick, kind, address, who, text, why }) {
  const words = make("p", "", text);
  const reason = make("p", "because", why);
  words.lang = reason.lang = context.run.lang;
  const where = who ? person(context, who) : placeLink(context, address);
  return make("li", "card", moment(context, tick), make("span", "stage", t(KINDS[kind])), words, make("p", "row", where), why && reason);
}
