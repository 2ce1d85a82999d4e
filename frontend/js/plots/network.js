/** Who has talked with whom by the moment shown: residents who talk much stand close, lines are as thick as they talked often. */

import { t } from "../data/i18n.js";
import { shortNames } from "../data/names.js";
import { make, setText } from "../dom.js";
import { BoxIndex } from "../stage/boxes.js";
import { Plot, overTime } from "./charts.js";
import { category, colour } from "../data/colours.js";

/** @typedef {import("../panel/tabs.js").Context} Context */
/** @typedef {{id: string, people: string[], tick: number}} Conversation */

const MOST = 8; // partners that a tooltip names
const LINE = 13; // pixels of a name's line

/** @param {string} first @param {string} second */
const pairOf = (first, second) => [first, second].sort().join(" ");

/** Every two of those who talked. @param {string[]} people */
const pairsOf = (people) => people.flatMap((first, at) => people.slice(at + 1).map((second) => pairOf(first, second)));

export class NetworkPlot {
  constructor() {
    this.summary = make("p", "quietly");
    this.plot = new Plot(t("Who has talked with whom"), "square");
    this.growth = new Plot(t("Pairs who know each other"));
    this.element = make("div", "", this.summary, this.plot.element, this.growth.element);
    /** @type {any} */
    this.data = null;
    this.drawn = "";
    this.followed = "";
    /** @type {Map<string, number>} conversations by pair, by the moment shown */
    this.conversations = new Map();
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
    const met = new Set(data.known.map((/** @type {string[]} */ [entry, other]) => pairOf(entry, other)));
    const width = 360;
    const bins = Math.max(1, Math.ceil((data.last * run.ticks) / width));
    /** @type {number[]} */
    const values = [];
    let next = 0;
    for (let at = 0; at < bins; at++) {
      for (; next < data.conversations.length && data.conversations[next].tick < (at + 1) * width; next++)
        for (const pair of pairsOf(data.conversations[next].people)) met.add(pair);
      values.push(met.size);
    }
    overTime(this.growth, { bins, width, last: data.last }, [{ label: t("pairs"), values, colour: colour("accent") }], context);
  }

  /** @param {Context} context */
  show(context) {
    if (!this.data) return;
    this.growth.moment(context.tick);
    const conversations = this.data.conversations.filter((/** @type {Conversation} */ conversation) => conversation.tick <= context.tick);
    const state = `${conversations.length} ${context.followed}`;
    if (state === this.drawn) return;
    this.drawn = state;
    this.conversations = new Map();
    for (const pair of conversations.flatMap((/** @type {Conversation} */ { people }) => pairsOf(people)))
      this.conversations.set(pair, (this.conversations.get(pair) ?? 0) + 1);
    this.plot.about = t("By {time}: conversations: {conversations}, pairs who talked: {pairs}.", {
      conversations: conversations.length,
      pairs: this.conversations.size,
      time: context.time.clock(context.tick),
    });
    setText(this.summary, this.plot.about);
    this.redraw(context);
  }

  /** @param {Context} context */
  redraw(context) {
    const { tabs, followed } = context;
    const { residents } = this.data;
    /** @type {Map<string, number>} */
    const degree = new Map();
    for (const [pair, count] of this.conversations) for (const who of pair.split(" ")) degree.set(who, (degree.get(who) ?? 0) + count);
    this.followed = followed;
    const short = shortNames(residents.map((/** @type {{id: string}} */ resident) => tabs.name(resident.id)));
    const points = residents.map((/** @type {any} */ resident, /** @type {number} */ at) => ({
      x: resident.x,
      y: resident.y,
      id: resident.id,
      name: short[at],
    }));
    const options = {
      layout: { padding: { top: 14, right: 30, bottom: 22, left: 30 } },
      scales: { x: { display: false, min: 0, max: 1 }, y: { display: false, min: 0, max: 1 } },
      onClick: (/** @type {any} */ _, /** @type {any[]} */ hits) => hits[0] && tabs.parts.navigation.follow(points[hits[0].index].id),
      plugins: {
        legend: { display: false },
        tooltip: { displayColors: false, callbacks: { label: (/** @type {any} */ item) => this.partners(item.raw.id, context) } },
      },
    };
    const data = {
      datasets: [
        {
          data: points,
          clip: false,
          pointRadius: points.map((/** @type {any} */ point) => 4 + Math.min(9, Math.sqrt(degree.get(point.id) ?? 0) * 1.6)),
          pointHoverRadius: 14,
          backgroundColor: points.map((/** @type {any} */ point) =>
            point.id === followed ? colour("followed") : degree.get(point.id) ? category(0) : colour("plot-rest"),
          ),
          borderColor: colour("paper"),
          borderWidth: 1.5,
        },
      ],
    };
    const rows = [...this.conversations].sort((a, b) => b[1] - a[1]).map(([pair, count]) => [...pair.split(" ").map((who) => tabs.name(who)), count]);
    const table = { columns: [t("Resident"), t("Resident"), t("Conversations")], rows };
    this.plot.draw(() => ({ type: "scatter", data, options, plugins: [this.lines(points)] }), table);
  }

  /** @param {string} id @param {Context} context */
  partners(id, { tabs }) {
    const pairs = [...this.conversations].filter(([pair]) => pair.split(" ").includes(id)).sort((a, b) => b[1] - a[1]);
    const partners = pairs.slice(0, MOST).map(([pair, count]) => `${tabs.name(pair.split(" ").find((who) => who !== id) ?? id)} ×${count}`);
    const more = pairs.length - partners.length;
    return [tabs.name(id), ...partners, ...(more > 0 ? [t("and {count} more", { count: more })] : [])];
  }

  /** Draws lines below the points and names beside them. @param {{x: number, y: number, id: string, name: string}[]} points */
  lines(points) {
    const spot = new Map(points.map((point) => [point.id, point]));
    return {
      id: "lines",
      beforeDatasetsDraw: (/** @type {any} */ chart) => {
        const { ctx, scales } = chart;
        ctx.save();
        for (const [pair, count] of this.conversations) {
          const [from, to] = pair.split(" ").map((who) => spot.get(who));
          if (!from || !to) continue;
          const own = from.id === this.followed || to.id === this.followed;
          ctx.strokeStyle = colour(own ? "followed" : "accent");
          ctx.globalAlpha = own ? 0.9 : this.followed ? 0.12 : Math.min(0.75, 0.22 + 0.1 * count);
          ctx.lineWidth = Math.min(6, 0.8 + count * 0.7);
          ctx.beginPath();
          ctx.moveTo(scales.x.getPixelForValue(from.x), scales.y.getPixelForValue(from.y));
          ctx.lineTo(scales.x.getPixelForValue(to.x), scales.y.getPixelForValue(to.y));
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
        const spots = points.map((point) => /** @type {[number, number]} */ ([scales.x.getPixelForValue(point.x), scales.y.getPixelForValue(point.y)]));
        const radii = chart.data.datasets[0].pointRadius;
        const widths = points.map((point) => ctx.measureText(point.name).width);
        rooms(spots, radii, widths).forEach(([x, y], at) => {
          ctx.strokeText(points[at].name, x, y);
          ctx.fillText(points[at].name, x, y);
        });
        ctx.restore();
      },
    };
  }
}

/**
 * Where the names of points stand: below, above or beside them, wherever there lies no other name; below where there is no room.
 * @param {[number, number][]} spots @param {number[]} radii @param {number[]} widths @returns {[number, number][]} the middle of each name's line
 */
export function rooms(spots, radii, widths) {
  const taken = new BoxIndex(spots.map(([x, y], at) => ({ left: x - radii[at], top: y - radii[at], right: x + radii[at], bottom: y + radii[at] })));
  return spots.map(([x, y], at) => {
    const [high, wide] = [radii[at] + LINE - 2, radii[at] + 4 + widths[at] / 2];
    const places = /** @type {[number, number][]} */ ([
      [x, y + high],
      [x, y - high + LINE - 4],
      [x + wide, y + 4],
      [x - wide, y + 4],
      ...[1, 2, 3].flatMap((row) => [
        [x, y + high + row * LINE],
        [x, y - high + LINE - 4 - row * LINE],
      ]),
    ]);
    const box = (/** @type {[number, number]} */ [left, line]) => ({
      left: left - widths[at] / 2,
      top: line - LINE + 3,
      right: left + widths[at] / 2,
      bottom: line + 3,
    });
    const found = places.find((place) => taken.free(box(place))) ?? places[0];
    taken.add(box(found));
    return found;
  });
}
