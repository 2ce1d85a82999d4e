/** A run shown to a class: the town alone, in large letters, chapter by chapter, as a presenter's remote control turns them; and a sheet of questions. */

import * as api from "../data/api.js";
import { N_, complaint, nt, t } from "../data/i18n.js";
import { button, byId, icon, make, setText } from "../dom.js";
import { Questions } from "./questions.js";

const LARGER = 1.6; // times as large are the names on the map
const WALL = "(min-width: 900px) and (min-height: 600px)"; // screens that a class looks at, as in lecture.css

/** @typedef {import("../data/shapes.js").Highlight} Highlight */
/**
 * @typedef {{run: import("../data/shapes.js").RunView, frames: import("../data/frames.js").FrameBuffer, stage: import("../stage/stage.js").Stage, player: import("../stage/player.js").Player,
 *            time: import("../data/gametime.js").GameTime, tabs: import("../panel/tabs.js").Tabs, programmes: import("./programmes.js").Programmes}} Parts
 */

export class Lecture {
  /** @param {Parts} parts */
  constructor(parts) {
    this.parts = parts;
    this.on = false;
    this.at = -1; // the chapter that is shown
    this.steps = 0; // those in which the chapters were looked for
    /** @type {Highlight[]} */
    this.chapters = [];
    this.questions = new Questions(parts);
    this.count = make("span");
    this.count.setAttribute("role", "status");
    this.bar = make("div", "", this.count);
    this.bar.id = "lecture-bar";
    this.bar.hidden = true;
    for (const [key, sign, act] of /** @type {[string, string, () => void][]} */ ([
      [N_("Chapter before (Page Up)"), "previous", () => void this.turn(-1)],
      [N_("Next chapter (Page Down)"), "next", () => void this.turn(1)],
      [N_("Sheet of questions"), "diary", () => void this.questions.open(this.chapters)],
      [N_("End (Esc)"), "close", () => this.leave()],
    ])) {
      const element = button("quiet", act, icon(sign));
      this.bar.append(Object.assign(element, { title: t(key), ariaLabel: t(key) }));
    }
    byId("stage").append(this.bar);
    byId("lecture-open").addEventListener("click", () => (byId("share").close(), void (this.on ? this.leave() : this.enter())));
    document.addEventListener("keydown", (event) => this.key(event));
    const given = new URL(location.href).searchParams;
    if (given.has("class")) void this.enter();
    if (given.has("sheet")) void this.questions.open([]);
  }

  async enter() {
    const { run, tabs, stage } = this.parts;
    this.on = true;
    this.at = -1;
    document.body.classList.add("lecture");
    stage.labels.enlarge(window.matchMedia(WALL).matches ? LARGER : 1);
    this.bar.hidden = false;
    tabs.remember({ class: "1", sheet: "" });
    try {
      await this.loadChapters();
      this.say(this.chapters.length ? nt("{count} chapter", "{count} chapters", this.chapters.length) : t("Nothing has stood out yet."));
    } catch (error) {
      this.say(complaint(error));
    }
  }

  /** The chapters of the run as far as it has been lived. */
  async loadChapters() {
    const { run, frames } = this.parts;
    this.steps = frames.steps;
    this.chapters = await api.ask(run.name, "highlights");
  }

  leave() {
    const { programmes, stage, tabs } = this.parts;
    this.on = false;
    programmes.show.end();
    document.body.classList.remove("lecture");
    stage.labels.enlarge(1);
    this.bar.hidden = true;
    tabs.remember({ class: "" });
  }

  /** @param {string} words */
  say(words) {
    setText(this.count, words);
  }

  /** To the next chapter or the one before; there is none before the first and none after the last. @param {1 | -1} by */
  async turn(by) {
    if (this.parts.frames.steps > this.steps) await this.loadChapters().catch((error) => this.say(complaint(error)));
    const at = Math.max(0, this.at + by);
    const chapter = this.chapters[at];
    if (!chapter) return;
    this.at = at;
    const { player, programmes } = this.parts;
    player.playing = true;
    programmes.play([this.stop(chapter)], () => void this.turn(1));
    this.say(t("Chapter {at} of {count}", { at: at + 1, count: this.chapters.length }));
  }

  /** @param {Highlight} chapter @returns {import("./show.js").Stop} */
  stop({ tick, kind, who, address, conversation, text }) {
    const { run, tabs, time } = this.parts;
    return {
      tick,
      who,
      address,
      conversation,
      title: `${tabs.listed(who)} · ${time.stamp(tick)}`,
      text,
      lang: run.lang,
      hold: Infinity,
      wide: kind === "gathering" ? 1.5 : 1,
    };
  }

  /** Presenters' remote controls turn pages. @param {KeyboardEvent} event */
  key(event) {
    if (!this.on || document.querySelector("dialog[open]")) return;
    const act = { PageDown: () => void this.turn(1), PageUp: () => void this.turn(-1), Escape: () => this.leave() }[event.key];
    if (!act) return;
    event.preventDefault();
    act();
  }
}
