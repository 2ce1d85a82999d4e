/** The day of a resident as a diary, and the diary of the whole town as a download. */

import { Latest } from "../data/api.js";
import { t } from "../data/i18n.js";
import { make } from "../dom.js";
import { apart } from "../data/emblems.js";
import { written } from "../data/words.js";
import { download } from "../data/save.js";
import { empty, memoryCard, moment, picker, placeLink, portrait } from "./cards.js";
import { conversationCard } from "./conversations.js";
import { emblem } from "./emblem.js";

/** @typedef {import("./tabs.js").Context} Context */

export class DiaryTab {
  constructor() {
    this.id = "diary";
    this.label = t("Diary");
    this.icon = "diary";
    this.element = make("div", "diary-tab");
    this.day = "";
    this.shown = "";
    this.answers = new Latest();
    this.body = make("div", "diary-body");
    this.days = make("div", "days");
    this.follows = true; // the moment shown, until a hand is laid on the page
    this.sought = ""; // the stay brought into sight last
    this.open = false; // the timetable, which stays as the reader left it
    /** @type {HTMLDetailsElement | null} */
    this.timetable = null;
    for (const touch of ["wheel", "touchmove", "pointerdown", "keydown"]) this.body.addEventListener(touch, () => (this.follows = false), { passive: true });
  }

  /** @param {Context} context */
  show(context) {
    this.context = context;
    const who = context.resident || context.run.residents[0].id;
    if (this.shown !== who) this.frame(context, who);
    if (!this.day) this.day = context.time.moment(context.tick).toISOString().slice(0, 10);
    const query = { day: this.day, steps: context.frames.steps };
    this.answers.ask(
      context.run.name,
      `residents/${who}/diary`,
      query,
      (diary) => this.fill(context, diary),
      (problem) => this.body.replaceChildren(empty(problem)),
    );
    this.mark(context.tick);
  }

  /** @param {Context} context @param {string} who */
  frame(context, who) {
    this.shown = who;
    this.follows = true;
    this.sought = "";
    this.element.replaceChildren(
      make(
        "div",
        "identity",
        portrait(context, who, 48),
        make("div", "", picker(context, who)),
        download(t("⤓ Markdown"), context.run.name, "report.md", `${context.run.name}.md`),
      ),
      this.days,
      this.body,
    );
  }

  /** @param {Context} context @param {import("../data/shapes.js").Diary} diary */
  fill(context, diary) {
    this.day = diary.day;
    this.chooser(context, diary.days);
    const plans = diary.plans.map((plan) => {
      const text = make("p", "plan-text", emblem(plan.conversation ? "meeting" : "pencil"), " ", plan.text);
      text.lang = context.run.lang;
      return text;
    });
    const stays = make("ol", "stays", ...diary.stays.map((stay) => this.stay(context, stay)));
    const thoughts = diary.thoughts.map((thought) => memoryCard(context, thought));
    const work = diary.work.length ? make("p", "work", diary.work.join(context.run.lang === "zh" ? "" : " ")) : null;
    if (work) work.lang = context.run.lang;
    const story = diary.story.map((paragraph) => this.paragraph(context, paragraph));
    this.timetable = /** @type {HTMLDetailsElement} */ (make("details", "timetable", make("summary", "", t("Plan and timetable")), ...plans, stays));
    this.timetable.open = this.open || !story.length;
    this.timetable.addEventListener("toggle", () => {
      this.open = !!this.timetable?.open;
      if (this.open) [this.follows, this.sought] = [true, ""]; // it opens at the moment shown
      this.mark(context.tick);
    });
    const parts = [...story, work, this.timetable];
    if (thoughts.length)
      parts.push(make("h3", "", t("Thoughts of the day"), make("span", "count", String(thoughts.length))), make("div", "memories", ...thoughts));
    this.body.replaceChildren(.../** @type {Node[]} */ (parts.filter(Boolean)));
    this.mark(context.tick);
  }

  /** A paragraph of the day's story; words of a sentence lead to its moment. @param {Context} context @param {import("../data/shapes.js").StorySentence[]} sentences */
  paragraph(context, sentences) {
    const paragraph = make("p", "story");
    paragraph.lang = context.run.lang;
    for (const { tick, text, link } of sentences) {
      const at = link ? text.indexOf(link) : -1;
      if (at < 0) paragraph.append(text);
      else paragraph.append(text.slice(0, at), moment(context, tick, link), text.slice(at + link.length));
      paragraph.append(context.run.lang === "zh" ? "" : " ");
    }
    return paragraph;
  }

  /** @param {Context} context @param {string[]} days */
  chooser(context, days) {
    const select = /** @type {HTMLSelectElement} */ (make("select"));
    const names = days.map((day, at) => `${t("Day {day}", { day: at + 1 })} · ${context.time.written("date", new Date(`${day}T00:00Z`))}`);
    days.forEach((day, at) => select.add(new Option(names[at], day, false, day === this.day)));
    select.setAttribute("aria-label", t("Day"));
    select.addEventListener("change", () => ((this.day = select.value), (this.follows = false), context.tabs.refresh()));
    this.days.replaceChildren(select);
  }

  /** @param {Context} context @param {import("../data/shapes.js").StayView} stay */
  stay(context, stay) {
    const place = make("h3", "", placeLink(context, stay.address));
    const span = `${context.time.clock(stay.tick)}–${context.time.clock(stay.end)}`;
    const doings = stay.doings.map((doing) => doingItem(context, doing));
    const item = make(
      "li",
      stay.doings.every((doing) => doing.asleep) ? "stay asleep" : "stay",
      make("div", "head", moment(context, stay.tick, span), place),
      make("ul", "doings", ...doings),
    );
    item.dataset.from = String(stay.tick);
    item.dataset.to = String(stay.end);
    return item;
  }

  /** Marks where the moment shown lies; whoever is on the way belongs to where it was last. @param {number} tick */
  mark(tick) {
    const stays = /** @type {HTMLElement[]} */ ([...this.body.querySelectorAll(".stay")]);
    for (const [at, stay] of stays.entries()) {
      const end = stays[at + 1]?.dataset.from ?? stay.dataset.to;
      const present = Number(stay.dataset.from) <= tick && tick < Number(end);
      if (present) stay.setAttribute("aria-current", "time");
      else stay.removeAttribute("aria-current");
      if (present) this.seek(stay);
    }
  }

  /** Brings the present stay into sight, once, unless somebody is reading. @param {HTMLElement} stay */
  seek(stay) {
    const sought = `${this.shown} ${stay.dataset.from} ${this.element.clientHeight}`; // a phone's sheet comes up after it was filled
    if (!this.follows || sought === this.sought || !this.element.clientHeight || !this.timetable?.open) return;
    this.sought = sought;
    this.element.scrollTop += stay.getBoundingClientRect().top - this.element.getBoundingClientRect().top - this.element.clientHeight / 4;
  }
}

/** @param {Context} context @param {import("../data/shapes.js").DoingView} doing */
function doingItem(context, doing) {
  if (doing.conversation) return make("li", "", conversationCard(context, doing.conversation, false));
  const [sign, words] = apart(doing.label);
  const text = written(context.run, "span", "", words);
  if (sign) text.prepend(emblem(sign), " ");
  return make("li", "", moment(context, doing.tick, context.time.clock(doing.tick)), text);
}
