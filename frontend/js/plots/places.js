/** Where time went through the days, by building: of the whole town, or of one resident. */

import { t } from "../data/i18n.js";
import { make } from "../dom.js";
import { Plot, overTime } from "./charts.js";
import { colour, hueOf } from "../data/colours.js";

const HOUR = 360; // ticks
const TOLD_APART = 8; // places with a colour of their own; the rest is taken together

/** @typedef {import("../panel/tabs.js").Context} Context */

export class PlacesPlot {
  constructor() {
    this.plot = new Plot(t("Hours by place"), "tall");
    this.choice = /** @type {HTMLSelectElement} */ (make("select"));
    this.choice.addEventListener("change", () => this.draw());
    this.element = make("div", "", make("label", "asked", make("span", "", t("Resident")), this.choice), this.plot.element);
    /** @type {any} */
    this.data = null;
    /** @type {Context | null} */
    this.context = null;
    this.followed = "";
  }

  query() {
    return "places";
  }

  destroy() {
    this.plot.destroy();
  }

  /** @param {any} data @param {Context} context */
  fill(data, context) {
    const first = !this.data;
    this.data = data;
    this.context = context;
    if (first) this.choice.append(new Option(t("the whole town"), ""), ...context.run.residents.map((resident) => new Option(resident.name, resident.id)));
    this.draw();
  }

  /** @param {Context} context */
  show(context) {
    this.context = context;
    if (this.data && context.followed !== this.followed) {
      this.followed = context.followed;
      this.choice.value = this.followed;
      this.draw();
    }
    this.plot.moment(context.tick);
  }

  draw() {
    if (!this.context) return;
    const { run } = this.context;
    const { places, spent, bins, width } = this.data;
    const chosen = this.choice.value ? [spent[this.choice.value] ?? {}] : Object.values(spent);
    const sums = together(chosen, bins);
    const underway = sums.get("");
    sums.delete("");
    const ranked = byTime(sums);
    const series = ranked
      .slice(0, TOLD_APART)
      .map(([place, values]) => ({ label: places[place] ?? place, values: hoursOf(values), colour: hueOf(run, place), area: true }));
    const rest = ranked.slice(TOLD_APART);
    if (rest.length)
      series.push({
        label: t("elsewhere"),
        values: hoursOf(rest.map(([, values]) => values).reduce((sum, values) => sum.map((value, at) => value + values[at]))),
        colour: colour("plot-rest"),
        area: true,
      });
    if (underway) series.push({ label: t("on the way"), values: hoursOf(underway), colour: colour("soft"), area: true });
    overTime(this.plot, this.data, series, this.context, { left: t("hours"), most: (chosen.length * width) / HOUR }).then(
      () => this.context && this.plot.moment(this.context.tick),
    );
  }
}

/** Minutes by place and bin, of several residents taken together. @param {Record<string, number[]>[]} people @param {number} bins */
function together(people, bins) {
  /** @type {Map<string, number[]>} */
  const sums = new Map();
  for (const hours of people) {
    for (const [place, minutes] of Object.entries(hours)) {
      const sum = sums.get(place) ?? Array(bins).fill(0);
      minutes.forEach((value, at) => (sum[at] += value));
      sums.set(place, sum);
    }
  }
  return sums;
}

/** Places by the time spent there, most first; the way between them is none. @param {Map<string, number[]>} sums */
function byTime(sums) {
  const total = (/** @type {number[]} */ values) => values.reduce((sum, value) => sum + value, 0);
  return [...sums].filter(([place]) => place).sort((a, b) => total(b[1]) - total(a[1]));
}

/** @param {number[]} minutes */
const hoursOf = (minutes) => minutes.map((minute) => Math.round(minute / 0.6) / 100);
