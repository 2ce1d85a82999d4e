/** Who knows what: of a storyline, a word or a memory, who told whom as a tree, how many know over time, and who knows on the map. */

import { Plot, colour, overTime } from "./charts.js";
import { button, make, setText } from "./dom.js";
import { t } from "./i18n.js";

const RECENT = 360; // ticks for which the map shows who has just told whom

/** @typedef {import("./tabs.js").Context} Context */
/** @typedef {{who: string, from: string, tick: number, step: number, talk: string, memory: number, text: string}} Learning */

export class SpreadPlot {
  /** @param {string} topic as the API takes it, "" for none @param {(topic: string) => void} choose */
  constructor(topic, choose) {
    this.topic = topic;
    this.story = /** @type {HTMLSelectElement} */ (make("select"));
    this.story.addEventListener("change", () => choose(this.story.value ? `story=${encodeURIComponent(this.story.value)}` : ""));
    this.word = /** @type {HTMLInputElement} */ (make("input"));
    this.word.type = "search";
    this.word.maxLength = 200;
    this.word.value = new URLSearchParams(topic).get("text") ?? ""; // here, since what is being typed outlasts the next answer
    const form = make("form", "asked", make("label", "", make("span", "", t("spread_word")), this.word));
    form.addEventListener("submit", (event) => (event.preventDefault(), choose(this.word.value.trim() ? `text=${encodeURIComponent(this.word.value.trim())}` : "")));
    this.summary = make("p", "quietly");
    this.growth = new Plot(t("spread_growth"));
    this.tree = make("ul", "tree");
    this.tree.setAttribute("aria-label", t("spread_tree"));
    this.growth.element.hidden = true;
    this.element = make("div", "", make("label", "asked", make("span", "", t("spread_story")), this.story), form, this.summary, this.growth.element, this.tree);
    /** @type {Learning[]} */
    this.learned = [];
    /** @type {Map<string, Learning>} */
    this.known = new Map();
    /** @type {Map<string, HTMLElement>} */
    this.items = new Map();
    /** @type {import("./stage.js").Stage | null} */
    this.stage = null;
    this.overlay = (/** @type {import("./stage.js").Stage} */ stage, /** @type {number} */ tick) => this.draw(stage, tick);
  }

  query() {
    return this.topic ? `spread?${this.topic}` : "spread";
  }

  destroy() {
    this.growth.destroy();
    this.stage?.overlays.delete(this.overlay);
  }

  /** @param {any} data @param {Context} context */
  fill(data, context) {
    this.story.replaceChildren(new Option(t("spread_choose"), ""), ...data.stories.map((/** @type {any} */ one) => new Option(one.title, one.id)));
    for (const option of this.story.options) option.lang = context.run.lang;
    this.story.value = new URLSearchParams(this.topic).get("story") ?? "";
    this.learned = data.learned ?? [];
    this.known = new Map(this.learned.map((one) => [one.who, one]));
    this.growth.element.hidden = !this.learned.length;
    this.stage = context.stage;
    context.stage.overlays.add(this.overlay);
    this.grow(context);
    this.plant(context);
  }

  /** How many know, over time. @param {Context} context */
  grow(context) {
    const { run, timeline } = context;
    const width = Math.max(run.ticks, 60);
    const bins = Math.max(1, Math.ceil((timeline.steps * run.ticks) / width));
    const values = Array.from({ length: bins }, (_, at) => this.learned.filter((one) => one.tick <= (at + 1) * width).length);
    overTime(this.growth, { bins, width, last: timeline.steps }, [{ label: t("spread_knowers"), values, colour: colour("accent"), area: true }], context);
  }

  /** The tree: below each, whom it told; those whom nobody told are its roots. @param {Context} context */
  plant(context) {
    this.items.clear();
    const below = (/** @type {string} */ from) => this.learned.filter((one) => (this.known.has(one.from) ? one.from : "") === from && one.who !== from);
    const branch = (/** @type {Learning} */ one, /** @type {number} */ depth) => {
      const item = make("li", "", this.row(one, context));
      const told = depth < this.known.size ? below(one.who).filter((next) => this.known.get(next.who)?.tick !== undefined && next.tick >= one.tick) : [];
      if (told.length) item.append(make("ul", "", ...told.map((next) => branch(next, depth + 1))));
      this.items.set(one.who, item);
      return item;
    };
    this.tree.replaceChildren(...below("").map((one) => branch(one, 0)));
  }

  /** @param {Learning} one @param {Context} context */
  row(one, { tabs, time, seek, follow, run }) {
    const at = one.step ? `${time.day(one.tick).split(" · ")[1]} ${time.clock(one.tick)}` : t("spread_start");
    const row = button("knower", () => (follow(one.who), seek(Math.max(0, one.tick))), make("b", "", tabs.name(one.who)), make("time", "", at));
    row.title = one.text;
    const text = make("span", "words", one.text);
    text.lang = run.lang;
    row.append(text);
    return row;
  }

  /** @param {Context} context */
  show(context) {
    const { tick, run, time } = context;
    const count = this.learned.filter((one) => one.tick <= tick).length;
    const values = { count, of: run.residents.length, time: time.clock(tick) };
    setText(this.summary, this.learned.length ? t("spread_by_now", values) : this.topic ? t("spread_nobody") : t("spread_hint"));
    for (const [who, item] of this.items) item.classList.toggle("later", (this.known.get(who)?.tick ?? 0) > tick);
    this.growth.moment(tick);
  }

  /** Marks on the map who knows, and draws a line from who has just told to who was told. @param {import("./stage.js").Stage} stage @param {number} tick */
  draw(stage, tick) {
    if (!this.element.isConnected || this.element.closest("[hidden]")) return;
    const { context } = stage;
    const figures = new Map(stage.figures.map((one) => [one.id, one]));
    context.save();
    for (const one of this.learned) {
      const figure = figures.get(one.who);
      if (!figure || one.tick > tick) continue;
      const [x, y] = middle(figure);
      ring(context, x, y, figure.size, one.from ? colour("plot-2") : colour("warm"));
      const teller = figures.get(one.from);
      if (teller && tick - one.tick < RECENT) arc(context, middle(teller), [x, y], 1 - (tick - one.tick) / RECENT);
    }
    context.restore();
  }
}

/** @param {{x: number, y: number, size: number}} figure @returns {[number, number]} */
const middle = (figure) => [figure.x + figure.size / 2, figure.y + figure.size * 0.9];

/** A ring about somebody's feet, with a light edge so that it is seen on any ground. @param {CanvasRenderingContext2D} context @param {number} x @param {number} y @param {number} size @param {string} stroke */
function ring(context, x, y, size, stroke) {
  context.beginPath();
  context.ellipse(x, y, Math.max(9, size * 0.8), Math.max(5, size * 0.45), 0, 0, 2 * Math.PI);
  context.fillStyle = stroke;
  context.globalAlpha = 0.4;
  context.fill();
  context.globalAlpha = 1;
  for (const [width, style] of /** @type {[number, string][]} */ ([[5, "#fffdf6"], [3, stroke]])) {
    context.lineWidth = width;
    context.strokeStyle = style;
    context.stroke();
  }
}

/** @param {CanvasRenderingContext2D} context @param {[number, number]} from @param {[number, number]} to @param {number} strength 0 to 1 */
function arc(context, from, to, strength) {
  context.globalAlpha = strength;
  context.strokeStyle = colour("plot-2");
  context.lineWidth = 3;
  context.beginPath();
  context.moveTo(...from);
  context.quadraticCurveTo((from[0] + to[0]) / 2, Math.min(from[1], to[1]) - 60, ...to);
  context.stroke();
  context.globalAlpha = 1;
}
