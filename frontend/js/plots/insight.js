/** The tab of plots: one at a time, over the whole run, with the moment shown marked in it. */

import * as api from "../data/api.js";
import { complaint, t } from "../data/i18n.js";
import { button, make, setText } from "../dom.js";
import { CallsPlot } from "./calls.js";
import { EconomyPlot } from "./economy.js";
import { NetworkPlot } from "./network.js";
import { PlacesPlot } from "./places.js";
import { PoignancyPlot } from "./poignancy.js";
import { ProcessesPlot } from "./processes.js";
import { RepetitionPlot } from "./repetition.js";
import { SpreadPlot } from "./spread.js";

const AGAIN = 10_000; // milliseconds between two looks at a run that goes on

/** @typedef {import("../panel/tabs.js").Context} Context */

/**
 * A plot: `query` is what its data is asked for with (after `insight/`), `fill` draws the data, `show` follows the moment.
 * @typedef {{element: HTMLElement, query: () => string, fill: (data: any, context: Context) => void, show: (context: Context) => void, destroy: () => void}} Kind
 */

export class InsightTab {
  constructor() {
    this.id = "insight";
    this.label = t("Insight");
    this.icon = "insight";
    const spread = (/** @type {string} */ topic) => this.choose("spread", topic);
    /** @type {Record<string, {label: string, make: () => Kind}>} */
    this.kinds = {
      network: { label: t("Social network"), make: () => new NetworkPlot() },
      spread: { label: t("Spread of news"), make: () => new SpreadPlot(this.topic, spread) },
      places: { label: t("Places"), make: () => new PlacesPlot() },
      minds: { label: t("Reflection"), make: () => new PoignancyPlot(spread) },
      loops: { label: t("Repetitions"), make: () => new RepetitionPlot() },
      economy: { label: t("Economy"), make: () => new EconomyPlot() },
      processes: { label: t("Processes"), make: () => new ProcessesPlot() },
      calls: { label: t("Model calls"), make: () => new CallsPlot() },
    };
    const given = new URL(location.href).searchParams;
    this.kind = (given.get("plot") ?? "") in this.kinds ? /** @type {string} */ (given.get("plot")) : "network";
    this.topic = given.get("topic") ?? "";
    this.choices = make("div", "choices");
    this.choices.setAttribute("role", "group");
    this.notice = make("p", "quietly");
    this.notice.setAttribute("role", "status");
    this.body = make("div", "plots");
    this.element = make("div", "insight", this.choices, this.notice, this.body);
    /** @type {Kind | null} */
    this.plot = null;
    /** @type {Context | null} */
    this.context = null;
    this.requested = { query: "", steps: -1, at: -Infinity };
    this.answered = false; // until then a plot that shows nothing would tell that there is nothing
    window.matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.reset());
  }

  /** @param {string} kind */
  chooser(kind) {
    const element = button("choice", () => this.choose(kind, this.topic), this.kinds[kind].label);
    element.dataset.plot = kind;
    return element;
  }

  /** @param {string} kind @param {string} topic what the spread is asked of, as the API takes it */
  choose(kind, topic) {
    this.kind = kind;
    this.topic = topic;
    this.context?.tabs.remember({ tab: this.id, plot: kind, topic });
    this.reset();
    if (this.context) this.show(this.context);
  }

  reset() {
    this.plot?.destroy();
    this.plot = null;
  }

  /** @param {Context} context */
  show(context) {
    if (!this.context) this.choices.append(...Object.keys(this.kinds).map((kind) => this.chooser(kind))); // none is chosen before it can be shown
    this.context = context;
    for (const [kind, applies] of /** @type {[string, boolean][]} */ ([
      ["economy", context.run.society],
      ["processes", context.run.processes],
    ])) {
      /** @type {HTMLElement} */ (this.choices.querySelector(`[data-plot=${kind}]`)).hidden = !applies;
      if (!applies && this.kind === kind) this.kind = "network";
    }
    if (!this.plot) {
      this.plot = this.kinds[this.kind].make();
      this.answered = false;
      this.requested = { query: "", steps: -1, at: -Infinity };
      this.body.replaceChildren(this.plot.element);
      for (const choice of this.choices.children) choice.setAttribute("aria-pressed", String(/** @type {HTMLElement} */ (choice).dataset.plot === this.kind));
    }
    this.ask(context, this.plot);
    if (this.answered) this.plot.show(context);
  }

  /** Fetches the data of the plot, and again when the run has continued. @param {Context} context @param {Kind} plot */
  async ask(context, plot) {
    const query = plot.query();
    const { steps } = context.frames;
    const now = performance.now();
    if (query === this.requested.query && (steps === this.requested.steps || now - this.requested.at < AGAIN)) return;
    if (query !== this.requested.query) setText(this.notice, t("Loading …"));
    this.requested = { query, steps, at: now };
    const [name, parameters] = query.split("?");
    try {
      const data = await api.ask(context.run.name, name === "spread" ? name : `insight/${name}`, Object.fromEntries(new URLSearchParams(parameters)));
      if (plot !== this.plot || query !== this.requested.query) return;
      plot.fill(data, context);
      this.answered = true;
      setText(this.notice, "");
      plot.show(context);
    } catch (error) {
      if (plot !== this.plot || query !== this.requested.query) return;
      this.requested.steps = -1; // it is asked for again
      setText(this.notice, complaint(error));
      if (name === "spread" && parameters)
        this.notice.append(
          " ",
          button("link", () => this.choose("spread", ""), t("Show all storylines")),
        );
    }
  }
}
