/** The day as a newspaper's front page: every headline leads to its moment, and the page prints as it is read. */

import { Latest } from "../data/api.js";
import { N_, t } from "../data/i18n.js";
import { button, byId, face, make } from "../dom.js";
import { download } from "../data/save.js";
import { tool } from "./cards.js";

const FACES = 5; // portraits below the leading headline
const FACE = 64; // pixels

/** @typedef {import("../data/shapes.js").Gazette} Paper */
/** @typedef {import("../data/shapes.js").Article} Article */
/** @typedef {import("../data/shapes.js").NoticeView} Notice */
/** @typedef {import("../data/shapes.js").Quote} Quote */
/**
 * @typedef {{run: import("../data/shapes.js").RunView, player: import("../stage/player.js").Player, frames: import("../data/frames.js").FrameBuffer,
 *            time: import("../data/gametime.js").GameTime, navigation: import("../navigation.js").Navigation, tabs: import("./tabs.js").Tabs}} Parts
 */

export class Gazette {
  /** @param {Parts} parts */
  constructor(parts) {
    this.parts = parts;
    this.dialog = /** @type {HTMLDialogElement} */ (byId("gazette"));
    this.sheet = make("article", "sheet");
    this.before = tool(N_("The day before"), "previous", () => this.turn(-1));
    this.after = tool(N_("The day after"), "next", () => this.turn(1));
    const print = button("", () => window.print(), t("Print"));
    const file = download(t("⤓ Markdown"), parts.run.name, "gazette.md", `${parts.run.name}-gazette.md`);
    const tools = make(
      "div",
      "tools",
      this.before,
      this.after,
      print,
      file,
      tool("close", "close", () => this.dialog.close()),
    );
    this.dialog.replaceChildren(tools, this.sheet);
    this.answers = new Latest();
    /** @type {Paper | null} */
    this.paper = null;
    byId("gazette-open").addEventListener("click", () => this.open());
  }

  /** Opens the paper of the day that is shown. */
  open() {
    this.show(this.parts.time.moment(this.parts.player.tick).toISOString().slice(0, 10));
    this.dialog.showModal();
  }

  /** @param {string} day */
  show(day) {
    const { run, frames } = this.parts;
    const last = this.parts.time
      .moment(Math.max(0, frames.end - 1))
      .toISOString()
      .slice(0, 10);
    const address = `gazette/${document.documentElement.lang}/${day > last ? last : day}`;
    const failed = (/** @type {string} */ problem) => this.sheet.replaceChildren(make("p", "quiet-day", problem));
    this.answers.ask(run.name, address, { steps: frames.steps }, (paper) => this.fill(paper), failed);
  }

  /** @param {1 | -1} by */
  turn(by) {
    const { days, number } = this.paper ?? { days: [], number: 0 };
    if (days[number - 1 + by]) this.show(days[number - 1 + by]);
  }

  /** @param {Paper} paper */
  fill(paper) {
    this.paper = paper;
    this.before.disabled = paper.number === 1;
    this.after.disabled = paper.number === paper.days.length;
    const date = this.parts.time.longDate(paper.day);
    const head = make(
      "header",
      "",
      make("h2", "", paper.title),
      make("p", "", make("span", "", date), make("span", "", t("No. {number}", { number: paper.number }))),
    );
    const [lead, ...others] = paper.articles;
    const stories = make("div", "stories", ...others.map((article) => this.article(article)));
    const main = make("div", "main", lead ? this.article(lead, true) : make("p", "quiet-day", t("Nothing worth printing happened today.")), stories);
    this.sheet.replaceChildren(
      head,
      make("div", "page", main, this.side(paper)),
      make(
        "footer",
        "",
        t("Made by rule from what the run {run} recorded; what is quoted was said or thought by its residents.", { run: this.parts.run.name }),
      ),
    );
    this.dialog.scrollTop = 0;
  }

  /** @param {Article} article @param {boolean} [leads] */
  article(article, leads = false) {
    const { tabs } = this.parts;
    const faces = leads && make("div", "faces", ...article.who.slice(0, FACES).flatMap((who) => this.face(who)));
    const text = article.text && make("p", "", article.text);
    if (text) text.lang = article.lang;
    const said = article.quotes.map((/** @type {Quote} */ { text, speaker }) => make("p", "", text, make("cite", "", tabs.name(speaker))));
    const quote = said.length > 0 && make("blockquote", "", ...said);
    if (quote) quote.lang = this.parts.run.lang;
    return make("section", leads ? "lead" : "", make("h3", "", this.link(article.headline, article)), make("p", "deck", article.deck), faces, text, quote);
  }

  /** @param {string} who */
  face(who) {
    const resident = this.parts.tabs.residents.get(who);
    return resident ? [face(resident, FACE)] : [];
  }

  /** @param {Paper} paper */
  side(paper) {
    const thoughts = paper.thoughts.map((thought) => {
      const text = make("p", "", thought.text);
      text.lang = thought.lang;
      return make("section", "", text, make("cite", "", this.link(thought.headline, thought)));
    });
    const parts = [
      ...column(
        N_("Notices"),
        list(paper.notices, (notice) => this.notice(notice, paper.day)),
      ),
      ...column(
        N_("Coming up"),
        list(paper.coming, (notice) => this.notice(notice, paper.day)),
      ),
      ...column(
        N_("Threads"),
        list(paper.threads, (notice) => Object.assign(this.notice(notice, paper.day), { lang: this.parts.run.lang })),
      ),
      ...column(
        N_("The market"),
        list(paper.market, (line) => make("li", "", line)),
      ),
      ...column(N_("Thought in silence"), thoughts),
      ...column(
        N_("The day in figures"),
        list(paper.figures, (figure) => make("li", "", figure)),
      ),
    ];
    return make("aside", "", ...parts);
  }

  /** @param {Notice} notice @param {string} day of the paper, ISO */
  notice({ tick, text, address }, day) {
    const { time, tabs } = this.parts;
    return make("li", "", make("b", "", time.stamp(tick, time.begin(day))), ` ${text}`, address && make("small", "", tabs.place(address)));
  }

  /** A headline, which leads to its moment. @param {string} words @param {Article} article */
  link(words, { tick, who, address, conversation, kind }) {
    const { navigation } = this.parts;
    return button(
      "headline",
      () => {
        this.dialog.close();
        if (conversation) return navigation.hear({ id: conversation, people: who, tick });
        navigation.seek(tick);
        if (kind === "gathering") navigation.visit(address);
        else navigation.show(who[0]);
      },
      words,
    );
  }
}

/** A titled part of the column at the side; nothing where there is nothing to say. @param {string} title @param {HTMLElement[]} parts */
function column(title, parts) {
  return parts.length ? [make("h4", "", t(title)), ...parts] : [];
}

/** @template T @param {T[]} items @param {(item: T) => HTMLElement} show @returns {HTMLElement[]} */
function list(items, show) {
  return items.length ? [make("ul", "", ...items.map(show))] : [];
}
