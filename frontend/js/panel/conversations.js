/** All conversations, to be searched and read: in order of time, or pair by pair. */

import { ask, Latest } from "../data/api.js";
import { between, complaint, listed, t } from "../data/i18n.js";
import { Requests } from "../data/requests.js";
import { button, make, setChildren, setText } from "../dom.js";
import { empty, person, placeLink, portrait, segments, spokenLines, talkMoment, whyButton } from "./cards.js";
import { field } from "./memories.js";

/** @typedef {import("./tabs.js").Context} Context */

const PAGE = 40; // conversations fetched at once
const REST = 250; // milliseconds without typing before a text is searched for

export class ConversationsTab {
  constructor() {
    this.id = "conversations";
    this.label = t("Dialogue");
    this.icon = "conversations";
    this.view = "list";
    this.text = "";
    /** @type {string[]} whose conversations are listed */
    this.people = [];
    this.typing = 0;
    this.answers = new Latest();
    this.pages = new Requests(); // those that continue the list as it is
    this.list = make("div", "conversation-list");
    /** @type {WeakMap<Element, string>} what each card shows: the run and the conversation, as JSON */
    this.shown = new WeakMap();
    this.note = make("p", "note");
    this.note.setAttribute("role", "status");
    this.first = 0; // which of all the conversations is listed first
    this.total = 0;
    this.at = -1; // the moment about which they are listed; none is yet
    this.current = ""; // the card brought into sight last, and the height of the list at that time
    this.follows = true; // the moment shown, until a hand is laid on the list
    this.more = button("wide more", () => this.fetchMore(), t("Show more"));
    this.earlier = button("wide earlier", () => this.fetchEarlier(), t("Show earlier"));
    this.now = button("now", () => this.follow(), t("Back to now"));
    this.search = field("conversation-text", t("Search conversations …"), (text) => this.type(text));
    this.views = segments(t("Order of the conversations"), { list: t("By time"), threads: t("By pair") }, this.view, (id) => this.turn(id, []));
    this.whose = make("div", "whose");
    this.element = make(
      "div",
      "conversations-tab",
      make("div", "tools", this.views, this.search, this.whose),
      this.note,
      this.now,
      this.earlier,
      this.list,
      this.more,
    );
    for (const control of [this.more, this.earlier, this.now]) control.hidden = true;
    for (const touch of ["wheel", "touchmove", "pointerdown", "keydown"]) this.list.addEventListener(touch, () => (this.follows = false), { passive: true });
  }

  /** @param {Context} context */
  show(context) {
    this.context = context;
    const { name, steps } = { name: context.run.name, steps: context.frames.steps };
    const failed = (/** @type {string} */ problem) => this.list.replaceChildren(empty(problem));
    this.search.hidden = this.view === "threads";
    // `steps` is part of the query so that a run under way is queried again; the view ignores it.
    if (this.view === "threads") this.answers.ask(name, "threads", { steps }, (page) => this.fillThreads(context, page), failed);
    else {
      if (this.strayed(context)) this.at = context.step * context.run.ticks; // by steps, so that answers keep up
      this.answers.ask(name, "conversations", { ...this.request(0), ...(this.text ? {} : { at: this.at }), steps }, (page) => this.fill(context, page), failed);
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
    this.answers.forget();
    for (const choice of this.views.children) choice.setAttribute("aria-pressed", String(/** @type {HTMLElement} */ (choice).dataset.id === view));
    const all = button("link", () => this.turn("threads", []), "✕");
    all.setAttribute("aria-label", t("All pairs"));
    this.whose.replaceChildren(...(people.length ? [make("span", "", listed(people.map((id) => this.context?.tabs.name(id) ?? id))), all] : []));
    this.context?.tabs.refresh();
  }

  fetchMore() {
    return this.fetchPage(this.request(this.first + this.list.childElementCount), (context, page) => {
      this.list.append(...this.cards(context, page));
      this.listed(context, page);
    });
  }

  fetchEarlier() {
    const offset = Math.max(0, this.first - PAGE);
    return this.fetchPage({ ...this.request(offset), limit: this.first - offset }, (context, page) => {
      const below = this.element.scrollHeight - this.element.scrollTop;
      this.first = offset;
      this.follows = false;
      this.list.prepend(...this.cards(context, page));
      this.listed(context, page);
      this.element.scrollTop = this.element.scrollHeight - below; // what was read stays where it was
    });
  }

  /** Adds a page to the list, unless that is another one by then. @param {Record<string, string | number>} query @param {(context: Context, page: import("../data/views.js").ConversationPage) => void} add */
  async fetchPage(query, add) {
    const { context } = this;
    if (!context) return;
    const isLatest = this.pages.begin();
    try {
      const page = await ask(context.run.name, "conversations", query);
      if (isLatest()) add(context, page);
    } catch (error) {
      if (isLatest()) setText(this.note, complaint(error));
    }
  }

  /** Lists a page of results. @param {Context} context @param {import("../data/views.js").ConversationPage} page */
  fill(context, page) {
    this.first = page.offset;
    this.current = "";
    setChildren(this.list, page.total ? this.cards(context, page) : [empty(t("No conversations match."))]);
    this.listed(context, page);
  }

  /** The cards of a page of results: the same ones for conversations that are listed and have not changed. Lines that are open stay so. @param {Context} context @param {import("../data/views.js").ConversationPage} page */
  cards(context, page) {
    const listed = new Map([...this.list.children].map((card) => [/** @type {HTMLElement} */ (card).dataset.conversation, card]));
    return page.items.map((conversation) => {
      const old = listed.get(conversation.id);
      const wasOpen = old?.querySelector("details.lines[open]") != null;
      const open = wasOpen || this.people.length > 0 || page.total === 1;
      const shown = JSON.stringify([context.run.name, conversation]);
      if (old && open === wasOpen && this.shown.get(old) === shown) return old;
      const card = conversationCard(context, conversation, open);
      this.shown.set(card, shown);
      return card;
    });
  }

  /** @param {Context} context @param {{total: number}} page */
  listed(context, { total }) {
    this.pages.begin();
    this.total = total;
    this.earlier.hidden = this.first === 0;
    this.more.hidden = this.first + this.list.childElementCount >= total;
    setText(this.note, t("Conversations: {count}", { count: total }));
    this.mark(context);
  }

  /** @param {Context} context @param {import("../data/shapes.js").ThreadView[]} threads */
  fillThreads(context, threads) {
    this.pages.begin();
    this.more.hidden = this.earlier.hidden = true;
    setText(this.note, t("Pairs: {count}", { count: threads.length }));
    const items = threads.map(({ people, conversations, tick }) => {
      const faces = make("span", "faces", ...people.map((id) => portrait(context, id, 36)));
      const names = make("span", "names", listed(people.map((id) => context.tabs.name(id))));
      const last = make("span", "last", `${t("Conversations: {count}", { count: conversations })} · ${t("last {time}", { time: context.time.stamp(tick) })}`);
      return button("thread", () => this.turn("list", people), faces, make("span", "", names, last));
    });
    this.list.replaceChildren(...(items.length ? items : [empty(t("No conversations match."))]));
  }

  /** Marks the conversations in progress at the moment shown, and scrolls to the one that began last. @param {Context} context */
  mark({ frames, tick }) {
    const held = new Set(frames.conversations(tick).map((conversation) => conversation.id));
    const cards = /** @type {HTMLElement[]} */ ([...this.list.children]);
    for (const card of cards) {
      if (held.has(card.dataset.conversation ?? "")) card.setAttribute("aria-current", "true");
      else card.removeAttribute("aria-current");
    }
    const latest = cards.findLast((card) => Number(card.dataset.tick) <= tick);
    const current = `${latest?.dataset.conversation} ${this.element.clientHeight}`; // a phone's sheet comes up after its list was filled
    if (!latest || !this.follows || this.text || current === this.current) return;
    this.current = current;
    this.element.scrollTop += latest.getBoundingClientRect().top - this.element.getBoundingClientRect().top - this.element.clientHeight / 4;
  }
}

/** @param {Context} context @param {import("../data/shapes.js").ConversationView} conversation @param {boolean} open */
export function conversationCard(context, conversation, open) {
  const { people } = conversation;
  const faces = make("span", "faces", ...people.map((who) => portrait(context, who, 36)));
  const names = make(
    "p",
    "names",
    ...people.flatMap((who, at) => (at ? [make("span", "", between(at, people)), person(context, who)] : [person(context, who)])),
  );
  const facts = make("p", "facts", talkMoment(context, conversation), placeLink(context, conversation.address));
  const summary = make("p", open ? "summary" : "summary brief", conversation.summary);
  summary.lang = context.run.lang;
  const lines = /** @type {HTMLDetailsElement} */ (make("details", "lines", make("summary", "", t("Lines: {count}", { count: conversation.lines.length }))));
  lines.open = open;
  const fill = () => {
    if (lines.open && lines.childElementCount < 2) lines.append(spokenLines(context, conversation));
    if (lines.open) summary.classList.remove("brief");
  };
  fill();
  lines.addEventListener("toggle", fill);
  const why = whyButton(context, { conversation: conversation.id }, conversation.summary);
  const card = make(
    "article",
    "card conversation-card",
    make("div", "head", faces, make("div", "", names, facts)),
    summary,
    make("div", "lines-row", lines, why),
  );
  card.dataset.conversation = conversation.id;
  card.dataset.tick = String(conversation.tick);
  return card;
}
