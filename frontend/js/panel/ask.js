/** The tab of questions: a conversation with a resident as it was at the moment shown, of which the town knows nothing. */

import * as api from "../data/api.js";
import { N_, t } from "../data/i18n.js";
import { nameModel } from "../data/model_name.js";
import { weightsOf } from "../data/retrieval.js";
import { button, make, setText } from "../dom.js";
import { memoryCard, moment } from "./cards.js";

const LONGEST = 500; // characters of a question
const MOST_LINES = 8; // earlier questions that are sent with one

/** @type {Record<string, string>} */
const KNOWS = { yes: N_("knows"), no: N_("doesn’t know"), unsure: N_("not sure") };

/** @typedef {import("./tabs.js").Context} Context */
/** @typedef {import("./cards.js").Memory} Memory */
/** @typedef {{text: string, knows: "yes" | "no" | "unsure", outcome: string, model: string, scripted: boolean, cited: number[], retrieved: Memory[]}} Answer */
/** @typedef {{who: string, step: number, question: string, answer: Answer | null, element: HTMLElement}} Exchange */

export class AskTab {
  /** @param {import("../data/shapes.js").RunView} run */
  constructor(run) {
    this.id = "ask";
    this.label = t("Ask");
    this.icon = "ask";
    this.run = run;
    this.resident = "";
    /** @type {Exchange[]} those with the resident chosen, the earliest first */
    this.exchanges = [];
    this.whom = /** @type {HTMLSelectElement} */ (make("select", "ask-whom"));
    this.whom.addEventListener("change", () => this.begin());
    this.question = document.createElement("input");
    Object.assign(this.question, { type: "text", maxLength: LONGEST, autocomplete: "off", required: true });
    this.question.lang = run.lang;
    this.send = /** @type {HTMLButtonElement} */ (make("button", "primary", t("Ask")));
    this.send.disabled = true; // until a moment is shown
    this.moment = make("p", "ask-moment");
    this.status = make("p", "ask-status");
    this.status.setAttribute("role", "status");
    this.list = make("ol", "ask-list");
    this.list.setAttribute("aria-live", "polite");
    this.renew = button("link", () => this.begin(), t("New conversation"));
    const form = make(
      "form",
      "ask-form",
      make("label", "speak-field", make("span", "", t("Resident")), this.whom),
      make("p", "speak-about", t("The answer comes from what this resident knew at the moment shown, and nobody in the town hears of it.")),
      this.moment,
      make("label", "speak-field", make("span", "", t("Question")), this.question),
      make("div", "ask-send", this.send, this.renew),
    );
    form.addEventListener("submit", (event) => (event.preventDefault(), void this.submit()));
    this.element = make("section", "ask", form, this.status, this.list);
    this.offer();
    this.begin();
  }

  /** Offers the residents, also those who have come since. */
  offer() {
    for (const { id, name } of this.run.residents.slice(this.whom.length)) this.whom.add(new Option(name, id));
  }

  /** A new conversation. */
  begin() {
    this.exchanges = [];
    this.renew.hidden = true;
    this.list.replaceChildren(make("li", "ask-none", t("Nothing asked yet.")));
    this.report("");
  }

  /** @param {Context} context */
  show(context) {
    if (!this.context) this.send.disabled = false;
    this.context = context;
    const { resident, tick, time } = context;
    this.offer();
    if (resident && resident !== this.resident) {
      this.whom.value = resident;
      if (this.exchanges.at(-1)?.who !== resident) this.begin();
    }
    this.resident = resident;
    setText(this.moment, t("Now: {time}", { time: time.stamp(tick) }));
  }

  /** Asks at the moment shown, at which the town stops meanwhile. */
  async submit() {
    const { context } = this;
    const question = this.question.value.trim();
    if (!context || !question || this.send.disabled) return;
    context.player.playing = false;
    const exchange = { who: this.whom.value, step: context.step, question, answer: null, element: make("li", "ask-exchange") };
    this.send.disabled = true;
    this.report("");
    this.add(exchange);
    try {
      const { answer: text, ...more } = await api.question(this.run.name, { who: exchange.who, question, step: exchange.step, lines: this.lines(exchange) });
      Object.assign(exchange, { answer: { text, ...more } });
      this.fill(context, exchange);
      if (this.question.value.trim() === question) this.question.value = ""; // or it is the next one
    } catch (error) {
      this.remove(exchange);
      this.report(/** @type {Error} */ (error).message);
    } finally {
      this.send.disabled = false;
    }
  }

  /**
   * What the resident is to remember of this conversation: what was asked at the same step. At another one it would know what is yet to come.
   * @param {Exchange} asked @returns {[string, string][]}
   */
  lines(asked) {
    const before = this.exchanges.filter(({ who, step, answer }) => who === asked.who && step === asked.step && answer && answer.outcome !== "fallback");
    return before.slice(-MOST_LINES).map(({ question, answer }) => [question, answer?.text ?? ""]);
  }

  /** @param {Exchange} exchange */
  add(exchange) {
    if (!this.exchanges.length) this.list.replaceChildren();
    this.exchanges.push(exchange);
    this.renew.hidden = false;
    exchange.element.append(asked(exchange.question, this.run.lang), make("p", "ask-waiting", t("Thinking about it…")));
    this.list.prepend(exchange.element);
    exchange.element.scrollIntoView({ block: "nearest" });
  }

  /** @param {Exchange} exchange */
  remove(exchange) {
    this.exchanges = this.exchanges.filter((other) => other !== exchange);
    exchange.element.remove();
    if (!this.exchanges.length) this.begin();
  }

  /** The exchange with its answer, and the memories on which that rests. @param {Context} context @param {Exchange} exchange */
  fill(context, exchange) {
    const answer = /** @type {Answer} */ (exchange.answer);
    const head = make("p", "facts", moment(context, exchange.step * this.run.ticks), make("b", "", context.tabs.name(exchange.who)));
    const said = make("p", "ask-answer", answer.outcome === "fallback" ? t("The model gave no usable answer.") : answer.text);
    said.lang = answer.outcome === "fallback" ? document.documentElement.lang : this.run.lang;
    if (answer.outcome !== "fallback") head.append(make("span", `ask-knows ${answer.knows}`, t(KNOWS[answer.knows])));
    const source = make("p", "ask-source", t("Answered by {model}", { model: nameModel(answer.scripted ? "scripted" : answer.model) }));
    exchange.element.replaceChildren(asked(exchange.question, this.run.lang), head, said, ...this.evidence(context, answer), source);
    exchange.element.scrollIntoView({ block: "nearest" });
  }

  /** @param {Context} context @param {Answer} answer @returns {HTMLElement[]} */
  evidence(context, { cited, retrieved }) {
    const weights = weightsOf(this.run.retrieval);
    const cards = (/** @type {Memory[]} */ memories, /** @type {number[]} */ ...given) =>
      make("div", "memories", ...memories.map((memory) => memoryCard(context, memory, given.length ? given : undefined)));
    const parts = [make("p", "ask-cites", t(cited.length ? N_("Rests on") : N_("Rests on no memory")))];
    if (cited.length) parts.push(cards(retrieved.filter((memory) => cited.includes(memory.id))));
    if (retrieved.length)
      parts.push(
        make(
          "details",
          "ask-reminded",
          make("summary", "", t("All memories that came to mind: {count}", { count: retrieved.length })),
          cards(retrieved, ...weights),
        ),
      );
    return parts;
  }

  /** @param {string} problem "" for none */
  report(problem) {
    setText(this.status, problem);
    this.status.classList.toggle("bad", Boolean(problem));
    if (problem) this.status.scrollIntoView({ block: "nearest" });
  }
}

/** @param {string} question @param {string} lang */
function asked(question, lang) {
  const element = make("p", "ask-asked", question);
  element.lang = lang;
  return element;
}
