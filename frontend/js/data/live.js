/** Follows a run while it is running: new steps, a button that stays at the newest one, and lines of conversations while they are generated. */

import { button, byId, make, setHidden, setText } from "../dom.js";
import { addressOf, control, grown } from "./api.js";
import { castOf } from "./cast.js";
import { clamp } from "./clamp.js";
import { standalone } from "./embedded.js";
import { t } from "./i18n.js";

const AGAIN = 4000; // milliseconds after which a run that rests or cannot be had is asked for again
const CATCH_UP = 1.5; // share of the way to the newest moment that is made in a second, roughly
const EDGE = 8;

/** @typedef {{resident: string, partner: string, text: string, complete?: string}} Spoken */

export class Live {
  /** @param {import("./shapes.js").RunView} run @param {import("./frames.js").FrameBuffer} frames @param {import("../stage/player.js").Player} player @param {import("../stage/stage.js").Stage} stage */
  constructor(run, frames, player, stage) {
    this.run = run;
    this.frames = frames;
    this.player = player;
    this.words = new SpokenBubbles(byId("bubbles"), stage);
    this.on = false;
    this.follows = false; // whether the newest step is followed as soon as the run is known to go on
    this.tick = 0;
    this.running = false;
    this.known = false; // whether there has been news
    this.cause = ""; // why the last session failed, if it did
    this.stepped = () => {}; // what a visitor does once a step is there
    this.heard = (/** @type {Spoken[]} */ _lines) => {}; // and when somebody speaks
    /** @type {EventSource | null} the news of the run, while they come */
    this.source = null;
    this.button = button("live", () => this.toggle(), t("Live"));
    this.button.id = "live";
    this.button.title = t("Follow the newest step");
    byId("forward").after(this.button);
    this.draw();
    if (!frames.finished && !standalone) this.listen();
  }

  /** Whether the run is known to be over for now, but not at its end. */
  get rests() {
    return this.known && !this.running && !this.frames.finished;
  }

  /** Lets the run be lived, rest or end, and listens to it. @param {string} name @param {"go" | "pause" | "end"} act @param {any} [asked] */
  async control(name, act, asked = {}) {
    await control(name, act, asked);
    this.listen();
  }

  /** Asks for the run's news, unless they come already. */
  listen() {
    if (this.source) return;
    const source = (this.source = new EventSource(`${addressOf(this.run.name)}/live`));
    source.addEventListener("step", (event) => this.step(JSON.parse(event.data)));
    source.addEventListener("speaking", (event) => this.hear(JSON.parse(event.data)));
    source.addEventListener("end", (event) => {
      this.cause = JSON.parse(event.data).cause;
      this.words.lines = [];
      this.running = false;
      this.known = true;
      this.draw();
      this.pause(source);
    });
    // Where the server is away, the browser asks again by itself; not after an answer that is no stream, such as a proxy's.
    source.addEventListener("error", () => source.readyState === EventSource.CLOSED && this.pause(source));
  }

  /** Listens no longer, but again after a while, unless the run is over. @param {EventSource} source */
  pause(source) {
    source.close();
    this.source = null;
    if (!this.frames.finished) setTimeout(() => this.listen(), AGAIN);
  }

  /** @param {Spoken[]} lines */
  hear(lines) {
    this.words.lines = lines;
    this.heard(lines);
  }

  /** @param {{step: number, finished: boolean, running: boolean}} news */
  step({ step, finished, running }) {
    this.frames.extend({ steps: step, finished });
    grown(this.run.name, step);
    this.running = running;
    this.known = true;
    this.words.lines = [];
    if (running && this.follows && !this.on) this.toggle();
    this.follows = false;
    this.draw();
    this.stepped();
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

  /** Moves the player towards the newest moment; when the user changes the time, that ends. @param {number} seconds since the frame before */
  advance(seconds) {
    if (!this.on) return;
    const { player, frames } = this;
    if (!player.playing || player.tick < this.tick - 1 || !this.running) return this.leave();
    if (!player.waiting) frames.need(frames.chunkAt(frames.end));
    const fetched = frames.chunks.get(frames.chunkAt(frames.end))?.to ?? 0;
    const newest = Math.min(frames.end, fetched * frames.ticks);
    const behind = newest - player.tick;
    if (behind > 0) player.glide(behind > 2 * frames.ticks ? newest - frames.ticks : player.tick + behind * Math.min(1, seconds * CATCH_UP));
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
class SpokenBubbles {
  /** @param {HTMLElement} layer @param {import("../stage/stage.js").Stage} stage */
  constructor(layer, stage) {
    this.layer = layer;
    this.stage = stage;
    /** @type {Spoken[]} */
    this.lines = [];
    this.thinking = ""; // the resident who is about to answer
    /** @type {Map<string, HTMLElement>} by resident */
    this.shown = new Map();
  }

  /** @param {boolean} seen */
  draw(seen) {
    const lines = seen ? [...this.lines] : [];
    if (seen && this.thinking && !lines.some((line) => line.resident === this.thinking)) lines.push({ resident: this.thinking, partner: "", text: "…" });
    const speakers = new Set(lines.map((line) => line.resident));
    for (const [who, element] of this.shown) {
      if (speakers.has(who)) continue;
      element.remove();
      this.shown.delete(who);
    }
    for (const line of lines) this.place(line);
  }

  /** @param {Spoken} line */
  place({ resident, text, complete }) {
    let element = this.shown.get(resident);
    if (!element) {
      const { name, portrait } = castOf(this.stage.run).residents.get(resident) ?? { name: resident, portrait: null };
      const chip = /** @type {HTMLImageElement} */ (make("img", "speaker-face"));
      if (portrait) chip.src = portrait;
      chip.hidden = !portrait;
      element = make("div", "bubble speaking", make("b", "", chip, name), make("span", "words"), make("span", "caret", "▍"));
      element.lang = this.stage.run.lang;
      this.layer.append(element);
      this.shown.set(resident, element);
    }
    setText(/** @type {HTMLElement} */ (element.querySelector(".words")), text);
    setHidden(/** @type {HTMLElement} */ (element.querySelector(".caret")), Boolean(complete));
    const figure = this.stage.figures.find((figure) => figure.id === resident);
    element.hidden = !figure;
    if (!figure) return;
    const { camera } = this.stage;
    const middle = figure.x + figure.size / 2;
    const left = clamp(middle - element.offsetWidth / 2, EDGE, Math.max(EDGE, camera.width - element.offsetWidth - EDGE));
    element.style.transform = `translate(${Math.round(left)}px, ${Math.round(figure.head - element.offsetHeight - 10)}px)`;
    element.style.setProperty("--tail", `${Math.round(clamp(middle - left, 14, element.offsetWidth - 14))}px`);
  }
}
