/** What answers "why", over the panel: the model call or rule behind an action, a line or a memory, with everything it was based on. */

import { ask, Latest } from "../data/api.js";
import { hhmm } from "../data/gametime.js";
import { N_, complaint, nt, t } from "../data/i18n.js";
import { RECORDED, nameModel } from "../data/model_name.js";
import { button, icon, make } from "../dom.js";
import { empty, memoryCard, moment, person, placeLink, portrait, typeName } from "./cards.js";
import { chainSection } from "./chain.js";
import { signed } from "./emblem.js";
import { evidenceSection } from "./evidence.js";

/** What stood in the way of an errand, by its code, and by a fact that says more. @type {Record<string, string>} */
const REFUSALS = {
  BUSY: N_("{thing}: somebody else was about to use it."),
  BUSY_who: N_("{thing}: {who} was {doing} there, until {until}."),
  BUSY_until: N_("{thing}: after {doing}, it takes until {until} by itself."),
  LACKS_kind: N_("{kind}: there were {has}, and it takes {needs}."),
  LACKS_tool: N_("No tool was at hand: it takes one of these: {tool}."),
  CLOSED_opens: N_("{thing} is open from {opens} to {closes}."),
  CLOSED_seasons: N_("It is not the season: this is done in {seasons}."),
  CLOSED: N_("It was closed."),
  NOT_YOURS: N_("{thing} is another house’s."),
  NOT_YOURS_owner: N_("{thing} belongs to {owner}."),
  NOT_YOURS_price: N_("Who can pay {price} is not given it."),
  TOO_POOR: N_("It costs {price}; the house has {has}."),
  UNSKILLED: N_("{skill}: it takes {needs} of 1000; so far it is {has}."),
  FULL: N_("There is room for {room} g, and this weighs {grams} g."),
  NO_TARGET: N_("{thing} is not for that, or it is no longer there."),
  NO_RECIPE: N_("There is no such recipe in this town."),
  FAILED: N_("It was done as it should be, and chance was against it: what is difficult may fail."),
  BROKE_wears: N_("{kind}: worn out after {wears} of work."),
};

/** @typedef {import("./tabs.js").Context} Context */
/** @typedef {import("../data/causes.js").Explained} Explained */

/** @type {Record<string, string>} kind of prompt → words for it */
export const KINDS = {
  wake_up: N_("When to get up"),
  schedule_init: N_("What to do today, in outline"),
  schedule_daily: N_("The day’s schedule"),
  schedule_changes: N_("What is different today"),
  schedule_decompose: N_("The tasks of this hour"),
  steps: N_("What is done at this time"),
  ground: N_("Which of these steps are work"),
  currently: N_("What is on one’s mind"),
  place: N_("Where to do it"),
  poignancy: N_("How important it is"),
  react: N_("Whether to react to what is seen"),
  approach: N_("What to do about those whom they have in mind"),
  respond: N_("What to do about what has happened"),
  reconsider: N_("Whether to change the rest of the day"),
  clash: N_("Which of two agreements to keep"),
  utterance: N_("What to say next"),
  talk_summary: N_("What the talk was about"),
  talk_outcome: N_("What came of the talk"),
  relation: N_("How the two stand with each other"),
  reflect_focus: N_("What to think about"),
  reflect_insights: N_("What follows from memories"),
  reflect_chats: N_("What to keep of the talks"),
};

/** @type {Record<string, string>} */
const RULES = {
  founding: N_("It was so when the run began."),
  bedtime: N_("It is bedtime by the day’s schedule."),
  appointment: N_("An appointment is due; appointments take precedence over the plan."),
  idle: N_("An idle object was perceived; its importance is always low, so the model is not asked."),
  routine: N_("Usual things are rated by rule: one’s own routine and things lowest, then people one knows, then those dear to one."),
  continue: N_("The current action is not finished yet."),
  walk: N_("Walking there, tile by tile."),
  schedule: N_("The schedule says so."),
  voice: N_("The inner voice asked for it."),
  met: N_("They have met by agreement, and open with a talk."),
  approach: N_("They had somebody in mind and decided what to do about it."),
  note: N_("A note was left for them here."),
  reason: N_("What had happened was a reason to change the day."),
  react: N_("Something happened that could not wait, and this was decided about it."),
  alarm: N_("What happened was grave enough to break off everything."),
  use: N_("Use left it so."),
  chore: N_("Whoever lives or works here puts things in order in passing."),
  put_right: N_("The work that puts it right is done."),
  stay: N_("The time has come at which the stranger leaves."),
  habit: N_("The whole day is the usual one, written in advance."),
  habits: N_("So it stands in the habits, which were written in advance."),
  as_usual: N_("Done as on an earlier day, so the model was not asked."),
  need: N_("A need of the body is low, and this meets it."),
  duty: N_("It is working time, and this is something the resident sees to."),
  errand: N_("The next of the things that the resident is about to do."),
  work: N_("What came of work, by the rules of the town's goods."),
  index: N_("Added through the vector store."),
};

/** @type {Record<string, string>} */
const OUTCOMES = { ok: N_("valid at once"), retried: N_("valid after retry"), fallback: N_("fallback") };

/** @type {Record<string, string>} */
const SUBJECTS = { action: N_("action"), line: N_("line of a conversation"), conversation: N_("conversation"), memory: N_("memory"), call: N_("model call") };

export class WhyTab {
  constructor() {
    this.id = "why";
    this.label = t("Why");
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
    if (!context.reference)
      return this.element.replaceChildren(
        make("p", "hint", t("Ask “Why?” about an action, a line of a conversation or a memory: the answer appears here, with everything it was based on.")),
      );
    const query = Object.fromEntries(new URLSearchParams(context.reference));
    const failed = (/** @type {string} */ problem) => this.element.replaceChildren(empty(problem));
    this.answers.ask(context.run.name, "why", query, (explanation) => this.fill(context, query, explanation), failed);
  }

  /** @param {Context} context @param {Record<string, string>} query @param {any} explanation */
  fill(context, query, explanation) {
    const { call, what } = explanation;
    const back = this.before.length ? button("link back", () => this.back(), icon("back"), t("Back")) : null;
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
    this.answers.forget();
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
    const words = source
      ? t("Read in {file}, passage {passage}, which you had this resident learn.", { ...source })
      : rule
        ? t(rule)
        : cause || t("The run did not record the reason.");
    return make("section", "because", make("h3", "", t("A rule of the town")), make("p", "", words));
  }
  const badge = make("span", `outcome ${call.outcome}`, t(OUTCOMES[call.outcome]));
  const model = make("span", "model", nameModel(scripted ? "scripted" : call.model));
  const spent = { prompt: call.prompt_tokens, reply: call.reply_tokens, ms: Math.round(call.ms) };
  const cost = make("span", "cost", call.model === RECORDED ? t("{prompt} + {reply} tokens", spent) : t("{prompt} + {reply} tokens, {ms} ms", spent));
  return make(
    "section",
    "because",
    make("h3", "", t("A model call")),
    make("p", "kind", t(KINDS[call.kind] ?? call.kind)),
    make("p", "facts", badge, model, cost),
  );
}

/** What stood in the way. @param {Context} context @param {import("../data/shapes.js").RefusalView | undefined} refusal */
function refused({ time }, refusal) {
  if (!refusal) return null;
  const { code, facts } = refusal;
  const values = Object.fromEntries(Object.entries(facts).map(([name, value]) => [name, worded(time, name, value)]));
  const fact = Object.keys(facts).find((name) => REFUSALS[`${code}_${name}`]);
  return make("section", "refusal", make("h3", "", t("What stood in the way")), make("p", "", t(REFUSALS[fact ? `${code}_${fact}` : code], values)));
}

/** @param {Context["time"]} time @param {string} name @param {string | number} value */
function worded(time, name, value) {
  if (name === "until") return time.stamp(Number(value));
  if (name === "price") return nt("{count} coin", "{count} coins", Number(value));
  if (name === "wears") return nt("{count} time", "{count} times", Number(value));
  return name === "opens" || name === "closes" ? hhmm(Number(value)) : value;
}

/** @param {Context} context @param {Explained} call */
function retrieved(context, call) {
  const title = make("h3", "", t("Retrieved memories"), make("span", "count", String(call.retrieved.length)));
  if (!call.retrieved.length) return make("section", "", title, make("p", "note", t("No memories were retrieved for this call.")));
  const cards = call.retrieved.map((memory) => memoryCard(context, memory, call.weights));
  return make("section", "", title, make("div", "memories", ...cards));
}

/** @param {Explained} call */
function answer(call) {
  const reply = make("pre", "", JSON.stringify(call.reply, null, 2));
  return make("section", "", make("h3", "", t(call.outcome === "fallback" ? N_("Fallback used") : N_("Reply"))), reply);
}

/** The replies of each attempt, where the first was not used as it came. @param {Explained} call */
function attempts(call) {
  if (!call.attempts.length) return null;
  const items = call.attempts.map((attempt) => {
    const rules = new Intl.ListFormat(document.documentElement.lang).format(attempt.mended.map((rule) => t(`mended_${rule}`)));
    const verdict = attempt.error || (rules ? t("valid, mended: {rules}", { rules }) : t("valid"));
    return make("li", "", make("pre", "", attempt.text || "∅"), make("p", attempt.error ? "error" : "fine", verdict));
  });
  return make("section", "", make("h3", "", t("Attempts"), make("span", "count", String(items.length))), make("ol", "attempts", ...items));
}

/** The prompt's text, fetched when it is opened: it is long. @param {Context} context @param {Record<string, string>} query @param {Explained} call */
function prompt(context, query, call) {
  if (!call.recorded) return make("section", "", make("h3", "", t("Prompt")), make("p", "note", t("The prompt was not recorded (record_prompts is off).")));
  const body = make("div", "messages");
  const details = /** @type {HTMLDetailsElement} */ (make("details", "prompt", make("summary", "", t("Show the full prompt")), body));
  details.addEventListener("toggle", async () => {
    if (!details.open || body.childElementCount) return;
    try {
      const explanation = await ask(context.run.name, "why", { ...query, prompt: 1 });
      body.replaceChildren(...explanation.call.messages.map((/** @type {any} */ message) => messageItem(context, message)));
    } catch (error) {
      body.replaceChildren(empty(complaint(error)));
    }
  });
  return make("section", "", make("h3", "", t("Prompt")), details);
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
  return make("section", "", make("h3", "", t("Results")), make("ul", "led-to", ...items));
}
