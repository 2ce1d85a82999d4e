/** A sheet of questions about a run, made of what happened in it, and the sheets of the lessons; in the page, and on paper. */

import * as api from "../data/api.js";
import { t } from "../data/i18n.js";
import { button, make } from "../dom.js";

const NEWS = 2; // storylines that are asked about

/** @typedef {import("../data/shapes.js").Highlight} Highlight */
/** @typedef {{id: string, title: string, about: string, questions: string[], thought: string}} Sheet */
/** @typedef {{run: import("../data/shapes.js").RunView, time: import("../data/gametime.js").GameTime, tabs: import("../panel/tabs.js").Tabs}} Parts */

export class Questions {
  /** @param {Parts} parts */
  constructor(parts) {
    this.parts = parts;
    this.choice = /** @type {HTMLSelectElement} */ (make("select"));
    this.choice.ariaLabel = t("sheet_which");
    this.choice.addEventListener("change", () => this.show());
    const tools = make(
      "div",
      "tools",
      this.choice,
      button("", () => window.print(), t("paper_print")),
      button("", () => this.dialog.close(), t("close")),
    );
    this.body = make("article");
    this.dialog = /** @type {HTMLDialogElement} */ (make("dialog", "", tools, this.body));
    this.dialog.id = "questions";
    this.dialog.ariaLabel = t("sheet");
    document.body.append(this.dialog);
    /** @type {Sheet[]} */
    this.sheets = [];
  }

  /** @param {Highlight[]} moments those that mattered */
  async open(moments) {
    const lessons = await api.document(`/frontend/lessons/${document.documentElement.lang}.json`);
    this.sheets = [await this.own(moments), ...lessons];
    this.choice.replaceChildren(...this.sheets.map(({ id, title }) => new Option(title, id)));
    this.show();
    this.dialog.showModal();
  }

  show() {
    const sheet = this.sheets.find(({ id }) => id === this.choice.value);
    if (!sheet) return;
    const { title, about, questions, thought } = sheet;
    const name = make("p", "named", make("span", "", t("sheet_name")), make("span", "", t("sheet_date")));
    const list = make("ol", "", ...questions.map((question) => make("li", "", make("p", "", question))));
    this.body.replaceChildren(make("h2", "", title), make("p", "about", about), name, list, make("p", "about", thought));
  }

  /** The questions about this run. @param {Highlight[]} moments @returns {Promise<Sheet>} */
  async own(moments) {
    const { run, time, tabs } = this.parts;
    const { stories } = await api.ask(run.name, "spread");
    const talk = moments.find(({ kind }) => kind === "conversation");
    const insight = moments.find(({ kind }) => kind === "reflection");
    const gathering = moments.find(({ kind }) => kind === "gathering");
    const at = (/** @type {Highlight} */ { tick, who, address }) => ({ time: time.stamp(tick), names: tabs.listed(who), place: tabs.place(address) });
    const questions = [
      t("sheet_person", { name: tabs.name((talk ?? insight)?.who[0] ?? run.residents[0]?.id ?? "") }),
      talk && t("sheet_talk", at(talk)),
      ...stories.slice(0, NEWS).map((/** @type {{title: string}} */ { title }) => t("sheet_news", { story: title })),
      gathering && t("sheet_gathering", at(gathering)),
      insight && t("sheet_insight", at(insight)),
      t("sheet_change"),
      t("sheet_odd"),
    ].filter(Boolean);
    const about = t("sheet_about", { run: run.name, world: run.world_name, model: run.scripted ? t("scripted") : run.model });
    return { id: "", title: t("sheet"), about, questions, thought: t("sheet_thought") };
  }
}
