/**
 * The timeline below the town, all of it or a stretch: days and hours, night, activity, marks of conversations, reflections and changed plans, the
 * user's own marks, alerts, and the range that is played again and again. The wheel zooms; a drag with the shift key chooses a range.
 */

import { nameIn } from "../data/cast.js";
import { colour } from "../data/colours.js";
import { TICKS_PER_HOUR } from "../data/gametime.js";
import { t } from "../data/i18n.js";
import { TimeView } from "../data/time_view.js";
import { setSigned } from "./emblem.js";
import { darkness } from "../stage/daylight.js";

const INSET = 7; // pixels at both ends: half the slider's thumb
const TOP = 17; // pixels for the hours
const LANE = 6; // pixels of a lane of marks
const FLAG = 7; // pixels of the flag of an own mark
const NEAR = 6; // pixels from which a mark is pointed at
const ZOOM = 1.3; // of a turn of the wheel
const PAN = 0.15; // of what is shown, of a turn of the wheel
const LEAST = 8; // pixels of a drag that chooses a range
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
   * @param {{run: import("../data/shapes.js").RunView, frames: import("../data/frames.js").FrameBuffer, time: import("../data/gametime.js").GameTime, marks: import("../data/marks.js").Marks,
   *          player: import("../stage/player.js").Player, ownMarks: import("../data/own_marks.js").OwnMarks}} parts
   */
  constructor({ canvas, scrub, tip }, { run, frames, time, marks, player, ownMarks }) {
    this.canvas = canvas;
    this.context = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
    this.tip = tip;
    this.frames = frames;
    this.time = time;
    this.marks = marks;
    this.player = player;
    this.ownMarks = ownMarks;
    this.view = new TimeView(frames);
    this.tick = -1; // the moment shown last
    this.grip = -1; // the tick at which the choice of a range began
    this.run = run;
    this.drawn = "";
    this.theme = 0;
    this.width = 0;
    this.height = 0;
    new ResizeObserver(() => this.resize()).observe(canvas);
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.theme++);
    scrub.addEventListener("pointermove", (event) => (this.grip < 0 ? this.point(event.offsetX) : this.choose(event.offsetX)));
    scrub.addEventListener("pointerdown", (event) => event.shiftKey && this.grab(scrub, event));
    scrub.addEventListener("pointerup", () => (this.grip = -1));
    scrub.addEventListener("pointercancel", () => (this.grip = -1));
    scrub.addEventListener("wheel", (event) => this.turn(event), { passive: false });
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
    return INSET + this.view.share(tick) * (this.width - 2 * INSET);
  }

  /** The tick at a place. @param {number} x pixels from the left */
  tickAt(x) {
    return this.view.at(Math.min(1, Math.max(0, (x - INSET) / Math.max(1, this.width - 2 * INSET))));
  }

  /** Zooms about the pointer; sideways, moves. @param {WheelEvent} event */
  turn(event) {
    event.preventDefault();
    const sideways = event.shiftKey ? event.deltaY || event.deltaX : event.deltaX;
    if (Math.abs(sideways) > Math.abs(event.shiftKey ? 0 : event.deltaY)) this.view.pan(Math.sign(sideways) * PAN);
    else if (event.deltaY) this.view.zoom(event.deltaY > 0 ? ZOOM : 1 / ZOOM, this.tickAt(event.offsetX));
  }

  /** Begins to choose a range. @param {HTMLElement} scrub @param {PointerEvent} event */
  grab(scrub, event) {
    event.preventDefault();
    scrub.setPointerCapture(event.pointerId);
    this.grip = this.tickAt(event.offsetX);
  }

  /** Chooses the range up to the pointer. @param {number} x */
  choose(x) {
    const far = Math.abs(x - this.x(this.grip)) >= LEAST;
    this.player.repeat(far ? this.grip : 0, far ? this.tickAt(x) : 0);
    this.point(x);
  }

  /** Draws again if anything it shows has changed. @param {string} followed a resident whose marks stand out, or "" */
  draw(followed) {
    const { view, player, marks, ownMarks } = this;
    if (player.tick !== this.tick) view.reveal((this.tick = player.tick));
    const shows = [followed, view.from, view.to, this.frames.end, marks.version, ownMarks.version, player.range?.join(), this.theme, this.width].join();
    if (shows === this.drawn || !this.width) return;
    this.drawn = shows;
    this.context.clearRect(0, 0, this.width, this.height);
    this.nights(colour("night"));
    this.hours(colour("soft"), colour("line"), colour("ink"));
    this.density(colour("density"));
    const colours = LANES.map(({ kind }) => colour(`mark-${kind}`));
    LANES.forEach(({ counts }, lane) => this.lane(this.marks.all[counts], lane, colours[lane], Boolean(followed)));
    for (const mark of this.marks.own.get(followed) ?? []) this.own(mark, colours);
    for (const { tick, end } of this.marks.all.alerts) this.span(tick, end, this.height - 3, colour("bad"));
    if (this.player.range) this.range(this.player.range, colour("accent"));
    for (const { tick } of this.ownMarks.all) this.flag(tick, colour("followed"));
    this.placeBeside();
  }

  /** @param {string} colour */
  nights(colour) {
    const { context } = this;
    context.fillStyle = colour;
    const quarter = TICKS_PER_HOUR / 4;
    const { from, to } = this.view;
    for (let tick = Math.floor(from / quarter) * quarter; tick < to; tick += quarter) {
      context.globalAlpha = darkness(this.time.hour(tick));
      if (context.globalAlpha > 0.02) context.fillRect(this.x(tick), 0, this.x(Math.min(this.frames.end, tick + quarter)) - this.x(tick) + 0.4, this.height);
    }
    context.globalAlpha = 1;
  }

  /** @param {string} soft @param {string} line @param {string} ink colours */
  hours(soft, line, ink) {
    const { context, view } = this;
    const pixels = (this.width - 2 * INSET) / Math.max(1, (view.to - view.from) / TICKS_PER_HOUR);
    const apart = HOURS.find((hours) => hours * pixels >= LABEL) ?? 168;
    context.textBaseline = "middle";
    const first = Math.ceil(this.time.hour(0) + view.from / TICKS_PER_HOUR - 1e-6);
    let free = -Infinity;
    for (let hour = first; ; hour++) {
      const tick = Math.round((hour - this.time.hour(0)) * TICKS_PER_HOUR);
      if (tick > view.to) break;
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

  /** A mark of the one followed. @param {import("../data/shapes.js").Mark} mark @param {string[]} colours of the lanes */
  own({ tick, kind }, colours) {
    const lane = LANES.findIndex((lane) => lane.kind === kind);
    if (lane < 0) return;
    this.context.fillStyle = colours[lane];
    this.context.fillRect(this.x(tick), TOP + lane * LANE, 3, LANE - 0.5);
  }

  /** A line along a stretch. @param {number} from @param {number} to @param {number} top @param {string} colour */
  span(from, to, top, colour) {
    this.context.fillStyle = colour;
    this.context.fillRect(this.x(from), top, Math.max(2, this.x(to) - this.x(from)), 3);
  }

  /** The range that is played again and again. @param {[number, number]} range @param {string} colour */
  range([from, to], colour) {
    const { context } = this;
    this.span(from, to, 0, colour);
    context.globalAlpha = 0.16;
    context.fillRect(this.x(from), 0, this.x(to) - this.x(from), this.height);
    context.globalAlpha = 1;
  }

  /** A flag at an own mark. @param {number} tick @param {string} colour */
  flag(tick, colour) {
    const { context } = this;
    const x = Math.round(this.x(tick));
    context.fillStyle = colour;
    context.fillRect(x - 1, TOP, 2, this.height - TOP);
    context.beginPath();
    context.moveTo(x + 1, TOP);
    context.lineTo(x + 1 + FLAG, TOP + FLAG / 2);
    context.lineTo(x + 1, TOP + FLAG);
    context.fill();
  }

  /** Brings the strip of a town beside this one to the same stretch. */
  placeBeside() {
    const { view, frames } = this;
    const scale = frames.end / Math.max(1, view.to - view.from);
    const { style } = /** @type {HTMLElement} */ (this.canvas.parentElement);
    style.setProperty("--scale", String(scale));
    style.setProperty("--shift", `${view.share(0) * this.width}px`);
  }

  /** Describes what is under the pointer. @param {number} x */
  point(x) {
    const tick = this.tickAt(x);
    const near = this.tickAt(x + NEAR) - tick;
    const conversation = this.marks.all.held.find(
      (conversation) => Math.abs(conversation.tick + conversation.ticks / 2 - tick) <= near + conversation.ticks / 2,
    );
    const name = (/** @type {string} */ id) => nameIn(this.run, id);
    const moment = `${this.time.day(tick)} · ${this.time.clock(tick)}`;
    const names = new Intl.ListFormat(document.documentElement.lang).format(conversation?.people.map(name) ?? []);
    const marked = this.ownMarks.all.find((mark) => Math.abs(mark.tick - tick) <= near);
    if (marked) setSigned(this.tip, `📌 ${this.time.stamp(marked.tick)} · ${marked.text}`);
    else setSigned(this.tip, conversation ? `💬 ${moment} · ${t("{names} are talking", { names })}` : moment);
    this.tip.hidden = false;
    const left = Math.min(this.width - this.tip.offsetWidth - 4, Math.max(4, x - this.tip.offsetWidth / 2));
    this.tip.style.transform = `translate(${Math.round(left)}px, -100%)`;
  }
}
