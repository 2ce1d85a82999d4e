/**
 * Plays one stop after another: brings each into the picture, lets time come to it, says what it is. Whoever moves the camera or the clock
 * takes over, and the show ends.
 *
 * @typedef {object} Stop
 * @property {number} tick             when it begins
 * @property {string[]} who            who is in the picture
 * @property {string} address          the place that is shown where nobody is, or many are
 * @property {string} [conversation]   which is listened to
 * @property {number} [wide]          how many times as much is seen as of two who talk
 * @property {string} title
 * @property {string | Node[]} [text]
 * @property {string} [lang]           of the text, where it is not the page's
 * @property {number} [hold]           seconds that it lasts; a conversation without lasts until its end
 * @property {number} [until]          when time stops, until the user lets it go on
 * @property {() => void} [enter]      called when it begins
 *
 * @typedef {object} Source
 * @property {(tick: number) => Stop | undefined} next   nothing more for now: undefined
 * @property {boolean} jumps           whether time leaps to its stops, or hurries
 * @property {number} [count]          how many stops there are
 * @property {() => void} [left]       called when it ends
 * @property {() => void} [over]       called when it ends because there is nothing more
 */

import { Framing } from "../stage/framing.js";

const PAUSE = 1.4; // seconds after the last word
const HOLD = 7; // seconds, of what has no words of its own

export class Show {
  /**
   * @param {{player: import("../stage/player.js").Player, stage: import("../stage/stage.js").Stage, navigation: import("../navigation.js").Navigation}} parts
   * @param {import("./caption.js").Caption} caption
   */
  constructor({ player, stage, navigation }, caption) {
    this.player = player;
    this.stage = stage;
    this.navigation = navigation;
    this.caption = caption;
    this.framing = new Framing(stage, caption.element);
    /** @type {Source | null} */
    this.source = null;
    /** @type {Stop | undefined} */
    this.stop = undefined;
    this.at = -1; // number of the stop
    this.left = 0; // seconds
    this.entered = false;
    this.sought = 0; // of the player's leaps, those that are known
  }

  /** @param {Source} source */
  begin(source) {
    this.end();
    this.source = source;
    this.at = -1;
    this.navigation.follow("");
    this.framing.take();
    this.sought = this.player.sought;
    this.next();
  }

  end() {
    const { source } = this;
    this.source = null;
    this.stop = undefined;
    this.player.due = 0;
    this.caption.hide();
    source?.left?.();
  }

  /** Goes on to the next stop. */
  next() {
    const { player, source } = this;
    const stop = source?.next(player.tick);
    if (!stop && source?.jumps) return this.finish(source);
    this.stop = stop;
    player.due = 0;
    if (!stop || !source) return this.caption.hide();
    this.at++;
    this.entered = false;
    this.left = stop.hold ?? (stop.conversation ? PAUSE : HOLD);
    if (source.jumps) this.leap(stop.tick);
    else player.due = stop.tick;
    this.navigation.heard = stop.conversation ?? "";
    this.caption.show(stop, this.at, source.count ?? 0);
  }

  /** @param {Source} source */
  finish(source) {
    this.end();
    source.over?.();
  }

  /** @param {number} tick */
  leap(tick) {
    this.player.seek(tick);
    this.sought = this.player.sought;
  }

  /** @param {number} tick @param {number} seconds since the frame before */
  draw(tick, seconds) {
    if (!this.source) return;
    if (this.framing.disturbed || this.player.sought !== this.sought) return this.end();
    if (!this.stop || this.over(this.stop, tick, seconds)) this.next();
    if (!this.stop) return;
    if (!this.entered && tick >= this.stop.tick) this.enter(this.stop);
    if (this.stop.until && tick >= this.stop.until) this.pause(this.stop);
    this.framing.show(this.stop, tick, seconds);
  }

  /** @param {Stop} stop */
  enter(stop) {
    this.entered = true;
    stop.enter?.();
  }

  /** Stops time once. @param {Stop} stop */
  pause(stop) {
    this.player.playing = false;
    this.player.glide(stop.until ?? 0);
    stop.until = 0;
  }

  /** @param {Stop} stop @param {number} tick @param {number} seconds */
  over({ conversation, hold }, tick, seconds) {
    if (!this.entered || !this.player.playing) return false;
    const heard = hold === undefined && this.stage.frames.conversations(tick).some(({ id }) => id === conversation);
    if (!heard) this.left -= seconds;
    return this.left <= 0;
  }
}
