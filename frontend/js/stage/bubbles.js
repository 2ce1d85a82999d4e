/**
 * Speech bubbles: elements over the stage, one for each conversation, so that the browser lays out the words.
 *
 * A line that has appeared stays for as long as it takes to read, also when the town's time has gone on: where time
 * goes fast, the bubble skips lines, ends with the last, and stays a while after the conversation.
 */

import { castOf } from "../data/cast.js";
import { clamp } from "../data/clamp.js";
import { lineAt } from "../data/frames.js";
import { inParts } from "../data/parts.js";
import { overlap } from "./boxes.js";
import { clearOf, EDGE, faceOf, placesFor } from "./bubble_place.js";
import { darkness } from "./daylight.js";

const OVER = ".zoom, #eye-line, #beside-line, #lecture-bar"; // what lies over the top of the stage
const AT_MOST = { wide: 6, narrow: 3 };
const NARROW = 600; // pixels
const LEAP = 1.5; // seconds of play that the clock may go on by at once; more is a jump
const SPOKEN = 0.6; // share of its reading time in which a line is written, as if it were said
const BROAD = /[⺀-鿿豈-﫿＀-￯]/u; // letters that stand for a whole word

/** @typedef {import("../data/shapes.js").ConversationView} Conversation */
/** @typedef {import("./boxes.js").Box} Box */
/** @typedef {{conversation: Conversation, element: HTMLElement, words: Text, rest: HTMLElement, letters: string[], begun: number, who: HTMLElement, chip: HTMLImageElement, line: number, until: number, left: number, top: number, tail: number, width: number, height: number}} Bubble */

/** The least milliseconds that a line takes to read. @param {string} text */
export function readingTime(text) {
  const letters = [...text];
  const broad = letters.filter((letter) => BROAD.test(letter)).length;
  return Math.min(2800, 800 + 14 * letters.length + 34 * broad);
}

export class Bubbles {
  /** @param {HTMLElement} layer @param {import("./stage.js").Stage} stage @param {import("./player.js").Player} player @param {boolean} [writes] lines as if they were said */
  constructor(layer, stage, player, writes = false) {
    this.writes = writes;
    this.layer = layer;
    this.stage = stage;
    this.player = player;
    /** @type {Map<string, Bubble>} by conversation */
    this.shown = new Map();
    /** @type {Box[]} where bubbles were drawn last */
    this.taken = [];
    /** @type {Box[]} where what lies over the stage is, from top to bottom */
    this.kept = [];
    this.keepClear();
    this.before = 0;
    /** @type {Box[]} of those who talk */
    this.faces = [];
  }

  /** The lines in visible bubbles, by conversation. @returns {Map<string, import("./manners.js").Spoken>} */
  get lines() {
    const visible = [...this.shown].filter(([, { element, line }]) => !element.hidden && line >= 0);
    return new Map(visible.map(([id, { conversation, line }]) => [id, { ...conversation.lines[line], at: line }]));
  }

  /** What is in sight of them, for a picture. @returns {import("../share/picture.js").Said[]} */
  get said() {
    return [...this.shown.values()].flatMap(({ element, who, chip, letters, width, height, left, top, tail }) =>
      element.hidden ? [] : [{ x: left, y: top, width, height, tail, name: who.textContent ?? "", face: chip.hidden ? null : chip, text: letters.join("") }],
    );
  }

  /** @param {number} tick @param {number} now milliseconds */
  draw(tick, now) {
    const leap = Math.abs(tick - this.before) > (this.player.pace / 10) * LEAP || tick < this.before;
    const steady = this.player.playing && !leap;
    this.before = tick;
    for (const [id, bubble] of this.shown) if (!this.lasts(bubble, tick, now, steady)) this.drop(id);
    const wanted = this.wanted(tick);
    const talking = new Set(wanted.flatMap(({ people }) => people));
    this.faces = this.stage.figures.filter(({ id }) => talking.has(id)).map(faceOf);
    this.layer.style.setProperty("--dark", darkness(this.stage.time.hour(tick)).toFixed(2));
    const taken = (this.taken = /** @type {Box[]} */ ([]));
    const most = this.stage.camera.width < NARROW ? AT_MOST.narrow : AT_MOST.wide;
    for (const conversation of wanted) {
      if (taken.length >= most) this.drop(conversation.id);
      else this.place(this.current(conversation, tick, now, steady), taken);
    }
  }

  /** Measures what lies over the top of the stage, again whenever the stage or one of these changes size. */
  keepClear() {
    const over = /** @type {HTMLElement[]} */ ([...(this.layer.parentElement?.querySelectorAll(OVER) ?? [])]);
    const measure = () => {
      this.kept = over
        .filter((each) => each.offsetWidth)
        .map(({ offsetLeft: left, offsetTop: top, offsetWidth: width, offsetHeight: height }) => ({ left, top, right: left + width, bottom: top + height }))
        .sort((one, other) => one.top - other.top);
    };
    const observer = new ResizeObserver(measure);
    for (const each of [this.layer, ...over]) observer.observe(each);
    measure();
  }

  /** Moves a box from under what lies over the stage: beside it, or below where there is no room. @param {Box} box */
  clear(box) {
    const [width, height] = [box.right - box.left, box.bottom - box.top];
    for (const kept of this.kept.filter((each) => overlap(box, each))) {
      const left = kept.left - width - EDGE;
      if (left >= EDGE) Object.assign(box, { left, right: left + width });
      else Object.assign(box, { top: kept.bottom + EDGE, bottom: kept.bottom + EDGE + height });
    }
  }

  /** Whether a bubble is still to be seen. @param {Bubble} bubble @param {number} tick @param {number} now @param {boolean} steady */
  lasts({ conversation, until }, tick, now, steady) {
    if (conversation.tick <= tick && tick < conversation.tick + conversation.ticks) return true;
    return tick >= conversation.tick && now < until && (steady || !this.player.playing) && tick - conversation.tick - conversation.ticks < this.player.times;
  }

  /** @param {string} id */
  drop(id) {
    this.shown.get(id)?.element.remove();
    this.shown.delete(id);
  }

  /** The conversations in sight by priority: that of the followed resident, then those already shown, then those nearest to the middle; one that alone is to be shown hides the others. @param {number} tick */
  wanted(tick) {
    const { camera, followed, figures } = this.stage;
    const seen = new Map(figures.map((figure) => [figure.id, figure]));
    const held = this.stage.frames.conversations(tick);
    const ids = new Set(held.map((conversation) => conversation.id));
    const conversations = [...held, ...[...this.shown.values()].map((bubble) => bubble.conversation).filter((conversation) => !ids.has(conversation.id))];
    const only = ids.has(this.stage.only) ? this.stage.only : "";
    const rank = (/** @type {Conversation} */ conversation) => {
      if (only && conversation.id !== only) return Infinity;
      const figure = conversation.people.map((who) => seen.get(who)).find(Boolean);
      if (!figure || figure.x < -figure.size || figure.y < 0 || figure.x > camera.width || figure.head > camera.height) return Infinity;
      if (followed && conversation.people.includes(followed)) return -2;
      if (this.shown.has(conversation.id)) return -1;
      return Math.hypot(figure.x - camera.width / 2, figure.y - camera.height / 2);
    };
    const ranked = conversations.map((conversation) => ({ conversation, rank: rank(conversation) })).sort((a, b) => a.rank - b.rank);
    for (const { conversation, rank } of ranked) if (rank === Infinity) this.drop(conversation.id);
    return ranked.filter((entry) => entry.rank < Infinity).map((entry) => entry.conversation);
  }

  /** The bubble of a conversation, with the line that it shows now. @param {Conversation} conversation @param {number} tick @param {number} now @param {boolean} steady @returns {Bubble} */
  current(conversation, tick, now, steady) {
    let bubble = this.shown.get(conversation.id);
    if (!bubble) {
      bubble = create(inParts(conversation));
      this.layer.append(bubble.element);
      this.shown.set(conversation.id, bubble);
    }
    const { lines } = bubble.conversation;
    const last = Math.max(0, lines.length - 1);
    const line = clamp(lineAt(bubble.conversation, tick), 0, last);
    if (line !== bubble.line && !(steady && now < bubble.until && line > bubble.line)) {
      const left = ((conversation.tick + conversation.ticks - tick) * 10_000) / this.player.pace;
      this.write(bubble, steady && left < readingTime(lines[line]?.text ?? "") ? last : line, now);
    }
    this.say(bubble, steady ? now : Infinity);
    return bubble;
  }

  /** Shows as much of a line as has been said by now; what has not takes its room already. @param {Bubble} bubble @param {number} now */
  say({ words, rest, letters, begun, until }, now) {
    const share = this.writes ? Math.min(1, (now - begun) / (until - begun) / SPOKEN) : 1;
    const said = letters.slice(0, Math.ceil(share * letters.length)).join("");
    if (words.data === said) return;
    words.data = said;
    rest.textContent = letters.join("").slice(said.length);
  }

  /** @param {Bubble} bubble @param {number} line @param {number} now */
  write(bubble, line, now) {
    const { speaker, text } = bubble.conversation.lines[line] ?? { speaker: "", text: "" };
    bubble.words.data = "";
    bubble.rest.textContent = text;
    const { name, portrait } = castOf(this.stage.run).residents.get(speaker) ?? { name: speaker, portrait: null };
    bubble.chip.hidden = !portrait;
    if (portrait) bubble.chip.src = portrait;
    bubble.who.textContent = line > bubble.line + 1 ? `${name} · ${line + 1}/${bubble.conversation.lines.length}` : name;
    Object.assign(bubble, { line, letters: [...text], width: 0, begun: now, until: now + readingTime(text) });
  }

  /** Above its speaker, or above another bubble that lies there; where there is no room for it, it is hidden. @param {Bubble} bubble @param {Box[]} taken */
  place(bubble, taken) {
    const spoken = bubble.conversation.lines[bubble.line];
    const figure = this.stage.figures.find((figure) => figure.id === spoken?.speaker);
    bubble.element.hidden = !figure;
    if (!figure) return;
    if (!bubble.width) [bubble.width, bubble.height] = [bubble.element.offsetWidth, bubble.element.offsetHeight];
    const { camera } = this.stage;
    const { width, height, element } = bubble;
    const middle = figure.x + figure.size / 2;
    const box = clearOf(placesFor(figure, bubble, camera.width), this.faces);
    this.clear(box);
    const hit = taken.find((other) => overlap(other, box));
    if (hit) Object.assign(box, { top: hit.top - height - 6, bottom: hit.top - 6 });
    if (hit && (box.top < EDGE || this.kept.some((each) => overlap(box, each)) || hit.top - box.bottom > 40 || taken.some((other) => overlap(other, box)))) {
      element.hidden = true;
      return;
    }
    taken.push(box);
    Object.assign(bubble, { left: Math.round(box.left), top: Math.round(box.top), tail: Math.round(clamp(middle - box.left, 14, width - 14)) });
    element.style.transform = `translate(${bubble.left}px, ${bubble.top}px)`;
    element.style.setProperty("--tail", `${bubble.tail}px`);
  }
}

/** @param {Conversation} conversation @returns {Bubble} */
function create(conversation) {
  const element = document.createElement("div");
  const head = document.createElement("b");
  const who = document.createElement("span");
  const chip = document.createElement("img");
  chip.className = "speaker-face";
  chip.alt = "";
  head.append(chip, who);
  const words = document.createTextNode("");
  const rest = document.createElement("span");
  element.className = "bubble";
  rest.className = "unsaid";
  element.append(head, words, rest);
  return { conversation, element, words, rest, letters: [], begun: 0, who, chip, line: -1, until: 0, left: 0, top: 0, tail: 0, width: 0, height: 0 };
}
