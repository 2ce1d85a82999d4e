/** Poignancy of memories over time, reflections, and the most poignant memories. */

import { t } from "../data/i18n.js";
import { button, make } from "../dom.js";
import { Plot, bars, overTime } from "./charts.js";
import { category, colour } from "../data/colours.js";

/** @typedef {import("../panel/tabs.js").Context} Context */

export class PoignancyPlot {
  /** @param {(topic: string) => void} spread asks how a memory spread */
  constructor(spread) {
    this.spread = spread;
    this.plot = new Plot(t("Reflections, conversations remembered, and poignancy of memories"));
    this.who = new Plot(t("Reflections by resident"), "rows");
    this.list = make("ol", "poignant");
    this.element = make("div", "", this.plot.element, make("h3", "", t("Most poignant memories")), this.list, this.who.element);
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
      { label: t("reflections"), values: data.memories.thought, colour: category(2), area: true },
      { label: t("conversations remembered"), values: data.memories.chat, colour: category(0), area: true },
      { label: t("mean poignancy"), values: data.poignancy, colour: colour("thought"), right: true },
    ];
    overTime(this.plot, data, series, context, { left: t("memories"), right: t("mean poignancy") });
    this.list.replaceChildren(...data.poignant.slice(0, 12).map((/** @type {any} */ memory) => this.memory(memory, context)));
    const residents = Object.entries(data.residents).sort((a, b) => b[1].reflections - a[1].reflections);
    const labels = residents.map(([who]) => context.tabs.name(who));
    bars(this.who, labels, [{ label: t("reflections"), values: residents.map(([, counts]) => counts.reflections), colour: category(2) }], t("Resident"));
  }

  /** @param {{who: string, memory: number, poignancy: number, tick: number, text: string}} memory @param {Context} context */
  memory(memory, { tabs, time, seek, follow, run }) {
    const text = make("p", "", memory.text);
    text.lang = run.lang;
    const head = make("div", "head", make("b", "weight", String(memory.poignancy)), make("span", "", tabs.name(memory.who)));
    head.append(button("link", () => (follow(memory.who), seek(memory.tick)), `${time.day(memory.tick).split(" · ")[1]} ${time.clock(memory.tick)}`));
    const ask = button("link", () => this.spread(`memory=${encodeURIComponent(`${memory.who}/${memory.memory}`)}`), t("How it spread"));
    return make("li", "", head, text, ask);
  }

  /** @param {Context} context */
  show(context) {
    this.plot.moment(context.tick);
  }
}
