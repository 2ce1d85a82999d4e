/** What the page can show by itself: the director's choice and the guided opening; and the buttons for them. */

import * as api from "../data/api.js";
import { isOpen } from "../data/address.js";
import { shortNameIn } from "../data/cast.js";
import { byId } from "../dom.js";
import { Caption } from "./caption.js";
import { Director } from "./director.js";
import { Show } from "./show.js";
import { rumourOf } from "./rumour.js";
import { noteTour, tourOf, toured } from "./tour.js";

const PALE = 0.4; // how much is seen of whoever has not heard of what is followed
const AGAIN = 10_000; // milliseconds between two looks at the scenes of a run that goes on

/**
 * @typedef {{run: import("../data/shapes.js").RunView, frames: import("../data/frames.js").FrameBuffer, player: import("../stage/player.js").Player,
 *            stage: import("../stage/stage.js").Stage, time: import("../data/gametime.js").GameTime, navigation: import("../navigation.js").Navigation,
 *            tabs: import("../panel/tabs.js").Tabs}} Parts
 */

export class Programmes {
  /** @param {Parts} parts */
  constructor(parts) {
    this.parts = parts;
    const { run, time } = parts;
    /** @type {import("../data/shapes.js").SceneView[]} */
    this.scenes = [];
    this.known = { steps: -1, at: -Infinity };
    this.show = new Show(
      parts,
      new Caption(run, {
        next: () => this.show.next(),
        close: () => this.show.end(),
      }),
    );
    this.button = byId("direct");
    this.director = new Director(
      run,
      time,
      () => this.scenes,
      () => this.pressed(),
    );
    this.button.addEventListener("click", () => this.direct());
    parts.tabs.ride = (topic) => this.ride(topic);
    byId("tour").addEventListener("click", () => (byId("help").close(), this.tour()));
  }

  /** Begins where the address leaves open what to show, unless the run is followed or shown to a class: with the tour for whoever has not seen it. */
  async open() {
    const { given } = this.parts.navigation.address;
    const wanted = isOpen(given) && !given.has("tab") && !given.has("class") && this.parts.player.playing && document.body.dataset.running === undefined;
    await this.load();
    if (!wanted || !this.scenes.length || !this.parts.player.playing) return;
    if (toured()) this.direct();
    else this.tour();
  }

  /** Turns the director on or off. */
  direct() {
    const on = this.show.source === this.director;
    if (on) this.show.end();
    else {
      this.director.before = [];
      this.parts.player.playing = true;
      this.show.begin(this.director);
    }
    this.pressed();
  }

  tour() {
    noteTour();
    const { player, run } = this.parts;
    const stops = tourOf(this.guide(), this.scenes);
    player.playing = true;
    this.play(stops, () => {
      player.seek(run.opening?.tick ?? 0);
      this.direct();
    });
  }

  /** Follows a sentence from mouth to mouth. @param {Record<string, string>} topic as the view `rumour` takes it */
  async ride(topic) {
    const { run, time, tabs, stage, player } = this.parts;
    const rumour = await api.ask(run.name, "rumour", topic);
    const stops = rumourOf(rumour, { run, time, name: (id) => shortNameIn(run, id) });
    if (!stops.length) return;
    tabs.unfold(false);
    player.playing = true;
    this.play(stops, undefined, () => (stage.shows = () => 1));
    stage.shows = (id, tick) => (rumour.known[id] <= tick ? 1 : PALE);
  }

  /**
   * Plays stops one after another.
   * @param {import("./show.js").Stop[]} stops @param {() => void} [over] called when all have been seen @param {() => void} [left] called at its end, whatever ends it
   */
  play(stops, over, left) {
    let at = 0;
    this.show.begin({ jumps: true, count: stops.length, next: () => stops[at++], over, left: () => (left?.(), this.pressed()) });
  }

  /** @returns {import("./tour.js").Guide} */
  guide() {
    const { run, time, frames, tabs } = this.parts;
    return {
      run,
      time,
      end: frames.end,
      name: (id) => tabs.name(id),
      place: (address) => tabs.place(address),
      why: (reference) => tabs.why(reference),
      spread: (title) => tabs.spread(title),
      town: () => (tabs.open("town"), tabs.unfold(false)),
    };
  }

  pressed() {
    this.button.setAttribute("aria-pressed", String(this.show.source === this.director));
  }

  /** @param {number} now milliseconds @param {number} tick @param {number} seconds since the frame before */
  draw(now, tick, seconds) {
    if (this.show.source && this.known.steps !== this.parts.frames.steps && now - this.known.at > AGAIN) void this.load();
    this.show.draw(tick, seconds);
  }

  async load() {
    this.known = { steps: this.parts.frames.steps, at: performance.now() };
    try {
      this.scenes = await api.ask(this.parts.run.name, "scenes");
    } catch (error) {
      this.parts.frames.problem = error;
    }
  }
}
