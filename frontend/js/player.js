/** The clock of the playback: which tick is shown, and whether it runs. */

import { clamp } from "./camera.js";

export const MAX_SPEED = 5;
const TICKS_PER_SECOND = 60 / 32; // at speed 0, as in GenerativeAgentsCN: a tile of 32 pixels at one pixel a frame
const LONGEST_FRAME = 0.25; // seconds; a page that was hidden does not leap

/** Game ticks in a second of real time. @param {number} speed 0 to 5, each twice as fast as the one before */
export function rate(speed) {
  return TICKS_PER_SECOND * 2 ** speed;
}

export class Player {
  /**
   * @param {import("./timeline.js").Timeline} timeline
   * @param {{tick: number, speed: number}} start
   */
  constructor(timeline, { tick, speed }) {
    this.timeline = timeline;
    this.tick = clamp(tick, 0, timeline.end);
    this.speed = speed;
    this.playing = false;
  }

  /** Whether the moment shown has yet to be fetched. */
  get waiting() {
    return !this.timeline.at(this.tick);
  }

  get atEnd() {
    return this.tick >= this.timeline.end;
  }

  /** Starts or stops; at the end of a finished run it starts from the beginning, at that of another it waits for more. */
  toggle() {
    if (!this.playing && this.atEnd && this.timeline.finished) this.tick = 0;
    this.playing = !this.playing;
  }

  /** @param {number} tick */
  seek(tick) {
    this.tick = clamp(tick, 0, this.timeline.end);
  }

  /** To the beginning of a step before or after. @param {number} by */
  skip(by) {
    const { ticks } = this.timeline;
    this.seek((by > 0 ? Math.floor(this.tick / ticks) + by : Math.ceil(this.tick / ticks) + by) * ticks);
  }

  /** @param {number} by */
  faster(by) {
    this.speed = clamp(this.speed + by, 0, MAX_SPEED);
  }

  /** Lets real time pass. @param {number} seconds */
  advance(seconds) {
    this.timeline.want(this.tick);
    if (!this.playing || this.waiting) return;
    this.seek(this.tick + Math.min(seconds, LONGEST_FRAME) * rate(this.speed));
    if (this.atEnd && this.timeline.finished) this.playing = false;
  }
}
