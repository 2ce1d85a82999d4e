/** A run shown to a class: the town alone, in large letters, chapter by chapter, as a presenter's remote control turns them; a sheet of questions; and the way to it from other devices. */

import * as api from "../data/api.js";
import { N_, complaint, nt, t } from "../data/i18n.js";
import { nameRun } from "../data/model_name.js";
import { button, byId, icon, make, setText } from "../dom.js";
import { stopAt } from "./chapters.js";
import { noteLanguage } from "./foreign.js";
import { NewsTree } from "./news_tree.js";
import { Phones } from "./phones.js";
import { Questions } from "./questions.js";

const LARGER = 1.3; // times as large are the names on the map
const AGAIN = 4000; // milliseconds between two looks at the chapters of a town that goes on
const WALL = "(min-width: 900px) and (min-height: 600px)"; // screens that a class looks at, as in lecture.css

/** @typedef {import("../data/shapes.js").ChapterView} ChapterView */
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
    this.turns = 0; // chapters that were turned to
    this.steps = 0; // those in which the chapters were looked for
    /** @type {ChapterView[]} */
    this.chapters = [];
    this.phones = new Phones(parts.run.name);
    this.questions = new Questions(parts, this.phones, (at) => void this.show(at));
    this.tree = new NewsTree(parts);
    this.count = make("span");
    this.count.setAttribute("role", "status");
    this.bar = this.makeBar();
    this.ending = this.askToEnd();
    byId("lecture-open").addEventListener("click", () => (byId("share").close(), void (this.on ? this.ending.showModal() : this.enter())));
    document.addEventListener("keydown", (event) => this.key(event));
    setInterval(() => void this.renew(), AGAIN);
    const given = new URL(location.href).searchParams;
    if (given.has("class")) void this.enter();
    if (given.has("sheet")) void this.openSheet();
  }

  makeBar() {
    const row = make("div", "", this.count);
    const bar = byId("lecture-bar");
    for (const [label, title, sign, act] of /** @type {[string, string, string, () => void][]} */ ([
      [N_("Previous"), N_("Chapter before (Page Up)"), "previous", () => void this.turn(-1)],
      [N_("Next"), N_("Next chapter (Page Down)"), "next", () => void this.turn(1)],
      [N_("Questions"), N_("Chapters and sheet of questions"), "diary", () => void this.openSheet()],
      [N_("Who told whom"), N_("The tree of the news: who told whom, and what changed"), "insight", () => void this.tree.open()],
      [N_("Phones"), N_("How pupils open this on their phones"), "phone", () => void this.phones.open()],
      [N_("Leave class view"), N_("Back to the page with its panels (Esc)"), "close", () => this.leave()],
    ])) {
      const element = button("quiet", act, icon(sign), make("span", "", t(label)));
      element.title = t(title);
      element.hidden = sign === "phone" && !this.phones.isPossible;
      row.append(element);
    }
    bar.append(row);
    return bar;
  }

  /** The question whether the class is over. */
  askToEnd() {
    const end = () => (dialog.close(), this.leave());
    const stay = button("", () => dialog.close(), t("Go on"));
    const dialog = /** @type {HTMLDialogElement} */ (
      make(
        "dialog",
        "",
        make("h2", "", t("End the class?")),
        make("p", "", t("The town stays as it is.")),
        make("div", "acts", stay, button("primary", end, t("End"))),
      )
    );
    dialog.id = "lecture-end";
    dialog.ariaLabel = t("End the class?");
    document.body.append(dialog);
    return dialog;
  }

  async enter() {
    const { run, tabs, stage } = this.parts;
    this.on = true;
    this.at = -1;
    document.body.classList.add("lecture");
    stage.labels.enlarge(window.matchMedia(WALL).matches ? LARGER : 1);
    this.bar.hidden = false;
    tabs.remember({ class: "1", sheet: "" });
    await this.loadChapters();
    const lesson = await this.questions.lesson().catch(() => undefined);
    if (this.on) this.entitle(lesson?.title ?? nameRun(run));
    const note = noteLanguage(run, lesson?.id ?? "");
    this.bar.querySelector(".foreign")?.remove();
    if (note) this.bar.append(note);
  }

  /** Writes what is shown above the town. @param {string} title */
  entitle(title) {
    setText(byId("run-title"), title);
  }

  /** The chapters of the run as far as it has been lived. */
  async loadChapters() {
    const { run, frames } = this.parts;
    try {
      const { steps } = frames;
      if (steps > this.steps || !this.chapters.length) {
        const shown = this.chapters[this.at];
        this.chapters = await api.ask(run.name, "chapters");
        if (shown) this.at = this.placeOf(shown);
      }
      this.steps = steps;
      this.countOff();
    } catch (error) {
      this.say(complaint(error));
    }
  }

  /** The place of a chapter that was found before: others may have come before it, or in its place. @param {ChapterView} chapter */
  placeOf({ tick, kind }) {
    const same = this.chapters.findIndex((other) => other.tick === tick && other.kind === kind);
    return same < 0 ? this.chapters.findLastIndex((other) => other.tick <= tick) : same;
  }

  /** Says which chapter is shown, and of how many, as far as that is known. */
  countOff() {
    const { length } = this.chapters;
    const { finished } = this.parts.frames;
    if (!length) this.say(t("Nothing has stood out yet."));
    else if (this.at >= 0)
      this.say(finished ? t("Chapter {at} of {count}", { at: this.at + 1, count: length }) : t("Chapter {at}; more will come", { at: this.at + 1 }));
    else this.say(finished ? nt("{count} chapter", "{count} chapters", length) : nt("{count} chapter so far", "{count} chapters so far", length));
  }

  /** Takes over the chapters that have come about meanwhile. */
  async renew() {
    if (!this.on || this.parts.frames.steps === this.steps) return;
    await this.loadChapters();
    this.questions.renew(this.chapters);
  }

  async openSheet() {
    await this.loadChapters();
    await this.questions.open(this.chapters);
  }

  leave() {
    const { programmes, stage, tabs } = this.parts;
    this.on = false;
    programmes.show.end();
    document.body.classList.remove("lecture");
    stage.labels.enlarge(1);
    this.bar.hidden = true;
    this.entitle(nameRun(this.parts.run));
    tabs.remember({ class: "" });
  }

  /** @param {string} words */
  say(words) {
    setText(this.count, words);
  }

  /** To the next chapter or the one before; there is none before the first and none after the last. @param {1 | -1} by */
  async turn(by) {
    await this.loadChapters();
    await this.show(Math.max(0, this.at + by));
  }

  /** Shows a chapter to the class. @param {number} at its place among them */
  async show(at) {
    const chapter = this.chapters[at];
    if (!chapter) return;
    if (!this.on) await this.enter();
    this.at = at;
    this.countOff();
    const { player, programmes, stage } = this.parts;
    const turn = ++this.turns;
    const stop = await stopAt(chapter, this.parts);
    if (turn !== this.turns || !this.on) return;
    player.playing = true;
    programmes.play(
      [stop],
      () => void this.turn(1),
      () => (stage.only = ""),
    );
    stage.only = chapter.conversation;
  }

  /** Presenters' remote controls turn pages. @param {KeyboardEvent} event */
  key(event) {
    if (!this.on || document.querySelector("dialog[open]")) return;
    const act = { PageDown: () => void this.turn(1), PageUp: () => void this.turn(-1), Escape: () => this.ending.showModal() }[event.key];
    if (!act) return;
    event.preventDefault();
    act();
  }
}
