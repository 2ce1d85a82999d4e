/** A run followed as it goes: new steps as they are lived, a button that stays at the newest moment, and words while they are spoken. */

import { clamp } from "./camera.js";
import { button, byId, make, setText } from "./dom.js";
import { standalone } from "./embedded.js";
import { t } from "./i18n.js";

const AGAIN = 4000; // milliseconds after which a run that rests is asked for again
const CATCH_UP = 1.5; // share of the way to the newest moment that is made in a second, roughly
const EDGE = 8;

/** @typedef {{resident: string, partner: string, text: string}} Spoken */

export class Live {
  /** @param {import("./types.js").Run} run @param {import("./timeline.js").Timeline} timeline @param {import("./player.js").Player} player @param {import("./stage.js").Stage} stage */
  constructor(run, timeline, player, stage) {
    this.run = run;
    this.timeline = timeline;
    this.player = player;
    this.words = new Words(byId("bubbles"), stage);
    this.on = false;
    this.tick = 0;
    this.running = false;
    this.button = button("live", () => this.toggle(), t("live"));
    this.button.id = "live";
    this.button.title = t("live_told");
    byId("forward").after(this.button);
    this.draw();
    if (!timeline.finished && !standalone) this.listen();
  }

  listen() {
    const source = new EventSource(`/api/runs/${encodeURIComponent(this.run.name)}/live`);
    source.addEventListener("step", (event) => this.step(JSON.parse(event.data)));
    source.addEventListener("speaking", (event) => (this.words.lines = JSON.parse(event.data)));
    source.addEventListener("end", () => {
      source.close();
      this.words.lines = [];
      this.running = false;
      this.draw();
      if (!this.timeline.finished) setTimeout(() => this.listen(), AGAIN);
    });
  }

  /** @param {{step: number, finished: boolean, running: boolean}} news */
  step({ step, finished, running }) {
    this.timeline.extend({ steps: step, finished });
    this.running = running;
    this.words.lines = [];
    this.draw();
  }

  toggle() {
    this.on = !this.on;
    if (this.on) this.player.playing = true;
    this.tick = this.player.tick;
    this.draw();
  }

  draw() {
    this.button.hidden = !this.running;
    this.button.setAttribute("aria-pressed", String(this.on));
  }

  /** Brings the player to the newest moment there is; a hand on the time ends that. @param {number} seconds since the frame before */
  advance(seconds) {
    if (!this.on) return;
    const { player, timeline } = this;
    if (!player.playing || player.tick < this.tick - 1 || !this.running) return this.leave();
    if (!player.waiting) timeline.need(timeline.chunkAt(timeline.end));
    const fetched = timeline.chunks.get(timeline.chunkAt(timeline.end))?.to ?? 0;
    const newest = Math.min(timeline.end, fetched * timeline.ticks);
    const behind = newest - player.tick;
    if (behind > 0) player.seek(behind > 2 * timeline.ticks ? newest - timeline.ticks : player.tick + behind * Math.min(1, seconds * CATCH_UP));
    this.tick = player.tick;
  }

  leave() {
    this.on = false;
    this.draw();
  }

  /** Who is speaking now has a bubble, where the newest moment is shown. */
  speak() {
    this.words.draw(this.on);
  }
}

/** Bubbles that grow while a model writes; nothing in them has happened yet. */
class Words {
  /** @param {HTMLElement} layer @param {import("./stage.js").Stage} stage */
  constructor(layer, stage) {
    this.layer = layer;
    this.stage = stage;
    /** @type {Spoken[]} */
    this.lines = [];
    /** @type {Map<string, HTMLElement>} by resident */
    this.shown = new Map();
  }

  /** @param {boolean} seen */
  draw(seen) {
    const lines = seen ? this.lines : [];
    const speakers = new Set(lines.map((one) => one.resident));
    for (const [who, element] of this.shown) {
      if (speakers.has(who)) continue;
      element.remove();
      this.shown.delete(who);
    }
    for (const one of lines) this.place(one);
  }

  /** @param {Spoken} one */
  place({ resident, text }) {
    let element = this.shown.get(resident);
    if (!element) {
      element = make("div", "bubble speaking");
      element.lang = this.stage.run.lang;
      this.layer.append(element);
      this.shown.set(resident, element);
    }
    setText(element, text);
    const figure = this.stage.figures.find((one) => one.id === resident);
    element.hidden = !figure;
    if (!figure) return;
    const { camera } = this.stage;
    const middle = figure.x + figure.size / 2;
    const left = clamp(middle - element.offsetWidth / 2, EDGE, Math.max(EDGE, camera.width - element.offsetWidth - EDGE));
    element.style.transform = `translate(${Math.round(left)}px, ${Math.round(figure.head - element.offsetHeight - 10)}px)`;
    element.style.setProperty("--tail", `${Math.round(clamp(middle - left, 14, element.offsetWidth - 14))}px`);
  }
}
