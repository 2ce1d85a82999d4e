/** How news spreads: who told whom of a storyline, a word or a memory, as a tree; how many know over time; and who knows, on the map. */

import { N_, t } from "../data/i18n.js";
import { button, icon, make, setText } from "../dom.js";
import { inWords, langOf } from "../data/words.js";
import { Plot, overTime } from "./charts.js";
import { colour } from "../data/colours.js";

const RECENT = 360; // ticks for which the map shows who has just told whom

/** @typedef {import("../panel/tabs.js").Context} Context */
/** @typedef {{who: string, tick: number, minutes: number}} Visit */
/** @typedef {{place: string, tick: number, came: Visit[], chanced_by: Visit[], stayed_away: string[]}} Gathering */
/** How somebody came to know of it, unless they were told or knew from the start. @type {Record<string, string>} */
const CHANNELS = {
  overheard: N_("overheard"),
  saw: N_("seen"),
  read: N_("in writing"),
  inferred: N_("concluded"),
  injected: N_("by an inner voice or a file"),
};

/** What the town shows of it, by the verdict. @type {Record<string, string>} */
const TRUTHS = {
  true: N_("It is so."),
  over: N_("It was so; it is over."),
  held: N_("It took place."),
  "not held": N_("It did not take place."),
  moved: N_("It has been moved to another place or hour."),
};

/** How what a resident knows stands to the town: its mark, its colour on the page, and its words. @type {Record<string, {mark: string, colour: string, words: string}>} */
const STANDINGS = {
  borne: { mark: "✓", colour: "accent", words: N_("true to what happened") },
  strayed: { mark: "≠", colour: "warn", words: N_("changed on the way") },
  denied: { mark: "✗", colour: "bad", words: N_("not borne out by the town") },
  unshown: { mark: "?", colour: "soft", words: N_("still to come, or not shown by the town") },
};

/** @typedef {{who: string, from: string, tick: number, step: number, conversation: string, memory: number, text: string, changed: string[], strayed: string[], channel: string}} Learning */

export class SpreadPlot {
  /** @param {string} topic as the API takes it, "" for none @param {(topic: string) => void} choose */
  constructor(topic, choose) {
    this.topic = topic;
    this.story = /** @type {HTMLSelectElement} */ (make("select"));
    this.story.addEventListener("change", () => choose(this.story.value ? `story=${encodeURIComponent(this.story.value)}` : ""));
    this.word = /** @type {HTMLInputElement} */ (make("input"));
    this.word.type = "search";
    this.word.maxLength = 200;
    this.word.value = new URLSearchParams(topic).get("text") ?? ""; // here, since what is being typed outlasts the next answer
    const form = make("form", "asked", make("label", "", make("span", "", t("or a word that occurs in memories")), this.word));
    form.addEventListener(
      "submit",
      (event) => (event.preventDefault(), choose(this.word.value.trim() ? `text=${encodeURIComponent(this.word.value.trim())}` : "")),
    );
    this.summary = make("p", "quietly");
    this.truth = make("p", "quietly");
    this.key = make("p", "quietly truths");
    this.ride = button(
      "wide ride",
      () => void this.context?.tabs.ride(Object.fromEntries(new URLSearchParams(this.topic))),
      icon("play"),
      t("Follow it from mouth to mouth"),
    );
    this.ride.hidden = true;
    /** @type {Context | null} */
    this.context = null;
    this.rule = make("p", "quietly", t("The storyline or the event that the memory tells of; anything else is found in the same words only."));
    this.rule.hidden = !new URLSearchParams(topic).has("memory");
    this.gathering = make("div", "quietly");
    this.growth = new Plot(t("Residents who know of it"));
    this.tree = make("ul", "tree");
    this.tree.setAttribute("aria-label", t("Who told whom"));
    this.growth.element.hidden = true;
    const story = make("label", "asked", make("span", "", t("Storyline")), this.story);
    this.element = make("div", "", story, form, this.summary, this.truth, this.key, this.rule, this.ride, this.gathering, this.growth.element, this.tree);
    /** @type {Learning[]} */
    this.learned = [];
    this.verdict = "open";
    /** @type {Map<string, Learning>} */
    this.known = new Map();
    /** @type {Map<string, HTMLElement>} */
    this.items = new Map();
    /** @type {import("../stage/stage.js").Stage | null} */
    this.stage = null;
    this.overlay = (/** @type {import("../stage/stage.js").Stage} */ stage, /** @type {number} */ tick) => this.draw(stage, tick);
  }

  query() {
    return this.topic ? `spread?${this.topic}` : "spread";
  }

  destroy() {
    this.growth.destroy();
    this.stage?.overlays.delete(this.overlay);
  }

  /** @param {any} data @param {Context} context */
  fill(data, context) {
    this.story.replaceChildren(
      new Option(t("choose …"), ""),
      ...data.stories.map((/** @type {any} */ story) => new Option(inWords(context.run, story.title), story.id)),
    );
    for (const [at, { title }] of data.stories.entries()) this.story.options[at + 1].lang = langOf(context.run, title);
    this.story.value = new URLSearchParams(this.topic).get("story") ?? "";
    this.learned = data.learned ?? [];
    this.known = new Map(this.learned.map((knower) => [knower.who, knower]));
    this.verdict = data.truth ?? "open";
    if (this.verdict === "true" && data.gathering?.tick >= context.frames.steps * context.run.ticks) this.verdict = "open"; // still to come
    setText(this.truth, this.learned.length && TRUTHS[this.verdict] ? t(TRUTHS[this.verdict]) : "");
    const found = new Set(this.learned.map((knower) => this.standing(knower)));
    const kinds = Object.entries(STANDINGS).filter(([kind]) => found.has(kind));
    this.key.replaceChildren(...kinds.map(([kind, { words }]) => make("span", "", this.mark(kind), t(words))));
    this.growth.element.hidden = !this.learned.length;
    this.context = context;
    this.ride.hidden = !this.learned.some(({ from }) => from);
    this.stage = context.stage;
    context.stage.overlays.add(this.overlay);
    this.gather(data.gathering, context);
    this.grow(context);
    this.plant(context);
  }

  /** Where people were to come together, and who did. @param {Gathering | undefined} gathering @param {Context} context */
  gather(gathering, { run, tabs, time }) {
    if (!gathering) return this.gathering.replaceChildren();
    const list = new Intl.ListFormat(document.documentElement.lang);
    const { place, tick } = gathering;
    const lines = [t("The gathering: {place}, {time}", { place: run.places[place] ?? place, time: `${time.day(tick).split(" · ")[1]} ${time.clock(tick)}` })];
    const names = (/** @type {string[]} */ people) => list.format(people.map((who) => tabs.name(who)));
    const present = (/** @type {Visit[]} */ visits) => names(visits.map((visit) => visit.who));
    if (gathering.came.length) lines.push(t("Came: {names}", { names: present(gathering.came) }));
    if (gathering.chanced_by.length) lines.push(t("Also there: {names}", { names: present(gathering.chanced_by) }));
    if (gathering.stayed_away.length) lines.push(t("Knew and stayed away: {names}", { names: names(gathering.stayed_away) }));
    this.gathering.replaceChildren(...lines.map((line) => make("p", "", line)));
  }

  /** How many residents know, over time. @param {Context} context */
  grow(context) {
    const { run, frames } = context;
    const width = Math.max(run.ticks, 60);
    const bins = Math.max(1, Math.ceil((frames.steps * run.ticks) / width));
    const values = Array.from({ length: bins }, (_, at) => this.learned.filter((knower) => knower.tick <= (at + 1) * width).length);
    overTime(this.growth, { bins, width, last: frames.steps }, [{ label: t("residents"), values, colour: colour("accent"), area: true }], context);
  }

  /** The tree: below each resident those whom it told; its roots are residents who learned of it by themselves. @param {Context} context */
  plant(context) {
    this.items.clear();
    const below = (/** @type {string} */ from) =>
      this.learned.filter((knower) => (this.known.has(knower.from) ? knower.from : "") === from && knower.who !== from);
    const branch = (/** @type {Learning} */ knower, /** @type {number} */ depth) => {
      const item = make("li", "", this.row(knower, context));
      const knowers =
        depth < this.known.size ? below(knower.who).filter((next) => this.known.get(next.who)?.tick !== undefined && next.tick >= knower.tick) : [];
      if (knowers.length) item.append(make("ul", "", ...knowers.map((next) => branch(next, depth + 1))));
      this.items.set(knower.who, item);
      return item;
    };
    this.tree.replaceChildren(...below("").map((knower) => branch(knower, 0)));
  }

  /** @param {Learning} knower @param {Context} context */
  row(knower, { tabs, time, seek, follow, run }) {
    const moment = knower.step ? `${time.day(knower.tick).split(" · ")[1]} ${time.clock(knower.tick)}` : t("from the start");
    const at = CHANNELS[knower.channel] ? `${moment} · ${t(CHANNELS[knower.channel])}` : moment;
    const kind = this.standing(knower);
    const mark = this.mark(kind);
    mark.setAttribute("role", "img");
    mark.setAttribute("aria-label", t(STANDINGS[kind].words));
    const seen = () => (follow(knower.who), seek(Math.max(0, knower.tick)));
    const row = button(`knower ${kind}`, seen, make("b", "", mark, tabs.name(knower.who)), make("time", "", at));
    row.title = knower.text;
    const text = make("span", "words", knower.text);
    text.lang = run.lang;
    row.append(text);
    const listed = (/** @type {string[]} */ facts) => new Intl.ListFormat(run.lang).format(facts);
    const inherited = knower.strayed.filter((fact) => !knower.changed.includes(fact));
    if (knower.changed.length) row.append(make("span", "altered", t("changed in the telling: {what}", { what: listed(knower.changed) })));
    if (inherited.length) row.append(make("span", "altered", t("changed before: {what}", { what: listed(inherited) })));
    return row;
  }

  /** The mark of a standing. @param {string} kind */
  mark(kind) {
    return make("span", `standing ${kind}`, STANDINGS[kind].mark);
  }

  /** How what a resident knows stands to the town. A moved occasion is open: the page does not tell who knows of the change. @param {Learning} knower @returns {string} one of STANDINGS */
  standing(knower) {
    if (knower.strayed.length) return "strayed";
    if (this.verdict === "not held") return "denied";
    return ["true", "over", "held"].includes(this.verdict) ? "borne" : "unshown";
  }

  /** @param {Context} context */
  show(context) {
    const { tick, run, time } = context;
    const count = this.learned.filter((knower) => knower.tick <= tick).length;
    const values = { count, of: run.residents.length, time: time.clock(tick) };
    setText(
      this.summary,
      this.learned.length
        ? t("By {time}: {count} of {of} know of it. They are ringed on the map.", values)
        : this.topic
          ? t("Nobody remembers anything of it.")
          : t("Choose a storyline or type a word to see who knows of it, since when, and from whom."),
    );
    for (const [who, item] of this.items) item.classList.toggle("later", (this.known.get(who)?.tick ?? 0) > tick);
    this.growth.moment(tick);
  }

  /** Marks on the map who knows, and draws a line from each resident who has just passed it on to the one who learned it. @param {import("../stage/stage.js").Stage} stage @param {number} tick */
  draw(stage, tick) {
    if (!this.element.isConnected || this.element.closest("[hidden]")) return;
    const { context } = stage;
    const figures = new Map(stage.figures.map((figure) => [figure.id, figure]));
    context.save();
    for (const knower of this.learned) {
      const figure = figures.get(knower.who);
      if (!figure || knower.tick > tick) continue;
      const [x, y] = middle(figure);
      const { mark, colour: name } = STANDINGS[this.standing(knower)];
      ring(context, x, y, figure.size, colour(name));
      badge(context, x + Math.max(9, figure.size * 0.8), y, mark, colour(name));
      const teller = figures.get(knower.from);
      if (teller && tick - knower.tick < RECENT) arc(context, middle(teller), [x, y], 1 - (tick - knower.tick) / RECENT);
    }
    context.restore();
  }
}

/** @param {{x: number, y: number, size: number}} figure @returns {[number, number]} */
const middle = (figure) => [figure.x + figure.size / 2, figure.y + figure.size * 0.9];

/** A ring about somebody's feet, with a light edge so that it is seen on any ground. @param {CanvasRenderingContext2D} context @param {number} x @param {number} y @param {number} size @param {string} stroke */
function ring(context, x, y, size, stroke) {
  context.beginPath();
  context.ellipse(x, y, Math.max(9, size * 0.8), Math.max(5, size * 0.45), 0, 0, 2 * Math.PI);
  context.fillStyle = stroke;
  context.globalAlpha = 0.4;
  context.fill();
  context.globalAlpha = 1;
  for (const [width, style] of /** @type {[number, string][]} */ ([
    [5, "#fffdf6"],
    [3, stroke],
  ])) {
    context.lineWidth = width;
    context.strokeStyle = style;
    context.stroke();
  }
}

/** A mark on a light disc beside a ring, so that its colour is not needed. @param {CanvasRenderingContext2D} context @param {number} x @param {number} y @param {string} mark @param {string} stroke */
function badge(context, x, y, mark, stroke) {
  context.beginPath();
  context.arc(x, y, 7, 0, 2 * Math.PI);
  context.fillStyle = "#fffdf6";
  context.fill();
  context.lineWidth = 1.5;
  context.strokeStyle = stroke;
  context.stroke();
  context.fillStyle = "#22271f";
  Object.assign(context, { font: "700 11px sans-serif", textAlign: "center", textBaseline: "middle" });
  context.fillText(mark, x, y);
}

/** @param {CanvasRenderingContext2D} context @param {[number, number]} from @param {[number, number]} to @param {number} strength 0 to 1 */
function arc(context, from, to, strength) {
  context.globalAlpha = strength;
  context.strokeStyle = colour("plot-2");
  context.lineWidth = 3;
  context.beginPath();
  context.moveTo(...from);
  context.quadraticCurveTo((from[0] + to[0]) / 2, Math.min(from[1], to[1]) - 60, ...to);
  context.stroke();
  context.globalAlpha = 1;
}
