/** What the world editor has proposed: the change, its reason, and how copies of the town fared with it and without. */

import { t } from "../data/i18n.js";
import { make, setHidden } from "../dom.js";
import { moment } from "./cards.js";
import { Fold } from "./fold.js";

/** @typedef {import("./tabs.js").Context} Context */
/** @typedef {import("../data/shapes.js").WorldEditView} Edit */

/** @extends {Fold<Edit>} */
export class WorldEdits extends Fold {
  constructor() {
    super("edits", t("Proposed changes"));
  }

  /** Tells only what has been proposed by the moment shown; nothing before the first proposal. @param {Context} context */
  show(context) {
    this.fetch(context);
    const made = this.known.filter(({ tick }) => tick <= context.tick);
    setHidden(this.element, made.length === 0);
    if (!this.element.open || this.element.hidden) return;
    this.draw(String(made.length), () => made.toReversed().map((edit) => item(context, edit)));
  }
}

/** @param {Context} context @param {Edit} edit */
function item(context, { tick, why, patch, changes, harms, pairs, entered }) {
  const reason = make("p", "because", why);
  reason.lang = context.run.lang;
  const state = entered ? t("entered") : harms.length ? t("does harm") : t("not entered");
  return make(
    "li",
    "card",
    moment(context, tick),
    make("span", "stage", state),
    why && reason,
    lines(changes),
    lines(harms),
    pairs.length > 0 &&
      make(
        "p",
        "row",
        t("The lowest need, on average, with the change and without: {pairs}", {
          pairs: pairs.map(([changed, unchanged]) => `${percent(changed)} / ${percent(unchanged)}`).join(", "),
        }),
      ),
    make("details", "law-json", make("summary", "", t("As JSON")), make("code", "", patch)),
  );
}

/** @param {string[]} texts */
function lines(texts) {
  return texts.length > 0 && make("ul", "law-found", ...texts.map((text) => make("li", "", text)));
}

/** @param {number} points of 1000 */
function percent(points) {
  return `${Math.round(points / 10)} %`;
}
