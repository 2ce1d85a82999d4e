/** The tab of one resident: identity and current action; below, its schedule, memories, relations, whereabouts and persona. */

import { Latest } from "../data/api.js";
import { N_, P_, t } from "../data/i18n.js";
import { button, make, setLang, setPressed, setText } from "../dom.js";
import { inWords, langOf } from "../data/words.js";
import { bar, empty, picker, portrait, segments, whyButton } from "./cards.js";
import { setSigned } from "./emblem.js";
import { feelingsOf } from "./feelings.js";
import { goodsSection, needsOf, progressOf } from "./living.js";
import { MemoryList } from "./memories.js";
import { aboutSection, relationsSection } from "./relations.js";
import { scheduleSection } from "./schedule.js";
import { Whereabouts } from "./whereabouts.js";

/** @typedef {import("./tabs.js").Context} Context */
/** @typedef {import("../data/views.js").ResidentNow} ResidentNow */

const SHORT = 480; // pixels; where there are fewer, a section that is opened comes to the top

const SECTIONS = {
  today: N_("Today"),
  memories: N_("Memories"),
  relations: N_("Relations"),
  goods: P_("of a resident", "Goods"),
  places: N_("Places"),
  about: N_("About"),
};

export class ResidentTab {
  constructor() {
    this.id = "resident";
    this.label = t("Profile");
    this.icon = "person";
    this.element = make("div", "resident-tab");
    this.section = "today";
    this.shown = "";
    this.answers = new Latest();
    this.memories = new MemoryList();
    this.whereabouts = new Whereabouts(() => !this.element.hidden && this.section === "places");
    /** @type {ResidentNow | null} the latest answer */
    this.details = null;
    this.activity = "";
  }

  /** @param {Context} context */
  show(context) {
    this.context = context;
    if (!context.resident) return this.choose(context);
    if (this.shown !== context.resident) this.frame(context);
    this.now(context);
    const { run, resident, step } = context;
    const query = { step };
    this.answers.ask(
      run.name,
      `residents/${resident}`,
      query,
      (details) => this.receive(details),
      (problem) => this.body?.replaceChildren(empty(problem)),
    );
    if (this.section === "memories") this.memories.show(context);
    if (this.section === "places") this.whereabouts.show(context);
  }

  /** Offers all residents, where none has been chosen yet. @param {Context} context */
  choose(context) {
    if (this.shown === "nobody") return;
    this.shown = "nobody";
    const faces = context.run.residents.map(({ id, name }) => button("offer", () => context.tabs.visit(id), portrait(context, id, 48), name));
    const { unknown } = context.tabs;
    const problem = unknown && make("p", "hint", t("This simulation has no resident named “{name}”.", { name: unknown }));
    this.element.replaceChildren(make("div", "", problem, make("p", "hint", t("Whom would you like to know?"))), make("div", "offers", ...faces));
  }

  /** What stays while one resident is shown. @param {Context} context */
  frame(context) {
    const { resident, run } = context;
    this.shown = resident;
    this.element.scrollTop = 0;
    this.details = null;
    this.answers.forget();
    const { occupation = "", player = null } = run.residents.find(({ id }) => id === resident) ?? {};
    this.player = make(
      "p",
      "quietly",
      player && (player === "scripted" ? t("Played by rule, without a language model") : t("Played by {model}", { model: player })),
    );
    this.player.hidden = !player;
    this.age = make("p", "occupation", inWords(run, occupation));
    this.age.lang = langOf(run, occupation);
    this.follower = button("follow", () => context.follow(this.context?.followed === resident ? "" : resident));
    this.doing = make("p", "doing");
    this.habit = make("p", "from-habit");
    this.where = make("p", "where");
    this.why = make("div", "now-why");
    this.mind = make("div", "mind");
    this.body = make("div", "section-body");
    const sections = Object.entries(SECTIONS).filter(([id]) => id !== "goods" || run.society);
    if (!sections.some(([id]) => id === this.section)) this.section = "today";
    const choices = Object.fromEntries(sections.map(([id, key]) => [id, t(key)]));
    const chooser = segments(t("What to show of the resident"), choices, this.section, (id) => {
      this.open(id);
      // The chooser is sticky, so its own position says nothing; that of what is below it does.
      if (this.body && this.element.clientHeight < SHORT) this.element.scrollTop = this.body.offsetTop - this.element.offsetTop - 2 * chooser.offsetHeight;
    });
    this.element.replaceChildren(
      make(
        "div",
        "identity",
        portrait(context, resident, 64),
        make("div", "", picker(context, resident), make("div", "under", this.age, this.player, this.follower)),
      ),
      make("section", "now", make("div", "", this.doing, this.habit, this.where), this.why),
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
  now({ tabs, frames, tick, resident, followed, run }) {
    if (!this.follower || !this.doing || !this.where || !this.why) return;
    setText(this.follower, t(followed === resident ? N_("Following") : N_("Follow")));
    setPressed(this.follower, followed === resident);
    const conversation = frames.conversations(tick).find((conversation) => conversation.people.includes(resident));
    const action = frames.action(resident, tick);
    if (!action) return;
    const others = conversation?.people.filter((who) => who !== resident);
    const place = action.kind === "away" ? "" : tabs.place(action.address);
    const arrived = action.arrived !== null && action.arrived <= tick;
    this.markHabit(others ? "" : action.activity);
    setLang(this.doing, others ? document.documentElement.lang : langOf(run, action.activity));
    setSigned(this.doing, others ? `💬 ${t("talking with {name}", { name: tabs.listed(others) })}` : `${action.emoji} ${inWords(run, action.activity)}`);
    setText(this.where, conversation ? tabs.place(conversation.address) : arrived ? place : t("on the way · {place}", { place }));
    const step = Math.min(frames.steps, Math.floor(tick / run.ticks) + 1);
    const key = conversation ? conversation.id : String(step);
    if (this.why.dataset.key === key || !this.context) return;
    this.why.dataset.key = key;
    const reference = /** @type {Record<string, string | number>} */ (conversation ? { conversation: conversation.id } : { resident, step });
    this.why.replaceChildren(whyButton(this.context, reference, action.activity));
  }

  /** Says whether the words of an activity are those of a habit. @param {string} [activity] "" for a conversation; the last one by default */
  markHabit(activity = this.activity) {
    this.activity = activity;
    if (this.habit) setText(this.habit, this.details?.habits.includes(activity) ? t("↻ from a habit, written in advance") : "");
  }

  /** @param {ResidentNow} details */
  receive(details) {
    this.details = details;
    this.markHabit();
    const { mind, persona } = details;
    const reflection = make(
      "div",
      "reflection",
      make("span", "", t("Until next reflection")),
      bar(mind.poignancy / mind.threshold),
      make("span", "", `${mind.poignancy} / ${mind.threshold}`),
    );
    reflection.title = t("Sum of importance since the last reflection; at {threshold} the resident reflects. Reflections so far: {count}", {
      threshold: mind.threshold,
      count: mind.reflections,
    });
    const currently = button("currently", () => currently.setAttribute("aria-expanded", String(currently.ariaExpanded !== "true")), mind.currently);
    currently.setAttribute("aria-expanded", "false");
    currently.lang = this.context?.run.lang ?? "";
    currently.hidden = !mind.currently; // of somebody who has not moved in yet
    const felt = this.context && details.feel ? feelingsOf(this.context, details.id, details.feel) : "";
    const { context } = this;
    const body = context && details.living ? [progressOf(context, details.living.work), needsOf(context, details.living)] : [];
    this.mind?.replaceChildren(currently, .../** @type {Node[]} */ (body.filter(Boolean)), felt, reflection);
    const occupation = this.context?.tabs.residents.get(details.id)?.occupation ?? "";
    if (this.age && persona) setText(this.age, t("{age} · {work}", { age: persona.age, work: context ? inWords(context.run, occupation) : occupation }));
    this.fill();
  }

  /** Fills the section that is open with what is known. */
  fill() {
    const { body, context, details } = this;
    if (!body || !context) return;
    if (this.section === "memories") return void (body.firstChild === this.memories.element || body.replaceChildren(this.memories.element));
    if (this.section === "places") return void (body.firstChild === this.whereabouts.element || body.replaceChildren(this.whereabouts.element));
    if (!details) return body.replaceChildren();
    const shown = { today: scheduleSection, relations: relationsSection, goods: goodsSection, about: aboutSection }[this.section];
    body.replaceChildren(shown ? shown(context, details) : "");
  }
}
