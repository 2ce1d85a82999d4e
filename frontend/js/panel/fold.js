/** A fold of the panel: a list that is fetched as the run grows and drawn anew where what is to be told has changed. */

import { Latest } from "../data/api.js";
import { make } from "../dom.js";
import { empty } from "./cards.js";

/** @typedef {import("./tabs.js").Context} Context */

/** @template Item what the view gives */
export class Fold {
  /** @param {string} view its name, which is also the element's @param {string} title */
  constructor(view, title) {
    this.view = view;
    this.list = make("ul", view);
    this.element = /** @type {HTMLDetailsElement} */ (make("details", "", make("summary", "", title), this.list));
    this.element.id = view;
    this.answers = new Latest();
    /** @type {Item[]} */
    this.known = [];
    this.shown = "";
  }

  /** Fetches what is known by the newest step. @param {Context} context */
  fetch(context) {
    const failed = (/** @type {string} */ problem) => this.list.replaceChildren(empty(problem));
    this.answers.ask(context.run.name, this.view, { steps: context.frames.steps }, (known) => ((this.known = known), (this.shown = "")), failed);
  }

  /** Draws the list, unless it shows this state already. @param {string} state @param {() => HTMLElement[]} items */
  draw(state, items) {
    if (state === this.shown) return;
    this.shown = state;
    this.list.replaceChildren(...items());
  }
}
