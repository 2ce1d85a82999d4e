/** The timeline below the town: days and hours, night, activity, and marks of conversations, reflections and changed plans. */

import { TICKS_PER_HOUR } from "../data/gametime.js";
import { t } from "../data/i18n.js";
import { setSigned } from "./emblem.js";
import { darkness } from "../stage/daylight.js";

const INSET = 7; // pixels at both ends: half the slider's thumb
const TOP = 17; // pixels for the hours
const LANE = 6; // pixels of a lane of marks
const HOURS = [1, 2, 3, 6, 12, 24, 48, 168]; // between two labels
const LABEL = 46; // pixels that a label needs
const FONT = '11px "Nunito Sans", system-ui, -apple-system, "PingFang SC", "Microsoft YaHei", "Noto Sans CJK SC", sans-serif';

/** @typedef {"conversation" | "reflection" | "plan"} Kind */
/** @type {{kind: Kind, counts: "conversations" | "reflections" | "plans"}[]} */
const LANES = [
  { kind: "conversation", counts: "conversations" },
  { kind: "reflection", counts: "reflections" },
  { kind: "plan", counts: "plans" },
];

export class Timeline {
  /**
   * @param {{canvas: HTMLCanvasElement, scrub: HTMLInputElement, tip: HTMLElement}} elements
   * @param {{run: import("../data/shapes.js").RunView, frames: import("../data/frames.js").FrameBuffer, time: import("../data/gametime.js").GameTime, marks: import("../data/marks.js").Marks}} parts
   */
  constructor({ canvas, scrub, tip }, { run, frames, time, marks }) {
    this.canvas = canvas;
    this.context = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
    this.tip = tip;
    this.frames = frames;
    this.time = time;
    this.marks = marks;
    this.names = new Map(run.residents.map((resident) => [resident.id, resident.name]));
    this.drawn = "";
    this.theme = 0;
    this.width = 0;
    this.height = 0;
    new ResizeObserver(() => this.resize()).observe(canvas);
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.theme++);
    scrub.addEventListener("pointermove", (event) => this.point(event.offsetX));
    scrub.addEventListener("pointerleave", () => (this.tip.hidden = true));
  }

  resize() {
    const ratio = devicePixelRatio || 1;
    this.width = this.canvas.clientWidth;
    this.height = this.canvas.clientHeight;
    this.canvas.width = Math.round(this.width * ratio);
    this.canvas.height = Math.round(this.height * ratio);
    this.context.setTransform(ratio, 0, 0, ratio, 0, 0);
    this.drawn = "";
  }

  /** Pixels from the left. @param {number} tick */
  x(tick) {
    return INSET + (tick / Math.max(1, this.frames.end)) * (this.width - 2 * INSET);
  }

  /** Draws again if anything it shows has changed. @param {string} followed a resident whose marks stand out, or "" */
  draw(followed) {
    const shows = [followed, this.frames.end, this.marks.version, this.theme, this.width].join();
    if (shows === this.drawn || !this.width) return;
    this.drawn = shows;
    const style = getComputedStyle(this.canvas);
    const colour = (/** @type {string} */ name) => style.getPropertyValue(`--${name}`);
    this.context.clearRect(0, 0, this.width, this.height);
    this.nights(colour("night"));
    this.hours(colour("soft"), colour("line"), colour("ink"));
    this.density(colour("density"));
    LANES.forEach(({ kind, counts }, lane) => this.lane(this.marks.all[counts], lane, colour(`mark-${kind}`), Boolean(followed)));
    for (const mark of this.marks.own.get(followed) ?? []) this.own(mark, colour(`mark-${mark.kind}`));
  }

  /** @param {string} colour */
  nights(colour) {
    const { context } = this;
    context.fillStyle = colour;
    const quarter = TICKS_PER_HOUR / 4;
    for (let tick = 0; tick < this.frames.end; tick += quarter) {
      context.globalAlpha = darkness(this.time.hour(tick));
      if (context.globalAlpha > 0.02) context.fillRect(this.x(tick), 0, this.x(Math.min(this.frames.end, tick + quarter)) - this.x(tick) + 0.4, this.height);
    }
    context.globalAlpha = 1;
  }

  /** @param {string} soft @param {string} line @param {string} ink colours */
  hours(soft, line, ink) {
    const { context, frames } = this;
    const pixels = (this.x(frames.end) - this.x(0)) / Math.max(1, frames.end / TICKS_PER_HOUR);
    const apart = HOURS.find((hours) => hours * pixels >= LABEL) ?? 168;
    context.textBaseline = "middle";
    const first = Math.ceil(this.time.hour(0) - 1e-6);
    let free = -Infinity;
    for (let hour = first; ; hour++) {
      const tick = Math.round((hour - this.time.hour(0)) * TICKS_PER_HOUR);
      if (tick > frames.end) break;
      if (hour % Math.min(apart, 24) && hour !== first) continue;
      const x = Math.round(this.x(tick)) + 0.5;
      const day = hour % 24 === 0 || hour === first;
      context.fillStyle = line;
      context.fillRect(x, day ? 0 : TOP - 3, 1, this.height);
      const text = day ? this.time.day(tick) : this.time.clock(tick);
      context.font = day ? `600 ${FONT}` : FONT;
      const long = context.measureText(text).width;
      if (x + 4 < free || x + 4 + long > this.width) continue;
      context.fillStyle = day ? ink : soft;
      context.fillText(text, x + 4, TOP / 2 + 0.5);
      free = x + long + 12;
    }
  }

  /** Activity: actions begun, as a curve along the lower edge. @param {string} colour */
  density(colour) {
    const { context, marks } = this;
    const { events, width } = marks.all;
    const most = Math.max(1, ...events);
    const foot = this.height;
    const high = foot - TOP - LANES.length * LANE - 3;
    context.fillStyle = colour;
    context.beginPath();
    context.moveTo(this.x(0), foot);
    events.forEach((count, at) => {
      const top = foot - (count / most) * high;
      context.lineTo(this.x((at + 0.5) * width * this.frames.ticks), top);
    });
    context.lineTo(this.x(Math.min(this.frames.end, events.length * width * this.frames.ticks)), foot);
    context.fill();
  }

  /** A row of marks, more opaque where there are more of them. @param {number[]} counts @param {number} lane @param {string} colour @param {boolean} faint */
  lane(counts, lane, colour, faint) {
    const { context, frames } = this;
    const span = this.marks.all.width * frames.ticks;
    const most = Math.max(1, ...counts);
    const broad = Math.max(1.5, Math.min(6, this.x(span) - this.x(0) - 0.5));
    context.fillStyle = colour;
    counts.forEach((count, at) => {
      if (!count) return;
      context.globalAlpha = (0.35 + 0.65 * Math.sqrt(count / most)) * (faint ? 0.25 : 1);
      context.fillRect(this.x(at * span), TOP + lane * LANE + 1, broad, LANE - 2);
    });
    context.globalAlpha = 1;
  }

  /** A mark of the one followed. @param {import("../data/shapes.js").Mark} mark @param {string} colour */
  own({ tick, kind }, colour) {
    const lane = LANES.findIndex((lane) => lane.kind === kind);
    if (lane < 0) return;
    this.context.fillStyle = colour;
    this.context.fillRect(this.x(tick), TOP + lane * LANE, 3, LANE - 0.5);
  }

  /** Describes what is under the pointer. @param {number} x */
  point(x) {
    const share = Math.min(1, Math.max(0, (x - INSET) / Math.max(1, this.width - 2 * INSET)));
    const tick = share * this.frames.end;
    const near = (6 / Math.max(1, this.width)) * this.frames.end;
    const conversation = this.marks.all.held.find(
      (conversation) => Math.abs(conversation.tick + conversation.ticks / 2 - tick) <= near + conversation.ticks / 2,
    );
    const name = (/** @type {string} */ id) => this.names.get(id) ?? id;
    const moment = `${this.time.day(tick)} · ${this.time.clock(tick)}`;
    const names = new Intl.ListFormat(document.documentElement.lang).format(conversation?.people.map(name) ?? []);
    setSigned(this.tip, conversation ? `💬 ${moment} · ${t("{names} are talking", { names })}` : moment);
    this.tip.hidden = false;
    const left = Math.min(this.width - this.tip.offsetWidth - 4, Math.max(4, x - this.tip.offsetWidth / 2));
    this.tip.style.transform = `translate(${Math.round(left)}px, -100%)`;
  }
}
