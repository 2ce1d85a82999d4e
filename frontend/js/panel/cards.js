/** What several tabs share: moments, residents, memories with their scores, conversations. */

import { N_, t } from "../data/i18n.js";
import { button, face, icon, make } from "../dom.js";

/** @typedef {import("./tabs.js").Context} Context */

/** @typedef {import("../data/shapes.js").MemoryView & {used?: number | null, retired?: boolean, settled?: number | null, scores?: number[]}} Memory */
/** @typedef {import("../data/shapes.js").ConversationView} Conversation */

/** The name of a type of memory. @param {string} type */
export const typeName = (type) => t(`memory_type_${type}`);

/** @type {Record<string, string>} */
const SCORES = { recency: N_("recency"), importance: N_("importance"), relevance: N_("relevance") };

/** A time, as a button that goes to that moment. @param {Context} context @param {number} tick @param {string} [text] */
export function moment(context, tick, text = context.time.stamp(tick, context.tick)) {
  const element = button("moment", () => context.seek(tick), text);
  element.title = t("Go to {time}", { time: `${context.time.day(tick)} ${context.time.clock(tick)}` });
  return element;
}

/** A conversation's time, as a button that goes to its beginning and to those who talk. @param {Context} context @param {import("../navigation.js").Begun} conversation */
export function talkMoment(context, conversation) {
  const element = moment(context, conversation.tick);
  element.addEventListener("click", () => context.navigation.hear(conversation));
  return element;
}

/** A button with a symbol. @param {string} label @param {string} sign @param {() => void} act */
export function tool(label, sign, act) {
  const element = button("quiet", act, icon(sign));
  return Object.assign(element, { title: t(label), ariaLabel: t(label) });
}

/** A place, as a button that shows it. @param {Pick<Context, "navigation" | "tabs" | "run">} context @param {string} address of an arena or a thing */
export function placeLink(context, address) {
  const element = button("place link", () => context.navigation.visit(address), context.tabs.place(address));
  element.lang = context.run.lang;
  return element;
}

/** A button that asks why. @param {Pick<Context, "tabs">} context @param {Record<string, string | number>} reference @param {string} of what, for those who cannot see it */
export function whyButton(context, reference, of) {
  const element = button("why-button", () => context.tabs.why(reference), icon("why"), t("Why?"));
  element.setAttribute("aria-label", t("Why? {what}", { what: of }));
  return element;
}

/** A name, as a button that opens the tab of that resident. @param {Context} context @param {string} id */
export function person(context, id) {
  const element = button("person", () => context.tabs.visit(id), context.tabs.name(id));
  element.title = t("Get to know {name}", { name: context.tabs.name(id) });
  return element;
}

/** @param {Context} context @param {string} id @param {number} size in pixels */
export function portrait(context, id, size) {
  return face(context.tabs.residents.get(id) ?? { name: id, portrait: null }, size);
}

/** Chooses a resident. @param {Context} context @param {string} chosen */
export function picker(context, chosen) {
  const select = /** @type {HTMLSelectElement} */ (make("select", "picker"));
  select.setAttribute("aria-label", t("Choose a resident"));
  for (const { id, name } of context.run.residents) select.add(new Option(name, id, false, id === chosen));
  select.addEventListener("change", () => context.tabs.visit(select.value));
  return select;
}

/** Buttons of which one is chosen. @param {string} label @param {Record<string, string>} choices id → words @param {string} chosen @param {(id: string) => void} choose */
export function segments(label, choices, chosen, choose) {
  const group = make("div", "segments");
  group.setAttribute("role", "group");
  group.setAttribute("aria-label", label);
  const buttons = Object.entries(choices).map(([id, words]) => {
    const choice = button(
      "",
      () => {
        for (const other of buttons) other.setAttribute("aria-pressed", String(other === choice));
        choose(id);
      },
      words,
    );
    choice.dataset.id = id;
    choice.setAttribute("aria-pressed", String(id === chosen));
    return choice;
  });
  group.append(...buttons);
  return group;
}

/** A bar of a share, 0 to 1, of the whole. @param {number} share @param {string} [classes] */
export function bar(share, classes = "") {
  const element = make("span", `bar ${classes}`);
  element.style.setProperty("--share", String(Math.max(0, Math.min(1, share))));
  element.setAttribute("aria-hidden", "true");
  return element;
}

/** The three scores of a memory and their sum; `weights` are what they were multiplied by. @param {number[]} scores @param {number[]} weights */
function scoreBars(scores, weights) {
  const list = make("dl", "scores");
  Object.values(SCORES).forEach((label, at) => {
    const value = scores[at + 1];
    const term = make("dt", "", t(label));
    term.title = t("weight {weight}", { weight: weights[at] });
    list.append(make("div", "", term, make("dd", "", bar(value, `score-${at}`), make("span", "", value.toFixed(2)))));
  });
  const sum = make("p", "sum", scores[0].toFixed(2));
  sum.title = t("score: the weighted sum");
  return make("div", "scored", sum, list);
}

/**
 * A memory as a card: what, when, where, how important, and what leads on from it.
 * @param {Context} context @param {Memory} memory @param {number[]} [weights] of its scores, if it has any
 */
export function memoryCard(context, memory, weights) {
  const text = make("p", "memory-text", memory.text);
  text.lang = context.run.lang;
  const importance = make("span", "importance", bar(memory.poignancy / 10), String(memory.poignancy));
  importance.title = t("Importance {value} of 10", { value: memory.poignancy });
  importance.setAttribute("aria-label", importance.title);
  importance.setAttribute("role", "img");
  const facts = make("p", "facts", moment(context, memory.tick), make("span", "type", typeName(memory.type)), importance);
  if (memory.address) facts.append(placeLink(context, memory.address));
  if (memory.source) facts.append(make("span", "source", t("known before: {file}, passage {passage}", { ...memory.source })));
  if (memory.retired)
    facts.append(make("span", "retired", memory.settled ? t("done {time}", { time: context.time.clock(memory.settled) }) : t("no longer retrieved")));
  const evidence = memory.evidence.length ? make("span", "rests", t("based on {count}", { count: memory.evidence.length })) : null;
  const foot = make("p", "foot", evidence, whyButton(context, { resident: memory.who, memory: memory.id }, memory.text));
  return make("article", `card memory of-${memory.type}`, facts, text, memory.scores && weights ? scoreBars(memory.scores, weights) : null, foot);
}

/** A note shown where there is nothing else. @param {string} text */
export function empty(text) {
  return make("p", "empty", text);
}

/** The lines of a conversation, each with a button that asks why. @param {Context} context @param {Conversation} conversation */
export function spokenLines(context, conversation) {
  const list = make("ol", "spoken");
  conversation.lines.forEach((line, at) => {
    for (const { who, comes } of conversation.turns.filter((turn) => turn.line === at))
      list.append(make("li", "turn", t(comes ? N_("{name} joins them") : N_("{name} leaves"), { name: context.tabs.name(who) })));
    const text = make("p", "", line.text);
    text.lang = context.run.lang;
    const item = make("li", line.speaker !== conversation.people[0] ? "partner" : "", make("b", "", context.tabs.name(line.speaker)), text);
    item.append(whyButton(context, { conversation: conversation.id, line: at }, line.text));
    list.append(item);
  });
  return list;
}
