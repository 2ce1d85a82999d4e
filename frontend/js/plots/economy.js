/** The economy of a society over time: how well needs are met, what things cost, what houses own, what there is of each kind. */

import { category } from "../data/colours.js";
import { t } from "../data/i18n.js";
import { make } from "../dom.js";
import { Plot, overTime } from "./charts.js";

/** @typedef {import("../panel/tabs.js").Context} Context */
/** @typedef {{name: string, values: (number | null)[], lowest?: (number | null)[]}} Line */

const FULL = 1000; // of a need

export class EconomyPlot {
  constructor() {
    this.needs = new Plot(t("How well needs are met, on average"));
    this.lowest = new Plot(t("In whom each need is met worst"));
    this.prices = new Plot(t("Prices in coins"));
    this.purses = new Plot(t("Coins of each house"));
    this.stocks = new Plot(t("What there is of each kind"));
    this.plots = [this.needs, this.lowest, this.prices, this.purses, this.stocks];
    this.element = make("div", "", ...this.plots.map((plot) => plot.element));
  }

  query() {
    return "economy";
  }

  destroy() {
    for (const plot of this.plots) plot.destroy();
  }

  /** @param {any} data @param {Context} context */
  fill(data, context) {
    const draw = (/** @type {Plot} */ plot, /** @type {Line[]} */ lines, /** @type {number | undefined} */ most) =>
      overTime(
        plot,
        data,
        lines.map(({ name, values }, at) => ({ label: name, values, colour: category(at) })),
        context,
        { most },
      );
    draw(this.needs, data.needs, FULL);
    draw(
      this.lowest,
      data.needs.map((/** @type {any} */ need) => ({ name: need.name, values: need.lowest })),
      FULL,
    );
    draw(this.prices, data.prices, undefined);
    draw(this.purses, data.purses, undefined);
    draw(this.stocks, data.stocks, undefined);
  }

  /** @param {Context} context */
  show(context) {
    for (const plot of this.plots) plot.moment(context.tick);
  }
}
