/** A trial of a law: how the town fares with it and without, day by day. */

import { category } from "../data/colours.js";
import { t } from "../data/i18n.js";
import { make } from "../dom.js";
import { Plot } from "./charts.js";

/** @typedef {{name: string, changed: (number | null)[], unchanged: (number | null)[]}} Line */
/** @typedef {{needs: Line[], prices: Line[], stocks: Line[]}} Figures */

const FULL = 1000; // of a need
const DASHES = [4, 4];

export class TrialPlot {
  constructor() {
    this.needs = new Plot(t("Needs of whoever is worst off"));
    this.prices = new Plot(t("Prices in coins"));
    this.stocks = new Plot(t("What there is of each kind"));
    this.element = make(
      "div",
      "trial",
      make("p", "quietly", t("Whole lines: with the law. Dashed: without.")),
      this.needs.element,
      this.prices.element,
      this.stocks.element,
    );
    this.element.hidden = true;
  }

  /** @param {Figures} figures */
  fill(figures) {
    this.element.hidden = false;
    for (const [plot, lines, most] of /** @type {[Plot, Line[], number | undefined][]} */ ([
      [this.needs, figures.needs, FULL],
      [this.prices, figures.prices, undefined],
      [this.stocks, figures.stocks, undefined],
    ])) {
      plot.element.hidden = !lines.length;
      if (lines.length) draw(plot, lines, most);
    }
  }

  destroy() {
    for (const plot of [this.needs, this.prices, this.stocks]) plot.destroy();
    this.element.hidden = true;
  }
}

/** Whole lines for the town with the law, dashed ones for the town without. @param {Plot} plot @param {Line[]} lines @param {number} [most] */
function draw(plot, lines, most) {
  const days = lines[0].changed.map((_, day) => day + 1);
  const datasets = lines.flatMap(({ name, changed, unchanged }, at) => [
    { label: name, data: changed, borderColor: category(at), ...THIN },
    { label: t("{name}, without the law", { name }), data: unchanged, borderColor: category(at), borderDash: DASHES, ...THIN },
  ]);
  const options = {
    scales: {
      x: { title: { display: true, text: t("Day of the trial") }, grid: { display: false } },
      y: { beginAtZero: true, max: most, ticks: { maxTicksLimit: 5 } },
    },
    interaction: { mode: "index", intersect: false },
    plugins: { legend: { position: "bottom", labels: { boxWidth: 12, boxHeight: 12, padding: 10, filter: withLaw } } },
  };
  const rows = days.map((day, at) => [day, ...datasets.map(({ data }) => data[at] ?? "")]);
  void plot.draw(() => ({ type: "line", data: { labels: days, datasets }, options }), {
    columns: [t("Day of the trial"), ...datasets.map(({ label }) => label)],
    rows,
  });
}

/** Lines of the town without the law are dashed, and have the colour of those with it: the legend has them once. @param {{lineDash?: number[]}} item */
const withLaw = (item) => !item.lineDash?.length;

const THIN = { borderWidth: 2, pointRadius: 0, pointHitRadius: 8, backgroundColor: "transparent" };
