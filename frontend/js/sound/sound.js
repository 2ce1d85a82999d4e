/** The sound of the town, off until somebody switches it on. */

import { byId } from "../dom.js";
import { signOf } from "../stage/signs.js";
import { levelsAt } from "./ambience.js";
import { LOUD, voices } from "./voices.js";

const EASE = 0.6; // seconds in which a level is reached, roughly
const LOOK = 250; // milliseconds between two looks at the town

/** @typedef {import("../stage/stage.js").Stage} Stage */

export class Sound {
  /** @param {Stage} stage @param {import("../stage/player.js").Player} player */
  constructor(stage, player) {
    this.stage = stage;
    this.player = player;
    this.looked = -Infinity;
    /** @type {{audio: AudioContext, voices: ReturnType<typeof voices>, next: Record<string, number>} | null} */
    this.playing = null;
    this.box = /** @type {HTMLInputElement} */ (byId("sound"));
    this.box.addEventListener("change", () => this.turn(this.box.checked));
  }

  /** Browsers let nothing sound before a hand is laid on the page. @param {boolean} on */
  turn(on) {
    if (on && !this.playing) {
      const audio = new AudioContext();
      const all = voices(audio);
      for (const { out } of Object.values(all)) out.connect(audio.destination);
      this.playing = { audio, voices: all, next: {} };
    }
    void this.playing?.audio[on ? "resume" : "suspend"]();
  }

  /** @param {number} now milliseconds @param {number} tick */
  draw(now, tick) {
    if (!this.playing || !this.box.checked || now - this.looked < LOOK) return;
    this.looked = now;
    const { audio, voices: all, next } = this.playing;
    const levels = this.player.playing ? levelsAt(this.heard(tick)) : null;
    for (const [name, { out, beat }] of /** @type {[keyof typeof LOUD, import("./voices.js").Voice][]} */ (Object.entries(all))) {
      const level = (levels?.[name] ?? 0) * LOUD[name];
      out.gain.setTargetAtTime(level, audio.currentTime, EASE / 3);
      if (!beat || !level) continue;
      next[name] = Math.max(next[name] ?? 0, audio.currentTime);
      while (next[name] < audio.currentTime + LOOK / 500) next[name] += beat(next[name]);
    }
  }

  /** What is in sight that sounds. @param {number} tick @returns {import("./ambience.js").Heard} */
  heard(tick) {
    const { camera, frames, time, scenery, figures, tile } = this.stage;
    const seen = (/** @type {[number, number]} */ [column, row]) => {
      const [left, top] = camera.toScreen(column * tile, row * tile);
      return left > -tile && top > -tile && left < camera.width && top < camera.height;
    };
    const events = frames.events(tick).filter(({ address }) => seen(this.stage.spotOf(address) ?? [-99, -99]));
    const signs = events.map(({ text }) => signOf(text));
    const there = new Set(figures.map(({ id }) => id));
    return {
      hour: time.hour(tick),
      zoom: camera.zoom,
      water: scenery?.water.filter(seen).length ?? 0,
      fires: signs.filter((sign) => sign === "fire").length,
      rains: signs.filter((sign) => sign === "storm").length,
      talks: frames.conversations(tick).filter(({ people }) => people.some((who) => there.has(who))).length,
    };
  }
}
