/** The processes on a town over time: how residents stand to a statement, and the course of an illness. */

import { category, colour } from "../data/colours.js";
import { N_, t } from "../data/i18n.js";
import { make } from "../dom.js";
import { Plot, overTime } from "./charts.js";

/** @typedef {import("../panel/tabs.js").Context} Context */

const STANCES = [N_("firmly against it"), N_("rather against it"), N_("undecided"), N_("rather in favour"), N_("firmly in favour")];
/** @type {Record<string, string>} */
const STAGES = { exposed: N_("infected, not ill yet"), ill: N_("ill"), recovered: N_("recovered, immune") };

export class ProcessesPlot {
  constructor() {
    this.opinions = new Plot(t("Residents by opinion"));
    this.illness = new Plot(t("Residents by stage of the illness"));
    this.plots = [this.opinions, this.illness];
    this.statement = make("p", "quietly");
    this.name = make("p", "quietly");
    this.held = make("div", "", this.statement, this.opinions.element);
    this.caught = make("div", "", this.name, this.illness.element);
    this.element = make("div", "", this.held, this.caught);
  }

  query() {
    return "processes";
  }

  destroy() {
    for (const plot of this.plots) plot.destroy();
  }

  /** @param {any} data @param {Context} context */
  fill(data, context) {
    this.held.hidden = !data.statement;
    this.caught.hidden = !data.illness;
    this.statement.textContent = t("The statement: {statement}", { statement: data.statement });
    this.name.textContent = t("The illness: {illness}", { illness: data.illness });
    const axis = { left: t("residents"), most: context.run.residents.length };
    if (data.statement) {
      const stances = STANCES.map((label, at) => ({ label: t(label), values: data.stances[at], colour: category(at), area: true }));
      const deviation = { label: t("standard deviation of opinions from 0 to 1"), values: data.deviation, colour: colour("ink"), right: true };
      overTime(this.opinions, data, [...stances, deviation], context, { ...axis, right: t("standard deviation") });
    }
    if (data.illness) {
      const stages = Object.entries(STAGES).map(([stage, label], at) => ({ label: t(label), values: data.stages[stage], colour: category(at), area: true }));
      overTime(this.illness, data, stages, context, axis);
    }
  }

  /** @param {Context} context */
  show(context) {
    for (const plot of this.plots) plot.moment(context.tick);
  }
}
