/** Who has talked with whom by the moment shown: residents who talk much stand close, lines are as thick as they talked often. */

import { Plot, category, colour, overTime } from "./charts.js";
import { make, setText } from "./dom.js";
import { t } from "./i18n.js";

/** @typedef {import("./tabs.js").Context} Context */
/** @typedef {{id: string, opener: string, partner: string, tick: number}} Talk */

/** @param {string} one @param {string} other */
const pairOf = (one, other) => [one, other].sort().join(" ");

export class NetworkPlot {
  constructor() {
    this.summary = make("p", "quietly");
    this.plot = new Plot(t("network_title"), "square");
    this.growth = new Plot(t("network_growth"));
    this.element = make("div", "", this.summary, this.plot.element, this.growth.element);
    /** @type {any} */
    this.data = null;
    this.drawn = "";
    this.followed = "";
    /** @type {Map<string, number>} talks by pair, by the moment shown */
    this.talks = new Map();
  }

  query() {
    return "network";
  }

  destroy() {
    this.plot.destroy();
    this.growth.destroy();
  }

  /** @param {any} data @param {Context} context */
  fill(data, context) {
    this.data = data;
    this.drawn = "";
    const { run } = context;
    const met = new Set(data.known.map((/** @type {string[]} */ [one, other]) => pairOf(one, other)));
    const width = 360;
    const bins = Math.max(1, Math.ceil((data.last * run.ticks) / width));
    /** @type {number[]} */
    const values = [];
    let next = 0;
    for (let at = 0; at < bins; at++) {
      for (; next < data.talks.length && data.talks[next].tick < (at + 1) * width; next++) met.add(pairOf(data.talks[next].opener, data.talks[next].partner));
      values.push(met.size);
    }
    overTime(this.growth, { bins, width, last: data.last }, [{ label: t("network_pairs"), values, colour: colour("accent") }], context);
  }

  /** @param {Context} context */
  show(context) {
    if (!this.data) return;
    this.growth.moment(context.tick);
    const talks = this.data.talks.filter((/** @type {Talk} */ talk) => talk.tick <= context.tick);
    const state = `${talks.length} ${context.followed}`;
    if (state === this.drawn) return;
    this.drawn = state;
    this.talks = new Map();
    for (const { opener, partner } of talks) this.talks.set(pairOf(opener, partner), (this.talks.get(pairOf(opener, partner)) ?? 0) + 1);
    setText(this.summary, t("network_by_now", { talks: talks.length, pairs: this.talks.size, time: context.time.clock(context.tick) }));
    this.redraw(context);
  }

  /** @param {Context} context */
  redraw(context) {
    const { tabs, followed } = context;
    const { residents } = this.data;
    /** @type {Map<string, number>} */
    const degree = new Map();
    for (const [pair, count] of this.talks) for (const who of pair.split(" ")) degree.set(who, (degree.get(who) ?? 0) + count);
    this.followed = followed;
    const short = shortNames(residents.map((/** @type {{id: string}} */ one) => tabs.name(one.id)));
    const points = residents.map((/** @type {any} */ one, /** @type {number} */ at) => ({ x: one.x, y: one.y, id: one.id, name: short[at] }));
    const options = {
      layout: { padding: { top: 14, right: 30, bottom: 22, left: 30 } },
      scales: { x: { display: false, min: 0, max: 1 }, y: { display: false, min: 0, max: 1 } },
      onClick: (/** @type {any} */ _, /** @type {any[]} */ hits) => hits[0] && tabs.parts.follow(points[hits[0].index].id),
      plugins: { legend: { display: false }, tooltip: { displayColors: false, callbacks: { label: (/** @type {any} */ item) => this.partners(item.raw.id, context) } } },
    };
    const data = {
      datasets: [{
        data: points,
        clip: false,
        pointRadius: points.map((/** @type {any} */ one) => 4 + Math.min(9, Math.sqrt(degree.get(one.id) ?? 0) * 1.6)),
        pointHoverRadius: 14,
        backgroundColor: points.map((/** @type {any} */ one) => (one.id === followed ? colour("warm") : degree.get(one.id) ? category(0) : colour("plot-rest"))),
        borderColor: colour("paper"),
        borderWidth: 1.5,
      }],
    };
    const rows = [...this.talks].sort((one, other) => other[1] - one[1]).map(([pair, count]) => [...pair.split(" ").map((who) => tabs.name(who)), count]);
    const table = { columns: [t("resident"), t("resident"), t("conversations")], rows };
    this.plot.draw(() => ({ type: "scatter", data, options, plugins: [this.lines(points)] }), table);
  }

  /** @param {string} id @param {Context} context */
  partners(id, { tabs }) {
    const found = [...this.talks].filter(([pair]) => pair.split(" ").includes(id)).sort((one, other) => other[1] - one[1]);
    const told = found.slice(0, 8).map(([pair, count]) => `${tabs.name(pair.split(" ").find((who) => who !== id) ?? id)} ×${count}`);
    return [tabs.name(id), ...told];
  }

  /** Draws lines below the points and names beside them. @param {{x: number, y: number, id: string, name: string}[]} points */
  lines(points) {
    const spot = new Map(points.map((one) => [one.id, one]));
    return {
      id: "lines",
      beforeDatasetsDraw: (/** @type {any} */ chart) => {
        const { ctx, scales } = chart;
        ctx.save();
        for (const [pair, count] of this.talks) {
          const [one, other] = pair.split(" ").map((who) => spot.get(who));
          if (!one || !other) continue;
          const own = one.id === this.followed || other.id === this.followed;
          ctx.strokeStyle = colour(own ? "warm" : "accent");
          ctx.globalAlpha = own ? 0.9 : this.followed ? 0.12 : Math.min(0.75, 0.22 + 0.1 * count);
          ctx.lineWidth = Math.min(6, 0.8 + count * 0.7);
          ctx.beginPath();
          ctx.moveTo(scales.x.getPixelForValue(one.x), scales.y.getPixelForValue(one.y));
          ctx.lineTo(scales.x.getPixelForValue(other.x), scales.y.getPixelForValue(other.y));
          ctx.stroke();
        }
        ctx.restore();
      },
      afterDatasetsDraw: (/** @type {any} */ chart) => {
        const { ctx, scales } = chart;
        ctx.save();
        ctx.font = `11px ${getComputedStyle(document.body).fontFamily}`;
        ctx.textAlign = "center";
        ctx.lineWidth = 3;
        ctx.strokeStyle = colour("paper");
        ctx.fillStyle = colour("ink");
        points.forEach((one, at) => {
          const x = scales.x.getPixelForValue(one.x);
          const y = scales.y.getPixelForValue(one.y) + chart.data.datasets[0].pointRadius[at] + 11;
          ctx.strokeText(one.name, x, y);
          ctx.fillText(one.name, x, y);
        });
        ctx.restore();
      },
    };
  }
}

/** First names where they tell who is meant. @param {string[]} names */
function shortNames(names) {
  const first = names.map((name) => name.split(" ")[0]);
  return names.map((name, at) => (first.filter((one) => one === first[at]).length > 1 ? name : first[at]));
}
