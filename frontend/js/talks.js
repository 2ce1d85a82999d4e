/** All conversations, to be searched and read: in order of time, or pair by pair. */

import { ask, Latest } from "./api.js";
import { empty, moment, person, portrait, segments, spokenLines, whyButton } from "./cards.js";
import { button, make, setText } from "./dom.js";
import { t } from "./i18n.js";
import { field } from "./memories.js";

/** @typedef {import("./tabs.js").Context} Context */

const PAGE = 40; // conversations fetched at once
const REST = 250; // milliseconds for which the hands rest before a text is searched for

export class TalksTab {
  constructor() {
    this.id = "talks";
    this.label = t("tab_talks");
    this.icon = "talks";
    this.view = "list";
    this.text = "";
    /** @type {string[]} whose talks are listed */
    this.people = [];
    this.typing = 0;
    this.answers = new Latest();
    this.list = make("div", "talk-list");
    this.note = make("p", "note");
    this.note.setAttribute("role", "status");
    this.first = 0; // which of all the conversations is listed first
    this.total = 0;
    this.at = -1; // the moment about which they are listed; none is yet
    this.current = ""; // the card brought into sight last, and the height of the list at that time
    this.follows = true; // the moment shown, until a hand is laid on the list
    this.more = button("wide more", () => this.fetchMore(), t("more"));
    this.earlier = button("wide earlier", () => this.fetchEarlier(), t("talks_earlier"));
    this.now = button("now", () => this.follow(), t("talks_now"));
    this.search = field("talk-text", t("talk_search"), (text) => this.type(text));
    this.views = segments(t("talk_views"), { list: t("view_list"), threads: t("view_threads") }, this.view, (id) => this.turn(id, []));
    this.whose = make("div", "whose");
    this.element = make("div", "talks-tab", make("div", "tools", this.views, this.search, this.whose), this.note, this.now, this.earlier, this.list, this.more);
    for (const one of [this.more, this.earlier, this.now]) one.hidden = true;
    for (const touch of ["wheel", "touchmove", "pointerdown", "keydown"]) this.list.addEventListener(touch, () => (this.follows = false), { passive: true });
  }

  /** @param {Context} context */
  show(context) {
    this.context = context;
    const { name, steps } = { name: context.run.name, steps: context.timeline.steps };
    const failed = (/** @type {string} */ problem) => this.list.replaceChildren(empty(problem));
    this.search.hidden = this.view === "threads";
    // `steps` is told so that a run under way is asked anew; the API takes no notice.
    if (this.view === "threads") this.answers.ask(name, "threads", { steps }, (told) => this.tellThreads(context, told), failed);
    else {
      if (this.strayed(context)) this.at = context.step * context.run.ticks; // by steps, so that answers keep up
      this.answers.ask(name, "talks", { ...this.request(0), ...(this.text ? {} : { at: this.at }), steps }, (told) => this.tell(context, told), failed);
    }
    this.now.hidden = this.follows || this.view === "threads";
    this.mark(context);
  }

  /** @param {number} offset @returns {Record<string, string | number>} */
  request(offset) {
    return { text: this.text, who: this.people.join(","), offset, limit: PAGE };
  }

  /** Whether the moment shown lies outside of what is listed, and is looked at. @param {Context} context */
  strayed({ tick }) {
    if (!this.follows || this.text) return false;
    const shown = /** @type {HTMLElement[]} */ ([...this.list.children]);
    if (!shown[0]?.dataset.tick) return this.at < 0;
    const after = this.first + shown.length < this.total && tick > Number(shown[shown.length - 1].dataset.tick);
    return after || (this.first > 0 && tick < Number(shown[0].dataset.tick));
  }

  /** Goes along with the moment shown again. */
  follow() {
    this.follows = true;
    this.current = "";
    this.context?.tabs.refresh();
  }

  /** @param {string} text */
  type(text) {
    this.text = text;
    this.element.scrollTop = 0;
    this.follow();
    clearTimeout(this.typing);
    this.typing = window.setTimeout(() => this.context?.tabs.refresh(), REST);
  }

  /** @param {string} view @param {string[]} people */
  turn(view, people) {
    this.view = view;
    this.people = people;
    this.at = -1;
    this.follows = true;
    this.answers.told = "";
    for (const one of this.views.children) one.setAttribute("aria-pressed", String(/** @type {HTMLElement} */ (one).dataset.id === view));
    const all = button("link", () => this.turn("threads", []), "✕");
    all.setAttribute("aria-label", t("talks_all"));
    this.whose.replaceChildren(...(people.length ? [make("span", "", people.map((id) => this.context?.tabs.name(id)).join(t("and"))), all] : []));
    this.context?.tabs.refresh();
  }

  async fetchMore() {
    const { context } = this;
    if (!context) return;
    const told = await ask(context.run.name, "talks", this.request(this.first + this.list.childElementCount));
    this.list.append(...this.cards(context, told));
    this.listed(context, told);
  }

  async fetchEarlier() {
    const { context, first } = this;
    const offset = Math.max(0, first - PAGE);
    if (!context) return;
    const told = await ask(context.run.name, "talks", { ...this.request(offset), limit: first - offset });
    const below = this.element.scrollHeight - this.element.scrollTop;
    this.first = offset;
    this.follows = false;
    this.list.prepend(...this.cards(context, told));
    this.listed(context, told);
    this.element.scrollTop = this.element.scrollHeight - below; // what was read stays where it was
  }

  /** Lists anew. @param {Context} context @param {any} told */
  tell(context, told) {
    this.first = told.offset;
    this.current = "";
    this.list.replaceChildren(...(told.total ? this.cards(context, told) : [empty(t("talks_none"))]));
    this.listed(context, told);
  }

  /** @param {Context} context @param {any} told @returns {HTMLElement[]} */
  cards(context, told) {
    return told.items.map((/** @type {any} */ talk) => talkCard(context, talk, this.people.length > 0 || told.total === 1));
  }

  /** @param {Context} context @param {{total: number}} told */
  listed(context, { total }) {
    this.total = total;
    this.earlier.hidden = this.first === 0;
    this.more.hidden = this.first + this.list.childElementCount >= total;
    setText(this.note, t("talks_count", { count: total }));
    this.mark(context);
  }

  /** @param {Context} context @param {any[]} threads */
  tellThreads(context, threads) {
    this.more.hidden = this.earlier.hidden = true;
    setText(this.note, t("threads_count", { count: threads.length }));
    const items = threads.map(({ people, talks, tick }) => {
      const faces = make("span", "faces", ...people.map((/** @type {string} */ id) => portrait(context, id, 36)));
      const names = make("span", "names", people.map((/** @type {string} */ id) => context.tabs.name(id)).join(t("and")));
      const last = make("span", "last", `${t("talked", { count: talks })} · ${t("last_talk", { time: context.time.stamp(tick) })}`);
      return button("thread", () => this.turn("list", people), faces, make("span", "", names, last));
    });
    this.list.replaceChildren(...(items.length ? items : [empty(t("talks_none"))]));
  }

  /** Marks what is being said at the moment shown, and brings what was begun last into sight. @param {Context} context */
  mark({ timeline, tick }) {
    const held = new Set(timeline.talks(tick).map((talk) => talk.id));
    const cards = /** @type {HTMLElement[]} */ ([...this.list.children]);
    for (const card of cards) {
      if (held.has(card.dataset.talk ?? "")) card.setAttribute("aria-current", "true");
      else card.removeAttribute("aria-current");
    }
    const latest = cards.findLast((card) => Number(card.dataset.tick) <= tick);
    const current = `${latest?.dataset.talk} ${this.element.clientHeight}`; // a phone's sheet comes up after its list was filled
    if (!latest || !this.follows || this.text || current === this.current) return;
    this.current = current;
    this.element.scrollTop += latest.getBoundingClientRect().top - this.element.getBoundingClientRect().top - this.element.clientHeight / 4;
  }
}

/** @param {Context} context @param {any} talk @param {boolean} open */
export function talkCard(context, talk, open) {
  const { opener, partner } = talk;
  const faces = make("span", "faces", portrait(context, opener, 36), portrait(context, partner, 36));
  const names = make("p", "names", person(context, opener), make("span", "", t("and")), person(context, partner));
  const place = make("span", "place", context.tabs.place(talk.address));
  const facts = make("p", "facts", moment(context, talk.tick), place);
  const summary = make("p", open ? "summary" : "summary brief", talk.summary);
  for (const one of [place, summary]) one.lang = context.run.lang;
  const lines = /** @type {HTMLDetailsElement} */ (make("details", "lines", make("summary", "", t("lines_count", { count: talk.lines.length }))));
  lines.open = open;
  const fill = () => {
    if (lines.open && lines.childElementCount < 2) lines.append(spokenLines(context, talk));
    if (lines.open) summary.classList.remove("brief");
  };
  fill();
  lines.addEventListener("toggle", fill);
  const why = whyButton(context, { talk: talk.id }, talk.summary);
  const card = make("article", "card talk-card", make("div", "head", faces, make("div", "", names, facts)), summary, make("div", "lines-row", lines, why));
  card.dataset.talk = talk.id;
  card.dataset.tick = talk.tick;
  return card;
}
