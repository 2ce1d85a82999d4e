/** The clock of the playback: which tick is shown, and whether it is playing. */

import { clamp } from "../data/clamp.js";
import { TICK_SECONDS } from "../data/gametime.js";
import { inParts } from "../data/parts.js";

/**
 * How many game seconds a second of real time takes, by the number that an address gives for it, from slow to fast.
 * 0 to 5 are those of GenerativeAgentsCN: at 0 somebody walks a pixel in a 60th of a second, at each next one twice as far.
 * @type {ReadonlyMap<number, number>}
 */
export const SPEEDS = new Map([
  [-4, 1],
  [-3, 2],
  [-2, 5],
  [-1, 10],
  [0, 18.75],
  [1, 37.5],
  [2, 75],
  [3, 150],
  [6, 240],
  [4, 300],
  [5, 600],
]);
export const LEVELS = [...SPEEDS.keys()];
const LONGEST_FRAME = 0.25; // seconds; a page that was hidden does not leap
const LINE_SECONDS = 2.8; // that a line takes at least in a conversation of the one followed
const SKIMMED = 1800; // game seconds a second while nearly all sleep
const HURRY = 0.9; // share of the time until what is hurried to that passes in a second
const SLOW = 18.75; // game seconds a second; below this speed nights are to be seen as they are
const HURRIED = 150; // game seconds a second; above this speed conversations are not slowed down

export class Player {
  /**
   * @param {import("../data/frames.js").FrameBuffer} frames
   * @param {{tick: number, speed: number}} start
   */
  constructor(frames, { tick, speed }) {
    this.frames = frames;
    this.tick = clamp(tick, 0, frames.end);
    this.speed = speed;
    this.playing = false;
    /** @type {import("../data/shapes.js").ConversationView | undefined} the conversation that is to be read */
    this.listening = undefined;
    this.asleep = false; // whether nearly all sleep
    this.due = 0; // the tick that is hurried to, if it is to come
    /** @type {[number, number] | null} the ticks between which time goes round */
    this.range = null;
    this.sought = 0; // how often the moment shown was changed by a leap
  }

  /** Game seconds in a second, as chosen. */
  get times() {
    return SPEEDS.get(this.speed) ?? 1;
  }

  /** Game seconds in a second, as they pass: a conversation that is listened to goes at a reader's pace, and hours in which nearly all sleep are skimmed. */
  get pace() {
    const conversation = this.listening;
    if (this.due > this.tick) return clamp((this.due - this.tick) * TICK_SECONDS * HURRY, Math.min(this.times, SKIMMED), SKIMMED);
    if (!conversation && this.asleep && this.times >= SLOW) return Math.max(this.times, SKIMMED);
    if (!conversation || this.times > HURRIED) return this.times;
    return Math.min(this.times, (conversation.ticks * TICK_SECONDS) / (Math.max(1, inParts(conversation).lines.length) * LINE_SECONDS));
  }

  /** Whether the moment shown has not been fetched yet. */
  get waiting() {
    return !this.frames.at(this.tick);
  }

  get atEnd() {
    return this.tick >= this.frames.end;
  }

  /** Starts or stops; at the end of a finished run it starts from the beginning, at that of another it waits for more. */
  toggle() {
    if (!this.playing && this.atEnd && this.frames.finished) this.tick = 0;
    this.playing = !this.playing;
  }

  /** Leaps to a moment. @param {number} tick */
  seek(tick) {
    this.sought++;
    this.glide(tick);
  }

  /** Goes on to a moment. @param {number} tick */
  glide(tick) {
    this.tick = clamp(tick, 0, this.frames.end);
  }

  /** Plays what lies between two moments again and again; nothing where they are the same. @param {number} one @param {number} other */
  repeat(one, other) {
    const [from, to] = [one, other].map((tick) => clamp(Math.round(tick), 0, this.frames.end)).sort((a, b) => a - b);
    this.range = from < to ? [from, to] : null;
  }

  /** To the beginning of a step before or after. @param {number} by */
  skip(by) {
    const { ticks } = this.frames;
    this.seek((by > 0 ? Math.floor(this.tick / ticks) + by : Math.ceil(this.tick / ticks) + by) * ticks);
  }

  /** Place of the speed among `LEVELS`. */
  get level() {
    return Math.max(0, LEVELS.indexOf(this.speed));
  }

  set level(level) {
    this.speed = LEVELS[clamp(level, 0, LEVELS.length - 1)];
  }

  /** Advances by real time. @param {number} seconds */
  advance(seconds) {
    this.frames.want(this.tick);
    if (!this.playing || this.waiting) return;
    const before = this.tick;
    this.glide(before + (Math.min(seconds, LONGEST_FRAME) * this.pace) / TICK_SECONDS);
    const [from, to] = this.range ?? [0, Infinity];
    if (before < to && this.tick >= to) this.glide(from);
    if (this.atEnd && this.frames.finished) this.playing = false;
  }
}
