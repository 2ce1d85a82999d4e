/** What all plots share: the chart library, fetched when first needed, colours, a line at the moment shown, and a table for each chart. */

import { embedded, standalone } from "../data/embedded.js";
import { TICKS_PER_HOUR } from "../data/gametime.js";
import { t } from "../data/i18n.js";
import { make } from "../dom.js";
import { colour } from "../data/colours.js";
import { fileButtons } from "./files.js";

const LONGEST = 24; // characters of a bar's label
const LIBRARY = "charts.js";

/** @type {Promise<any> | undefined} */
let library;

/** Chart.js. @returns {Promise<any>} rejects where the server has none */
function load() {
  library ??= standalone ? fromFile() : fromServer();
  return library;
}

function fromServer() {
  return new Promise((resolve, reject) => {
    const script = document.createElement("script");
    script.src = LIBRARY;
    script.addEventListener("load", () => resolve(/** @type {any} */ (window).Chart));
    script.addEventListener("error", () => reject(new Error(script.src)));
    document.head.append(script);
  });
}

/** The library from the page itself, where that is one file; its content security policy lists the hash. */
async function fromFile() {
  const script = document.createElement("script");
  script.textContent = await embedded(LIBRARY);
  document.head.append(script);
  return /** @type {any} */ (window).Chart;
}

/** A vertical line at the moment shown, in charts over time. */
const momentLine = {
  id: "moment",
  /** @param {any} chart */
  afterDatasetsDraw(chart) {
    if (chart.moment === undefined) return;
    const { ctx, chartArea, scales } = chart;
    const x = scales.x.getPixelForValue(chart.moment);
    if (x < chartArea.left || x > chartArea.right) return;
    ctx.save();
    ctx.strokeStyle = colour("accent");
    ctx.lineWidth = 2;
    ctx.beginPath();
    ctx.moveTo(x, chartArea.top);
    ctx.lineTo(x, chartArea.bottom);
    ctx.stroke();
    ctx.restore();
  },
};

/** @typedef {{columns: string[], rows: (string | number)[][]}} Table */

/** A chart with its title, and its figures as a table, also for screen readers. */
export class Plot {
  /** @param {string} title @param {string} [shape] class of the box in which the chart stands */
  constructor(title, shape = "") {
    this.title = title;
    this.about = ""; // what a file of it has to say besides, such as of which moment it is
    this.canvas = document.createElement("canvas");
    this.canvas.setAttribute("role", "img");
    this.canvas.setAttribute("aria-label", title);
    this.table = make("table", "figures");
    /** @type {Table} */
    this.data = { columns: [], rows: [] };
    this.config = () => /** @type {any} */ ({});
    this.element = make("figure", "plot", make("figcaption", "", title), make("div", `chart ${shape}`, this.canvas), fileButtons(this));
    this.element.append(make("details", "", make("summary", "", t("As a table")), make("div", "scroll", this.table)));
    /** @type {any} */
    this.chart = null;
    this.drawn = Promise.resolve();
  }

  /** Draws the chart again. @param {() => any} config made when the library is there @param {Table} table @returns {Promise<void>} */
  draw(config, table) {
    fill(this.table, table);
    Object.assign(this, { data: table, config });
    this.drawn = load().then((Chart) => {
      Object.assign(Chart.defaults, { color: colour("soft"), borderColor: colour("line"), animation: false, maintainAspectRatio: false });
      Chart.defaults.font.family = getComputedStyle(document.body).fontFamily;
      this.chart?.destroy();
      const made = config();
      this.chart = new Chart(this.canvas, { ...made, plugins: [momentLine, ...(made.plugins ?? [])] });
    });
    return this.drawn;
  }

  /**
   * Draws what the chart shows on another canvas, within a border, until the chart that is returned is destroyed.
   * @param {HTMLCanvasElement} canvas @param {number} ratio pixels to one of the picture's @param {{top: number, bottom: number, left: number, right: number}} border @param {any} frame a plugin that draws there
   */
  async drawOn(canvas, ratio, border, frame) {
    await this.drawn;
    const Chart = await load();
    const made = this.config();
    const own = made.options.layout?.padding ?? {};
    const padding = Object.fromEntries(Object.entries(border).map(([side, width]) => [side, width + (own[side] ?? 0)]));
    const elements = { line: { segment: {} } }; // lines are drawn part by part and not kept as paths, which only a canvas knows
    const options = { ...made.options, responsive: false, devicePixelRatio: ratio, layout: { padding }, elements };
    return new Chart(canvas, { ...made, options, plugins: [frame, ...(made.plugins ?? [])] });
  }

  /** @param {number} tick */
  moment(tick) {
    if (!this.chart || this.chart.moment === tick) return;
    this.chart.moment = tick;
    this.chart.draw();
  }

  destroy() {
    this.chart?.destroy();
    this.chart = null;
  }
}

/** @param {HTMLElement} table @param {Table} data */
function fill(table, { columns, rows }) {
  const head = make("tr", "", ...columns.map((text) => make("th", "", text)));
  const body = rows.map((row) => make("tr", "", ...row.map((cell, at) => make(at ? "td" : "th", "", String(cell)))));
  table.replaceChildren(make("thead", "", head), make("tbody", "", ...body));
}

/**
 * One line or area of a chart over time: a value for each bin.
 * @typedef {{label: string, values: (number | null)[], colour: string, area?: boolean, right?: boolean}} Series
 */

/**
 * A chart over time: a value holds from the beginning of its bin to the next. A click goes to that moment.
 * @param {Plot} plot
 * @param {{bins: number, width: number, last: number}} bins
 * @param {Series[]} series areas are stacked
 * @param {import("../panel/tabs.js").Context} context
 * @param {{left?: string, right?: string, most?: number}} [axes] titles, and how much there can be
 */
export function overTime(plot, bins, series, context, axes = {}) {
  const { time, run } = context;
  const end = Math.max(1, bins.last) * run.ticks;
  const marks = hourly(time.hour(0), end);
  const daily = marks.length > 1 && marks[1] - marks[0] >= 24 * TICKS_PER_HOUR;
  const stamp = (/** @type {number} */ tick) => `${time.day(tick).split(" · ")[1]} ${time.clock(tick)}`;
  const datasets = series.map((line) => dataset(line, bins.width, end));
  const stacked = series.some((line) => line.area);
  const scales = {
    x: {
      type: "linear",
      min: 0,
      max: end,
      grid: { display: false },
      afterBuildTicks: (/** @type {any} */ axis) => (axis.ticks = marks.map((value) => ({ value }))),
      ticks: { maxRotation: 0, autoSkipPadding: 12, callback: (/** @type {number} */ tick) => (daily ? time.date(tick) : time.clock(tick)) },
    },
    y: { ...axis(axes.left, stacked), max: axes.most },
    ...(series.some((line) => line.right) ? { right: { ...axis(axes.right, false), position: "right", grid: { display: false } } } : {}),
  };
  const options = {
    scales,
    interaction: { mode: "index", axis: "x", intersect: false },
    onClick: (/** @type {any} */ event, /** @type {any} */ _, /** @type {any} */ chart) => context.seek(Math.max(0, chart.scales.x.getValueForPixel(event.x))),
    plugins: {
      legend: legend(series.length > 1),
      tooltip: {
        filter: (/** @type {any} */ item) => item.parsed.y > 0,
        callbacks: { title: (/** @type {any[]} */ items) => (items[0] ? stamp(items[0].parsed.x) : "") },
      },
    },
  };
  const rows = Array.from({ length: bins.bins }, (_, index) => [stamp(index * bins.width), ...series.map((line) => line.values[index] ?? "")]);
  return plot.draw(() => ({ type: "line", data: { datasets }, options }), { columns: [t("Game time"), ...series.map((line) => line.label)], rows });
}

/** A line or area as Chart.js takes it: two points for each bin. @param {Series} series @param {number} width ticks of a bin @param {number} end the last tick */
function dataset({ label, values, colour, area, right }, width, end) {
  return {
    label,
    data: values.flatMap((y, index) => [index * width, Math.min(end, (index + 1) * width) - 1].map((x) => ({ x, y }))),
    borderColor: colour,
    backgroundColor: area ? colour : "transparent",
    borderWidth: area ? 0 : 2,
    fill: area ? "stack" : false,
    stack: area ? "areas" : label,
    yAxisID: right ? "right" : "y",
    order: area ? 1 : 0,
    pointRadius: 0,
    pointHitRadius: 8,
    spanGaps: true,
  };
}

/** Where an axis of time has its marks: at whole hours of the clock, seven of them at most. @param {number} from hours since midnight at which the run begins @param {number} end the last tick @returns {number[]} ticks */
export function hourly(from, end) {
  const apart = [1, 2, 3, 4, 6, 12, 24, 48, 96, 168].find((hours) => end / (hours * TICKS_PER_HOUR) <= 7) ?? 336;
  const first = Math.round((Math.ceil(from / apart - 1e-9) * apart - from) * TICKS_PER_HOUR);
  const marks = [];
  for (let tick = first; tick <= end; tick += apart * TICKS_PER_HOUR) marks.push(tick);
  return marks;
}

/** @param {string | undefined} title @param {boolean} stacked */
function axis(title, stacked) {
  return { beginAtZero: true, stacked, ticks: { maxTicksLimit: 5 }, title: { display: Boolean(title), text: title } };
}

/** @param {boolean} display */
function legend(display) {
  return { display, position: "bottom", labels: { boxWidth: 12, boxHeight: 12, padding: 10 } };
}

/** A label cut to the length that an axis has room for. @param {string} label */
function short(label) {
  return label.length > LONGEST ? `${label.slice(0, LONGEST - 1)}…` : label;
}

/**
 * Bars side by side or in a row, one for each label.
 * @param {Plot} plot
 * @param {string[]} labels
 * @param {{label: string, values: number[], colour: string}[]} series stacked
 * @param {string} heading of the table's first column
 */
export function bars(plot, labels, series, heading) {
  /** @type {HTMLElement} */ (plot.canvas.parentElement).style.height = `${labels.length * 20 + (series.length > 1 ? 76 : 40)}px`;
  const datasets = series.map((line) => ({ label: line.label, data: line.values, backgroundColor: line.colour, borderRadius: 3, maxBarThickness: 14 }));
  const options = {
    indexAxis: "y",
    scales: {
      x: { stacked: true, beginAtZero: true, ticks: { maxTicksLimit: 5 } },
      y: { stacked: true, grid: { display: false }, ticks: { autoSkip: false, callback: (/** @type {number} */ at) => short(labels[at]) } },
    },
    plugins: { legend: legend(series.length > 1) },
  };
  const rows = labels.map((label, index) => [label, ...series.map((line) => line.values[index])]);
  return plot.draw(() => ({ type: "bar", data: { labels, datasets }, options }), { columns: [heading, ...series.map((line) => line.label)], rows });
}
