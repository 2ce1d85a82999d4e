/**
 * Speech bubbles: elements over the stage, one for each conversation, so that the browser lays out the words.
 *
 * A line that has appeared stays for as long as it takes to read, also when the town's time has gone on: where time
 * goes fast, the bubble passes over lines, ends with the last, and stays a while after the talk.
 */

import { clamp } from "./camera.js";
import { overlap } from "./room.js";
import { lineAt } from "./timeline.js";

const LONGEST = 140; // letters in a bubble; the panel has the whole line
const EDGE = 8;
const TAIL = 10; // pixels between a head and its bubble
const AT_MOST = { wide: 6, narrow: 3 };
const NARROW = 600; // pixels
const LEAP = 1.5; // seconds of play that the clock may go on by at once; more is a jump
const BROAD = /[⺀-鿿豈-﫿＀-￯]/u; // letters that stand for a whole word

/** @typedef {import("./types.js").Talk} Talk */
/** @typedef {import("./room.js").Box} Box */
/** @typedef {{talk: Talk, element: HTMLElement, words: Text, who: HTMLElement, line: number, until: number, width: number, height: number}} Bubble */

/** Milliseconds that a line takes to read at least. @param {string} text */
export function readingTime(text) {
  const letters = [...text].slice(0, LONGEST);
  const broad = letters.filter((letter) => BROAD.test(letter)).length;
  return Math.min(2800, 800 + 14 * letters.length + 34 * broad);
}

export class Bubbles {
  /** @param {HTMLElement} layer @param {import("./stage.js").Stage} stage @param {import("./player.js").Player} player */
  constructor(layer, stage, player) {
    this.layer = layer;
    this.stage = stage;
    this.player = player;
    /** @type {Map<string, Bubble>} by talk */
    this.shown = new Map();
    /** @type {Box[]} where bubbles were drawn last */
    this.taken = [];
    this.buttons = /** @type {HTMLElement} */ (layer.parentElement?.querySelector(".zoom"));
    this.size = "";
    /** @type {Box} where the buttons are */
    this.kept = { left: 0, top: 0, right: 0, bottom: 0 };
    this.before = 0;
    this.names = new Map(stage.run.residents.map((one) => [one.id, one.name]));
  }

  /** Those who speak in a bubble that is seen. @returns {Set<string>} */
  get speaking() {
    return new Set([...this.shown.values()].filter((one) => !one.element.hidden).map((one) => one.talk.lines[one.line]?.speaker));
  }

  /** @param {number} tick @param {number} now milliseconds */
  draw(tick, now) {
    const leap = Math.abs(tick - this.before) > (this.player.pace / 10) * LEAP || tick < this.before;
    const steady = this.player.playing && !leap;
    this.before = tick;
    for (const [id, bubble] of this.shown) if (!this.lasts(bubble, tick, now, steady)) this.drop(id);
    this.keep();
    const wanted = this.wanted(tick);
    const taken = (this.taken = /** @type {Box[]} */ ([]));
    const most = this.stage.camera.width < NARROW ? AT_MOST.narrow : AT_MOST.wide;
    for (const talk of wanted) {
      if (taken.length >= most) this.drop(talk.id);
      else this.place(this.current(talk, tick, now, steady), taken);
    }
  }

  /** Where the buttons are that zoom; asked for again when the stage has another size. */
  keep() {
    const { camera } = this.stage;
    const size = `${camera.width},${camera.height}`;
    if (size === this.size) return;
    this.size = size;
    const { offsetLeft: left, offsetTop: top, offsetWidth: width, offsetHeight: height } = this.buttons;
    this.kept = { left, top, right: left + width, bottom: top + height };
  }

  /** Moves a box from under the buttons: beside them, or below where there is no room. @param {Box} box */
  clear(box) {
    if (!overlap(box, this.kept)) return;
    const [width, height] = [box.right - box.left, box.bottom - box.top];
    const left = this.kept.left - width - EDGE;
    if (left >= EDGE) Object.assign(box, { left, right: left + width });
    else Object.assign(box, { top: this.kept.bottom + EDGE, bottom: this.kept.bottom + EDGE + height });
  }

  /** Whether a bubble is still to be seen. @param {Bubble} bubble @param {number} tick @param {number} now @param {boolean} steady */
  lasts({ talk, until }, tick, now, steady) {
    if (talk.tick <= tick && tick < talk.tick + talk.ticks) return true;
    return tick >= talk.tick && now < until && (steady || !this.player.playing) && tick - talk.tick - talk.ticks < this.player.times;
  }

  /** @param {string} id */
  drop(id) {
    this.shown.get(id)?.element.remove();
    this.shown.delete(id);
  }

  /** The talks in sight, those that matter most first: of the one followed, then those already shown, then what is nearest to the middle. @param {number} tick */
  wanted(tick) {
    const { camera, followed, figures } = this.stage;
    const seen = new Map(figures.map((one) => [one.id, one]));
    const held = this.stage.timeline.talks(tick);
    const ids = new Set(held.map((talk) => talk.id));
    const talks = [...held, ...[...this.shown.values()].map((one) => one.talk).filter((talk) => !ids.has(talk.id))];
    const rank = (/** @type {Talk} */ talk) => {
      const figure = seen.get(talk.opener) ?? seen.get(talk.partner);
      if (!figure || figure.x < -figure.size || figure.y < 0 || figure.x > camera.width || figure.head > camera.height) return Infinity;
      if (followed && (talk.opener === followed || talk.partner === followed)) return -2;
      if (this.shown.has(talk.id)) return -1;
      return Math.hypot(figure.x - camera.width / 2, figure.y - camera.height / 2);
    };
    const ranked = talks.map((talk) => ({ talk, rank: rank(talk) })).sort((a, b) => a.rank - b.rank);
    for (const { talk, rank } of ranked) if (rank === Infinity) this.drop(talk.id);
    return ranked.filter((one) => one.rank < Infinity).map((one) => one.talk);
  }

  /** The bubble of a talk with the line that it shows now. @param {Talk} talk @param {number} tick @param {number} now @param {boolean} steady @returns {Bubble} */
  current(talk, tick, now, steady) {
    let bubble = this.shown.get(talk.id);
    if (!bubble) {
      bubble = create(talk);
      this.layer.append(bubble.element);
      this.shown.set(talk.id, bubble);
    }
    const last = Math.max(0, talk.lines.length - 1);
    const line = clamp(lineAt(talk, tick), 0, last);
    if (line === bubble.line || (steady && now < bubble.until && line > bubble.line)) return bubble;
    const left = ((talk.tick + talk.ticks - tick) * 10_000) / this.player.pace;
    this.write(bubble, steady && left < readingTime(talk.lines[line]?.text ?? "") ? last : line, now);
    return bubble;
  }

  /** @param {Bubble} bubble @param {number} line @param {number} now */
  write(bubble, line, now) {
    const { speaker, text } = bubble.talk.lines[line] ?? { speaker: "", text: "" };
    const letters = [...text];
    bubble.words.data = letters.length > LONGEST ? `${letters.slice(0, LONGEST).join("").trimEnd()}…` : text;
    const passed = line > bubble.line + 1;
    bubble.who.hidden = !passed;
    if (passed) bubble.who.textContent = `${this.names.get(speaker) ?? speaker} · ${line + 1}/${bubble.talk.lines.length}`;
    Object.assign(bubble, { line, width: 0, until: now + readingTime(text) });
  }

  /** Above its speaker, or above another bubble that lies there; where there is no room for it, it is hidden. @param {Bubble} bubble @param {Box[]} taken */
  place(bubble, taken) {
    const spoken = bubble.talk.lines[bubble.line];
    const figure = this.stage.figures.find((one) => one.id === spoken?.speaker);
    bubble.element.hidden = !figure;
    if (!figure) return;
    if (!bubble.width) [bubble.width, bubble.height] = [bubble.element.offsetWidth, bubble.element.offsetHeight];
    const { camera } = this.stage;
    const { width, height, element } = bubble;
    const middle = figure.x + figure.size / 2;
    const left = clamp(middle - width / 2, EDGE, Math.max(EDGE, camera.width - width - EDGE));
    const top = Math.max(EDGE, figure.head - height - TAIL);
    const box = { left, top, right: left + width, bottom: top + height };
    this.clear(box);
    const hit = taken.find((other) => overlap(other, box));
    if (hit) Object.assign(box, { top: hit.top - height - 6, bottom: hit.top - 6 });
    if (hit && (box.top < EDGE || overlap(box, this.kept) || hit.top - box.bottom > 40 || taken.some((other) => overlap(other, box)))) {
      element.hidden = true;
      return;
    }
    taken.push(box);
    element.style.transform = `translate(${Math.round(box.left)}px, ${Math.round(box.top)}px)`;
    element.style.setProperty("--tail", `${Math.round(clamp(middle - box.left, 14, width - 14))}px`);
  }
}

/** @param {Talk} talk @returns {Bubble} */
function create(talk) {
  const element = document.createElement("div");
  const who = document.createElement("b");
  const words = document.createTextNode("");
  element.className = "bubble";
  who.hidden = true;
  element.append(who, words);
  return { talk, element, words, who, line: -1, until: 0, width: 0, height: 0 };
}
