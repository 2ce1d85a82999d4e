/** The moments that mattered, the weightiest first, each of which leads to its time and place. Fetched when they are first to be seen. */

import { Latest } from "../data/api.js";
import { t } from "../data/i18n.js";
import { button, byId, make } from "../dom.js";
import { written } from "../data/words.js";
import { empty, portrait } from "./cards.js";
import { emblem } from "./emblem.js";

const SIGNS = { conversation: "talk", reflection: "thought", gathering: "party" };
const FACES = 3; // portraits beside a moment

/** @typedef {import("./tabs.js").Context} Context */
/** @typedef {import("../data/shapes.js").Highlight} Highlight */

export class Highlights {
  constructor() {
    this.element = /** @type {HTMLDetailsElement} */ (byId("highlights"));
    this.list = /** @type {HTMLElement} */ (this.element.querySelector("ol"));
    this.answers = new Latest();
    /** @type {Highlight[]} */
    this.moments = [];
  }

  /** @param {Context} context */
  show(context) {
    if (!this.element.open) return;
    const failed = (/** @type {string} */ problem) => this.list.replaceChildren(empty(problem));
    this.answers.ask(context.run.name, "highlights", { steps: context.frames.steps }, (moments) => this.fill(context, moments), failed);
    [...this.list.children].forEach((item, at) => item.classList.toggle("later", (this.moments[at]?.tick ?? 0) > context.tick));
  }

  /** @param {Context} context @param {Highlight[]} moments */
  fill(context, moments) {
    this.moments = moments = moments.toSorted((one, other) => other.weight - one.weight);
    const items = moments.map((moment) => {
      const text = written(context.run, "span", "words", moment.text);
      const faces = make("span", "faces", ...moment.who.slice(0, FACES).map((who) => portrait(context, who, 28)));
      const time = make("time", "", emblem(SIGNS[moment.kind]), " ", context.time.stamp(moment.tick));
      return make(
        "li",
        "",
        button("highlight", () => go(context, moment), faces, make("span", "", time, text)),
      );
    });
    this.list.replaceChildren(...(items.length ? items : [empty(t("Nothing has stood out yet."))]));
  }
}

/** Goes to a moment, in time and place. @param {Context} context @param {Highlight} moment */
function go({ navigation }, { tick, kind, who, address, conversation }) {
  if (conversation) return navigation.hear({ id: conversation, people: who, tick });
  navigation.seek(tick);
  if (kind === "gathering") navigation.visit(address);
  else navigation.show(who[0]);
}
