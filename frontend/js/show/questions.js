/** A sheet of questions about a run, made of what happened in it, and the sheets of the lessons; in the page, and on paper. */

import * as api from "../data/api.js";
import { P_, complaint, t } from "../data/i18n.js";
import { nameModel } from "../data/model_name.js";
import { button, make, setText } from "../dom.js";
import { inWords } from "../data/words.js";
import { headingOf, questionOf } from "./chapters.js";
import { noteLanguage } from "./foreign.js";

const NEWS = 2; // storylines that are asked about
const SEEDS = 1000; // of which one is drawn for the same days once more

/** @typedef {import("../data/shapes.js").ChapterView} ChapterView */
/** @typedef {{id: string, towns: string[], title: string, about: string, questions: string[], thought: string}} Sheet */
/** @typedef {{run: import("../data/shapes.js").RunView, frames: import("../data/frames.js").FrameBuffer, time: import("../data/gametime.js").GameTime, tabs: import("../panel/tabs.js").Tabs}} Parts */

export class Questions {
  /** @param {Parts} parts @param {import("./phones.js").Phones} phones @param {(at: number) => void} play shows a chapter by its place */
  constructor(parts, phones, play) {
    this.parts = parts;
    this.phones = phones;
    this.play = play;
    /** @type {ChapterView[]} */
    this.chapters = [];
    this.choice = /** @type {HTMLSelectElement} */ (make("select"));
    this.choice.ariaLabel = t("Which sheet");
    this.choice.addEventListener("change", () => this.show());
    const tools = make(
      "div",
      "tools",
      this.choice,
      button("", () => window.print(), t("Print")),
      button("", () => this.dialog.close(), t("Close")),
    );
    this.body = make("article");
    this.living = make("div", "living");
    this.dialog = /** @type {HTMLDialogElement} */ (make("dialog", "", tools, this.body));
    this.dialog.id = "questions";
    this.dialog.ariaLabel = t("Questions about this town");
    document.body.append(this.dialog);
    /** @type {Sheet[]} */
    this.sheets = [];
    this.made = ""; // the id of the lesson for which the run was made
    /** @type {HTMLElement | ""} */
    this.phone = "";
  }

  /** The lesson for which the run was made, by its name. @returns {Promise<Sheet | undefined>} */
  async lesson() {
    const town = this.parts.run.name.replace(/-\d+$/, "");
    return (await this.lessons()).find(({ towns }) => towns.includes(town));
  }

  /** The sheets of all lessons. @returns {Promise<Sheet[]>} */
  lessons() {
    return api.document(`frontend/lessons/${document.documentElement.lang}.json`);
  }

  /** Opens the sheet of the run's own lesson, if it was made for one. @param {ChapterView[]} chapters those of the run */
  async open(chapters) {
    this.chapters = chapters;
    const [own, lesson, lessons, phone] = await Promise.all([this.own(chapters), this.lesson(), this.lessons(), this.phones.note()]);
    this.sheets = [own, ...lessons];
    this.phone = phone;
    this.made = lesson?.id ?? "";
    this.choice.replaceChildren(...this.sheets.map(({ id, title }) => new Option(title, id)));
    this.choice.value = this.made;
    this.show();
    this.dialog.showModal();
  }

  /** Adds what has come about since the sheet was opened. @param {ChapterView[]} chapters */
  renew(chapters) {
    const isNew = JSON.stringify(chapters) !== JSON.stringify(this.chapters);
    this.chapters = chapters;
    if (!this.dialog.open) return;
    if (isNew) this.show();
    else this.drawProgress();
  }

  show() {
    const sheet = this.sheets.find(({ id }) => id === this.choice.value);
    if (!sheet) return;
    const { id, title, about, questions, thought } = sheet;
    const isOwn = id === this.made;
    const name = make("p", "named", make("span", "", t(P_("of a resident", "Name"))), make("span", "", t("Date")));
    const list = make("ol", "asked", ...questions.map((question) => make("li", "", make("p", "", question))));
    this.body.replaceChildren(
      make("h2", "", title),
      (isOwn && noteLanguage(this.parts.run, id)) || "",
      make("p", "about", about),
      ...(isOwn && this.chapters.length ? this.listChapters() : []),
      make("h3", "", t("Questions")),
      name,
      list,
      (isOwn && id && this.phones.isPossible && this.offerSeed(id)) || "",
      make("p", "about", thought),
      this.phone,
    );
  }

  /** The chapters, each of which is shown at a click. */
  listChapters() {
    const shown = (/** @type {ChapterView} */ chapter, /** @type {number} */ at) =>
      make(
        "li",
        "",
        button(
          "chapter",
          () => (this.dialog.close(), this.play(at)),
          make("b", "", headingOf(chapter, this.parts)),
          make("span", "", questionOf(chapter, this.parts)),
        ),
      );
    const begin = button("primary", () => (this.dialog.close(), this.play(0)), t("Begin the class"));
    this.drawProgress();
    return [this.living, begin, make("h3", "", t("Chapters: click one to show it")), make("ol", "chapters", ...this.chapters.map(shown))];
  }

  /** Shows how much of the town has been lived, as long as it goes on. */
  drawProgress() {
    const { run, frames } = this.parts;
    if (frames.finished) return this.living.replaceChildren();
    const bar = /** @type {HTMLProgressElement} */ (make("progress"));
    Object.assign(bar, { max: run.planned, value: frames.steps });
    bar.setAttribute("aria-label", t("Steps lived so far"));
    this.living.replaceChildren(bar, make("p", "about", t("The town is still being lived; until it is over, its chapters may change.")));
  }

  /** Offers the same days with other chances. @param {string} lesson */
  offerSeed(lesson) {
    const failure = make("p", "failure");
    failure.setAttribute("role", "alert");
    const live = async () => {
      again.disabled = true;
      try {
        await api.openLesson(lesson, 1 + Math.floor(Math.random() * SEEDS));
      } catch (error) {
        again.disabled = false;
        setText(failure, complaint(error));
      }
    };
    const again = button("", () => void live(), t("Live the same days with another random seed"));
    return make("div", "again", again, make("p", "about", t("The town opens here; this one stays among the simulations.")), failure);
  }

  /** The questions about this run. @param {ChapterView[]} moments @returns {Promise<Sheet>} */
  async own(moments) {
    const { run, time, tabs } = this.parts;
    const { stories } = await api.ask(run.name, "spread");
    const talk = moments.find(({ kind }) => kind === "conversation");
    const insight = moments.find(({ kind }) => kind === "reflection");
    const gathering = moments.find(({ kind }) => kind === "gathering");
    const at = (/** @type {ChapterView} */ { tick, who, address }) => ({ time: time.stamp(tick), names: tabs.listed(who), place: tabs.place(address) });
    const questions = [
      t("What did {name} plan for the day, and what came of it? Ask “Why?” at one action and follow it to its root.", {
        name: tabs.name((talk ?? insight)?.who[0] ?? run.residents[0]?.id ?? ""),
      }),
      talk && t("{time}: {names} talk. What did each of them know before, and what afterwards? Find somebody to whom it was passed on.", at(talk)),
      ...stories
        .slice(0, NEWS)
        .map((/** @type {{title: string}} */ { title }) =>
          t("{story}: who knows of it at first, and who by the end? Draw the way that it took. Has its wording changed?", { story: inWords(run, title) }),
        ),
      gathering && t("{time}, {place}: people come together. Who comes, and who knew and stayed away? Find the reason of one of them.", at(gathering)),
      insight && t("{time}: {names} comes to an insight. On which memories does it rest? Would you have come to the same?", at(insight)),
      t("Change one thing at a moment of your choice and let the town live on. What is the first difference, and whom does it reach?"),
      t("Find a moment in which somebody does what no person would do. What stands behind it: a rule, a memory, or the answer of a model?"),
    ].filter(Boolean);
    const about = t("{run} · {world} · {model}. Look for the answers in the town: go to the moment, listen, and ask “Why?”.", {
      run: run.name,
      world: run.world_name,
      model: nameModel(run.model),
    });
    return {
      id: "",
      towns: [],
      title: t("Questions about this town"),
      about,
      questions,
      thought: t("What somebody here knows came to it by sight, by hearing, or from somebody else. Where is that so in your own life, and where is it not?"),
    };
  }
}
