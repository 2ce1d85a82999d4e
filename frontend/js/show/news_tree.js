/** Who told whom, for a class: the tree of a storyline or of a word, over the town. */

import * as api from "../data/api.js";
import { complaint, t } from "../data/i18n.js";
import { button, make } from "../dom.js";
import { SpreadPlot } from "../plots/spread.js";

/** @typedef {import("./lecture.js").Parts} Parts */

export class NewsTree {
  /** @param {Parts} parts */
  constructor(parts) {
    this.parts = parts;
    this.body = make("div", "insight");
    /** @type {SpreadPlot | null} */
    this.plot = null;
    const close = button("wide", () => this.dialog.close(), t("Close"));
    this.dialog = /** @type {HTMLDialogElement} */ (make("dialog", "", make("h2", "", t("Who told whom")), this.body, close));
    this.dialog.id = "news-tree";
    this.dialog.ariaLabel = t("Who told whom");
    this.dialog.addEventListener("click", ({ target }) => /** @type {Element} */ (target).closest(".knower, .ride") && this.dialog.close());
    this.dialog.addEventListener("close", () => this.plot?.destroy());
    document.body.append(this.dialog);
  }

  async open() {
    this.body.replaceChildren(make("p", "", t("Loading …")));
    this.dialog.showModal();
    try {
      await this.show(await this.mostTold());
    } catch (error) {
      this.body.replaceChildren(make("p", "failure", complaint(error)));
    }
  }

  /** The storyline that most know of, as a topic of the plot; none where there is no storyline. */
  async mostTold() {
    const { name } = this.parts.run;
    const { stories } = await api.ask(name, "spread");
    const counted = async (/** @type {{id: string}} */ { id }) => ({ id, count: (await api.ask(name, "spread", { story: id })).learned.length });
    const [most] = (await Promise.all(stories.map(counted))).sort((one, other) => other.count - one.count);
    return most ? `story=${encodeURIComponent(most.id)}` : "";
  }

  /** @param {string} topic as the plot takes it */
  async show(topic) {
    const { run, frames, tabs } = this.parts;
    const plot = new SpreadPlot(topic, (chosen) => void this.show(chosen));
    const data = await api.ask(run.name, "spread", Object.fromEntries(new URLSearchParams(topic)));
    this.plot?.destroy();
    this.plot = plot;
    const context = tabs.contextAt(frames.end);
    this.body.replaceChildren(plot.element); // in sight before it is filled, since charts are as wide as their place
    plot.fill(data, context);
    plot.show(context);
  }
}
