/** What mattered: how poignant memories were over time, when residents reflected, and the memories that weighed most. */

import { Plot, bars, category, colour, overTime } from "./charts.js";
import { button, make } from "./dom.js";
import { t } from "./i18n.js";

/** @typedef {import("./tabs.js").Context} Context */

export class MindsPlot {
  /** @param {(topic: string) => void} spread asks how a memory spread */
  constructor(spread) {
    this.spread = spread;
    this.plot = new Plot(t("minds_title"));
    this.who = new Plot(t("minds_who"), "rows");
    this.list = make("ol", "poignant");
    this.element = make("div", "", this.plot.element, make("h3", "", t("minds_most")), this.list, this.who.element);
  }

  query() {
    return "minds";
  }

  destroy() {
    this.plot.destroy();
    this.who.destroy();
  }

  /** @param {any} data @param {Context} context */
  fill(data, context) {
    const series = [
      { label: t("minds_reflections"), values: data.memories.thought, colour: category(2), area: true },
      { label: t("minds_talks"), values: data.memories.chat, colour: category(0), area: true },
      { label: t("minds_poignancy"), values: data.poignancy, colour: colour("warm"), right: true },
    ];
    overTime(this.plot, data, series, context, { left: t("minds_count"), right: t("minds_poignancy") });
    this.list.replaceChildren(...data.poignant.slice(0, 12).map((/** @type {any} */ one) => this.memory(one, context)));
    const told = Object.entries(data.residents).sort((one, other) => other[1].reflections - one[1].reflections);
    const labels = told.map(([who]) => context.tabs.name(who));
    bars(this.who, labels, [{ label: t("minds_reflections"), values: told.map(([, one]) => one.reflections), colour: category(2) }], t("resident"));
  }

  /** @param {{who: string, memory: number, poignancy: number, tick: number, text: string}} one @param {Context} context */
  memory(one, { tabs, time, seek, follow, run }) {
    const text = make("p", "", one.text);
    text.lang = run.lang;
    const head = make("div", "head", make("b", "weight", String(one.poignancy)), make("span", "", tabs.name(one.who)));
    head.append(button("link", () => (follow(one.who), seek(one.tick)), `${time.day(one.tick).split(" · ")[1]} ${time.clock(one.tick)}`));
    const ask = button("link", () => this.spread(`memory=${encodeURIComponent(`${one.who}/${one.memory}`)}`), t("spread_of"));
    return make("li", "", head, text, ask);
  }

  /** @param {Context} context */
  show(context) {
    this.plot.moment(context.tick);
  }
}
