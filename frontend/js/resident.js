/** The tab of one resident: who it is, what it does now, and its day, memories, relations, ways and character below. */

import { Latest } from "./api.js";
import { bar, empty, picker, portrait, segments, whyButton } from "./cards.js";
import { button, make, setText } from "./dom.js";
import { t } from "./i18n.js";
import { MemoryList } from "./memories.js";
import { Ways } from "./places.js";
import { about, relations } from "./relations.js";
import { today } from "./today.js";

/** @typedef {import("./tabs.js").Context} Context */

const SHORT = 480; // pixels; where there are fewer, a section that is opened comes to the top

const SECTIONS = { today: "section_today", memories: "section_memories", relations: "section_relations", places: "section_places", about: "section_about" };

export class ResidentTab {
  constructor() {
    this.id = "resident";
    this.label = t("tab_resident");
    this.icon = "person";
    this.element = make("div", "resident-tab");
    this.section = "today";
    this.shown = "";
    this.answers = new Latest();
    this.memories = new MemoryList();
    this.ways = new Ways(() => !this.element.hidden && this.section === "places");
    /** @type {any} what the API told last */
    this.told = null;
  }

  /** @param {Context} context */
  show(context) {
    this.context = context;
    if (!context.resident) return this.choose(context);
    if (this.shown !== context.resident) this.frame(context);
    this.now(context);
    const { run, resident, step } = context;
    const query = { step };
    this.answers.ask(run.name, `residents/${resident}`, query, (told) => this.tell(told), (problem) => this.body?.replaceChildren(empty(problem)));
    if (this.section === "memories") this.memories.show(context);
    if (this.section === "places") this.ways.show(context);
  }

  /** Nobody has been chosen yet: everybody is offered. @param {Context} context */
  choose(context) {
    if (this.shown === "nobody") return;
    this.shown = "nobody";
    const faces = context.run.residents.map(({ id, name }) => button("offer", () => context.tabs.visit(id), portrait(context, id, 48), name));
    this.element.replaceChildren(make("p", "hint", t("resident_hint")), make("div", "offers", ...faces));
  }

  /** What stays while one resident is shown. @param {Context} context */
  frame(context) {
    const { resident, run } = context;
    this.shown = resident;
    this.told = null;
    this.answers = new Latest();
    const occupation = run.residents.find((one) => one.id === resident)?.occupation ?? "";
    this.age = make("p", "occupation", occupation);
    this.age.lang = run.lang;
    this.follower = button("follow", () => context.follow(this.context?.followed === resident ? "" : resident));
    this.doing = make("p", "doing");
    this.where = make("p", "where");
    this.doing.lang = run.lang;
    this.why = make("div", "now-why");
    this.mind = make("div", "mind");
    this.body = make("div", "section-body");
    const choices = Object.fromEntries(Object.entries(SECTIONS).map(([id, key]) => [id, t(key)]));
    const chooser = segments(t("resident_sections"), choices, this.section, (id) => {
      this.open(id);
      // The chooser sticks, so that only what is below it tells where it belongs.
      if (this.body && this.element.clientHeight < SHORT) this.element.scrollTop = this.body.offsetTop - this.element.offsetTop - 2 * chooser.offsetHeight;
    });
    this.element.replaceChildren(
      make("div", "identity", portrait(context, resident, 64), make("div", "", picker(context, resident), make("div", "under", this.age, this.follower))),
      make("section", "now", make("div", "", this.doing, this.where), this.why),
      this.mind,
      chooser,
      this.body,
    );
    this.open(this.section);
  }

  /** @param {string} section */
  open(section) {
    this.section = section;
    this.fill();
    this.context?.tabs.refresh();
  }

  /** What it does at the moment shown. @param {Context} context */
  now({ tabs, timeline, tick, resident, followed, run }) {
    if (!this.follower || !this.doing || !this.where || !this.why) return;
    setText(this.follower, t(followed === resident ? "following" : "follow"));
    this.follower.setAttribute("aria-pressed", String(followed === resident));
    const talk = timeline.talks(tick).find((one) => one.opener === resident || one.partner === resident);
    const action = timeline.action(resident, tick);
    if (!action) return;
    const partner = talk && (talk.opener === resident ? talk.partner : talk.opener);
    const place = tabs.place(action.address);
    const arrived = action.arrived !== null && action.arrived <= tick;
    setText(this.doing, partner ? `💬 ${t("talking_with", { name: tabs.name(partner) })}` : `${action.emoji} ${action.activity}`);
    setText(this.where, talk ? tabs.place(talk.address) : arrived ? place : t("on_the_way", { place }));
    const step = Math.min(timeline.steps, Math.floor(tick / run.ticks) + 1);
    const key = talk ? talk.id : String(step);
    if (this.why.dataset.key === key || !this.context) return;
    this.why.dataset.key = key;
    const reference = /** @type {Record<string, string | number>} */ (talk ? { talk: talk.id } : { resident, step });
    this.why.replaceChildren(whyButton(this.context, reference, action.activity));
  }

  /** @param {any} told */
  tell(told) {
    this.told = told;
    const { mind, persona } = told;
    const reflection = make("div", "reflection", make("span", "", t("to_reflection")), bar(mind.poignancy / mind.threshold), make("span", "", `${mind.poignancy} / ${mind.threshold}`));
    reflection.title = t("to_reflection_explained", { threshold: mind.threshold, count: mind.reflections });
    const currently = button("currently", () => currently.setAttribute("aria-expanded", String(currently.ariaExpanded !== "true")), mind.currently);
    currently.setAttribute("aria-expanded", "false");
    currently.lang = this.context?.run.lang ?? "";
    this.mind?.replaceChildren(currently, reflection);
    const occupation = this.context?.tabs.residents.get(told.id)?.occupation ?? "";
    if (this.age && persona) setText(this.age, t("age_and_work", { age: persona.age, work: occupation }));
    this.fill();
  }

  /** Fills the section that is open with what is known. */
  fill() {
    const { body, context, told } = this;
    if (!body || !context) return;
    if (this.section === "memories") return void (body.firstChild === this.memories.element || body.replaceChildren(this.memories.element));
    if (this.section === "places") return void (body.firstChild === this.ways.element || body.replaceChildren(this.ways.element));
    if (!told) return body.replaceChildren();
    const shown = { today, relations, about }[this.section];
    body.replaceChildren(shown ? shown(context, told) : "");
  }
}
