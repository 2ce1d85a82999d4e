/** The stretch of time that the timeline shows, in ticks: the whole run, or as little as an hour of it. */

import { clamp } from "./clamp.js";
import { TICKS_PER_HOUR, TICKS_PER_MINUTE } from "./gametime.js";

const AHEAD = 0.9; // share of the stretch that lies ahead of a moment which has left it

export class TimeView {
  /** @param {{end: number}} frames of a run, which may grow */
  constructor(frames) {
    this.frames = frames;
    this.from = 0;
    this.length = Infinity; // of the stretch; more than the run for the whole of it
  }

  /** The last tick shown. */
  get to() {
    return Math.min(this.frames.end, this.from + this.length);
  }

  /** Whether all of the run is shown. */
  get whole() {
    return this.length >= this.frames.end;
  }

  /** The place of a moment within what is shown: 0 at its begin, 1 at its end. @param {number} tick */
  share(tick) {
    return (tick - this.from) / Math.max(1, this.to - this.from);
  }

  /** The moment at a place. @param {number} share */
  at(share) {
    return this.from + share * (this.to - this.from);
  }

  /** Shows a stretch, of an hour at least, in whole minutes. @param {number} from @param {number} to */
  show(from, to) {
    const { end } = this.frames;
    const minutes = (/** @type {number} */ ticks) => Math.round(ticks / TICKS_PER_MINUTE) * TICKS_PER_MINUTE;
    const length = Math.max(minutes(to - from), TICKS_PER_HOUR);
    this.length = length >= end ? Infinity : length;
    this.from = this.whole ? 0 : clamp(minutes(from), 0, end - length);
  }

  /** Shows the whole run. */
  fit() {
    this.show(0, this.frames.end);
  }

  /** Shows a part of what is shown, or more of the run, with a moment at its place. @param {number} part below 1 to see less @param {number} tick */
  zoom(part, tick) {
    const from = tick - (tick - this.from) * part;
    this.show(from, from + (this.to - this.from) * part);
  }

  /** Moves by a share of what is shown. @param {number} share */
  pan(share) {
    const by = share * (this.to - this.from);
    this.show(this.from + by, this.to + by);
  }

  /** Brings a moment into view. @param {number} tick */
  reveal(tick) {
    if (tick >= this.from && tick <= this.to) return;
    const length = this.to - this.from;
    this.show(tick - (1 - AHEAD) * length, tick + AHEAD * length);
  }
}
