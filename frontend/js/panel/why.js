/** What answers "why", over the panel: the model call or rule behind an action, a line or a memory, with everything it was based on. */

import { ask, Latest } from "../data/api.js";
import { hhmm } from "../data/gametime.js";
import { complaint, t } from "../data/i18n.js";
import { button, icon, make } from "../dom.js";
import { empty, memoryCard, moment, person, placeLink, portrait, typeName } from "./cards.js";
import { chainSection } from "./chain.js";
import { signed } from "./emblem.js";
import { evidenceSection } from "./evidence.js";

/** @typedef {import("./tabs.js").Context} Context */
/** @typedef {import("../data/causes.js").Explained} Explained */

/** @type {Record<string, string>} kind of prompt → words for it */
export const KINDS = {
  wake_up: "kind_wake_up",
  schedule_init: "kind_schedule_init",
  schedule_daily: "kind_schedule_daily",
  schedule_changes: "kind_schedule_changes",
  schedule_decompose: "kind_schedule_decompose",
  steps: "kind_steps",
  ground: "kind_ground",
  currently: "kind_currently",
  place: "kind_place",
  poignancy: "kind_poignancy",
  react: "kind_react",
  respond: "kind_respond",
  utterance: "kind_utterance",
  talk_summary: "kind_talk_summary",
  talk_outcome: "kind_talk_outcome",
  relation: "kind_relation",
  reflect_focus: "kind_reflect_focus",
  reflect_insights: "kind_reflect_insights",
  reflect_chats: "kind_reflect_chats",
};

/** @type {Record<string, string>} */
const RULES = {
  founding: "rule_founding",
  bedtime: "rule_bedtime",
  appointment: "rule_appointment",
  idle: "rule_idle",
  routine: "rule_routine",
  continue: "rule_continue",
  walk: "rule_walk",
  schedule: "rule_schedule",
  voice: "rule_voice",
  react: "rule_react",
  alarm: "rule_alarm",
  use: "rule_use",
  chore: "rule_chore",
  put_right: "rule_put_right",
  as_usual: "rule_as_usual",
  need: "rule_need",
  duty: "rule_duty",
  errand: "rule_errand",
  work: "rule_work",
  index: "rule_index",
};

/** @type {Record<string, string>} */
const OUTCOMES = { ok: "outcome_ok", retried: "outcome_retried", fallback: "outcome_fallback" };

/** @type {Record<string, string>} */
const SUBJECTS = { action: "subject_action", line: "subject_line", conversation: "subject_conversation", memory: "subject_memory", call: "subject_call" };

export class WhyTab {
  constructor() {
    this.id = "why";
    this.label = t("tab_why");
    this.icon = "why";
    this.element = make("div", "why-tab");
    this.answers = new Latest();
    this.reference = "none";
    /** @type {string[]} what was asked before */
    this.before = [];
  }

  /** @param {Context} context */
  show(context) {
    this.context = context;
    if (context.reference === this.reference) return;
    if (this.reference && this.reference !== "none" && this.before.at(-1) !== context.reference) this.before.push(this.reference);
    else if (this.before.at(-1) === context.reference) this.before.pop();
    this.reference = context.reference;
    this.element.scrollTop = 0;
    if (!context.reference) return this.element.replaceChildren(make("p", "hint", t("why_hint")));
    const query = Object.fromEntries(new URLSearchParams(context.reference));
    const failed = (/** @type {string} */ problem) => this.element.replaceChildren(empty(problem));
    this.answers.ask(context.run.name, "why", query, (explanation) => this.fill(context, query, explanation), failed);
  }

  /** @param {Context} context @param {Record<string, string>} query @param {any} explanation */
  fill(context, query, explanation) {
    const { call, what } = explanation;
    const back = this.before.length ? button("link back", () => this.back(), icon("back"), t("why_back")) : null;
    const { resident, tick, chain } = explanation;
    const parts = [
      back,
      subject(context, explanation),
      chainSection(context, resident, what.tick ?? tick, what, chain),
      because(explanation.cause, call, context.run.scripted, what.memory?.source),
      refused(context, explanation.refusal),
    ];
    const memory = what.memory;
    if (memory?.evidence.length) parts.push(evidenceSection(context, memory));
    if (call) parts.push(retrieved(context, call), answer(call), attempts(call), prompt(context, query, call), ledTo(context, explanation));
    this.element.replaceChildren(.../** @type {Node[]} */ (parts.filter(Boolean)));
  }

  /** Whoever asks again begins anew. */
  left() {
    this.before = [];
    this.reference = "none";
    this.element.replaceChildren();
  }

  back() {
    const reference = this.before.at(-1) ?? "";
    this.context?.tabs.why(Object.fromEntries(new URLSearchParams(reference)));
  }
}

/** What is explained. @param {Context} context @param {any} explanation */
function subject(context, { what, resident, tick }) {
  const quote = make("blockquote", "", ...signed(`${what.emoji ?? ""} ${what.text ?? ""}`.trim()));
  quote.lang = context.run.lang;
  const facts = make("p", "facts", make("span", "type", what.memory ? typeName(what.memory.type) : t(SUBJECTS[what.type])), moment(context, what.tick ?? tick));
  if (what.address) facts.append(placeLink(context, what.address));
  const head = make("div", "head", portrait(context, resident, 44), make("div", "", person(context, resident), facts));
  return make("section", `subject of-${what.memory?.type ?? what.type}`, head, what.text ? quote : null);
}

/** The rule, or the model call with its outcome and cost. @param {string} cause @param {Explained | null} call @param {boolean} scripted @param {import("../data/shapes.js").SourceView | null} [source] */
function because(cause, call, scripted, source) {
  if (!call) {
    const rule = RULES[cause.replace("rule:", "")];
    const words = source ? t("rule_learn", { ...source }) : rule ? t(rule) : cause || t("why_unknown");
    return make("section", "because", make("h3", "", t("why_rule")), make("p", "", words));
  }
  const badge = make("span", `outcome ${call.outcome}`, t(OUTCOMES[call.outcome]));
  const model = make("span", "model", scripted ? t("scripted") : call.model);
  const cost = make("span", "cost", t("call_cost", { prompt: call.prompt_tokens, reply: call.reply_tokens, ms: Math.round(call.ms) }));
  return make("section", "because", make("h3", "", t("why_call")), make("p", "kind", t(KINDS[call.kind] ?? call.kind)), make("p", "facts", badge, model, cost));
}

/** What stood in the way. @param {Context} context @param {import("../data/shapes.js").RefusalView | undefined} refusal */
function refused({ time }, refusal) {
  if (!refusal) return null;
  const { code, facts } = refusal;
  const values = Object.fromEntries(Object.entries(facts).map(([name, value]) => [name, worded(time, name, value)]));
  const fact = Object.keys(facts).find((name) => t(`refusal_${code}_${name}`) !== `refusal_${code}_${name}`);
  return make("section", "refusal", make("h3", "", t("refusal")), make("p", "", t(`refusal_${code}${fact ? `_${fact}` : ""}`, values)));
}

/** @param {Context["time"]} time @param {string} name @param {string | number} value */
function worded(time, name, value) {
  if (name === "until") return time.stamp(Number(value));
  return name === "opens" || name === "closes" ? hhmm(Number(value)) : value;
}

/** @param {Context} context @param {Explained} call */
function retrieved(context, call) {
  const title = make("h3", "", t("retrieved"), make("span", "count", String(call.retrieved.length)));
  if (!call.retrieved.length) return make("section", "", title, make("p", "note", t("retrieved_none")));
  const cards = call.retrieved.map((memory) => memoryCard(context, memory, call.weights));
  return make("section", "", title, make("div", "memories", ...cards));
}

/** @param {Explained} call */
function answer(call) {
  const reply = make("pre", "", JSON.stringify(call.reply, null, 2));
  return make("section", "", make("h3", "", t(call.outcome === "fallback" ? "reply_fallback" : "reply")), reply);
}

/** The replies of each attempt, where the first was not used as it came. @param {Explained} call */
function attempts(call) {
  if (!call.attempts.length) return null;
  const items = call.attempts.map((attempt) => {
    const rules = new Intl.ListFormat(document.documentElement.lang).format(attempt.mended.map((rule) => t(`mended_${rule}`)));
    const verdict = attempt.error || (rules ? t("attempt_mended", { rules }) : t("attempt_fine"));
    return make("li", "", make("pre", "", attempt.text || "∅"), make("p", attempt.error ? "error" : "fine", verdict));
  });
  return make("section", "", make("h3", "", t("attempts"), make("span", "count", String(items.length))), make("ol", "attempts", ...items));
}

/** The prompt's text, fetched when it is opened: it is long. @param {Context} context @param {Record<string, string>} query @param {Explained} call */
function prompt(context, query, call) {
  if (!call.recorded) return make("section", "", make("h3", "", t("prompt")), make("p", "note", t("prompt_missing")));
  const body = make("div", "messages");
  const details = /** @type {HTMLDetailsElement} */ (make("details", "prompt", make("summary", "", t("prompt_show")), body));
  details.addEventListener("toggle", async () => {
    if (!details.open || body.childElementCount) return;
    try {
      const explanation = await ask(context.run.name, "why", { ...query, prompt: 1 });
      body.replaceChildren(...explanation.call.messages.map((/** @type {any} */ message) => messageItem(context, message)));
    } catch (error) {
      body.replaceChildren(empty(complaint(error)));
    }
  });
  return make("section", "", make("h3", "", t("prompt")), details);
}

/** @param {Context} context @param {{role: string, content: string}} message */
function messageItem(context, message) {
  const text = make("pre", "", message.content);
  text.lang = context.run.lang;
  return make("div", `message ${message.role}`, make("b", "", message.role), text);
}

/** What the answer brought about. @param {Context} context @param {any} explanation */
function ledTo(context, { led_to: results, resident, what }) {
  const others = results.filter(
    (/** @type {any} */ result) => result.type !== "plan" && !(result.type === "memory" && result.id === what.memory?.id) && result.text !== what.text,
  );
  if (!others.length) return null;
  const items = others.map((/** @type {any} */ other) => {
    const text = make("span", "", ...signed(`${other.emoji ?? ""} ${other.text}`.trim()));
    text.lang = context.run.lang;
    const leads = other.type === "memory" ? button("link", () => context.tabs.why({ resident, memory: other.id }), text) : text;
    return make("li", "", make("span", "type", t(SUBJECTS[other.type])), leads);
  });
  return make("section", "", make("h3", "", t("led_to")), make("ul", "led-to", ...items));
}
