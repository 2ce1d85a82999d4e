/** Where a resident has been: its trail and how long it stayed where, drawn over the town and as bars. */

import { Latest } from "../data/api.js";
import { duration } from "../data/gametime.js";
import { t } from "../data/i18n.js";
import { make } from "../dom.js";
import { bar, empty, segments } from "./cards.js";

/** @typedef {import("./tabs.js").Context} Context */
/** @typedef {import("../stage/stage.js").Stage} Stage */

const DAY = 24 * 60; // minutes
const HOT = 0.75; // opacity where it stayed longest
const FEWEST = 0.12; // opacity of a tile that was merely passed
const HUE = "232 72 60"; // of the heat: red, seen on grass, floor and at night
const WAY = "#fff3c4";
const EDGE = "rgb(40 20 60 / 75%)";

export class Whereabouts {
  /** @param {() => boolean} wanted whether they are to be seen on the stage now */
  constructor(wanted) {
    this.wanted = wanted;
    this.span = "day";
    this.drawn = new Set(["trail", "heat"]);
    this.answers = new Latest();
    this.list = make("ul", "place-bars");
    /** @type {{at: [number, number], moves: number[], stood: number[]} | null} */
    this.trailData = null;
    /** @type {Context | null} */
    this.context = null;
    const spans = { day: t("Today"), run: t("Since the start") };
    const choose = segments(t("Time shown"), spans, this.span, (id) => ((this.span = id), this.context?.tabs.refresh()));
    this.element = make("div", "ways", choose, make("div", "checks", this.check("trail", t("Trail")), this.check("heat", t("Heat map"))), this.list);
  }

  /** @param {string} what @param {string} words */
  check(what, words) {
    const input = /** @type {HTMLInputElement} */ (make("input"));
    Object.assign(input, { type: "checkbox", checked: true, name: what });
    input.addEventListener("change", () => (input.checked ? this.drawn.add(what) : this.drawn.delete(what)));
    return make("label", "check", input, words);
  }

  /** @param {Context} context */
  show(context) {
    this.context = context;
    context.stage.overlays.add(this.draw);
    const { run, resident, time, tick } = context;
    const step = Math.max(1, context.step);
    const dayBegan = Math.floor(time.midnight(tick) / run.ticks) + 1;
    const from = this.span === "day" ? Math.max(1, Math.min(step, dayBegan)) : 1;
    const query = { from, to: step };
    this.answers.ask(
      run.name,
      `residents/${resident}/trail`,
      query,
      (trailData) => this.fill(context, trailData),
      (problem) => this.list.replaceChildren(empty(problem)),
    );
  }

  /** @param {Context} context @param {import("../data/trails.js").TrailView} trailData */
  fill(context, trailData) {
    this.trailData = trailData;
    const most = Math.max(1, trailData.places[0]?.minutes ?? 1);
    const items = trailData.places.filter((place) => place.minutes > 0);
    this.list.replaceChildren(
      ...items.map(({ address, minutes }) => {
        const name = make("span", "place", context.tabs.place(address));
        name.lang = context.run.lang;
        return make("li", "", name, make("span", "time", duration(minutes)), bar(minutes / most));
      }),
    );
  }

  /** What the stage calls in every frame; it is bound, so that the stage can hold it. @param {Stage} stage @param {number} tick */
  draw = (stage, tick) => {
    if (!this.wanted() || !this.trailData) return;
    stage.context.save();
    if (this.drawn.has("heat")) this.heat(stage, this.trailData.stood);
    if (this.drawn.has("trail")) this.trail(stage, this.trailData, tick);
    stage.context.restore();
  };

  /** A heat map of the time spent on each tile; logarithmic, as otherwise only the bed would be seen. @param {Stage} stage @param {number[]} stood */
  heat({ context, camera, tile }, stood) {
    const size = tile * camera.zoom;
    const most = Math.log1p(DAY);
    for (let at = 0; at < stood.length; at += 3) {
      const [x, y] = camera.toScreen(stood[at] * tile, stood[at + 1] * tile);
      if (x < -size || y < -size || x > camera.width || y > camera.height) continue;
      const share = Math.min(1, Math.log1p(stood[at + 2] / 6) / most);
      context.fillStyle = `rgb(${HUE} / ${FEWEST + (HOT - FEWEST) * share})`;
      context.beginPath();
      context.roundRect(x + size * 0.06, y + size * 0.06, size * 0.88, size * 0.88, size * 0.25);
      context.fill();
    }
  }

  /** @param {Stage} stage @param {{at: [number, number], moves: number[]}} way @param {number} tick */
  trail({ context, camera, tile }, { at, moves }, tick) {
    context.lineJoin = context.lineCap = "round";
    context.beginPath();
    const middle = (/** @type {number} */ column, /** @type {number} */ row) => camera.toScreen((column + 0.5) * tile, (row + 0.5) * tile);
    context.moveTo(...middle(...at));
    for (let i = 0; i < moves.length && moves[i] <= tick; i += 3) context.lineTo(...middle(moves[i + 1], moves[i + 2]));
    for (const [style, width] of /** @type {[string, number][]} */ ([
      [EDGE, 5],
      [WAY, 2.5],
    ])) {
      context.strokeStyle = style;
      context.lineWidth = width;
      context.stroke();
    }
  }
}
