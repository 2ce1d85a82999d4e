/** The evidence of a thought, as a tree down to observations. */

import { ask } from "../data/api.js";
import { complaint, t } from "../data/i18n.js";
import { button, make } from "../dom.js";
import { empty, moment, typeName } from "./cards.js";

/** @typedef {import("./tabs.js").Context} Context */
/** @typedef {{memory: import("./cards.js").Memory, again: boolean, evidence: Branch[]}} Branch */

/** A section that fills itself. @param {Context} context @param {import("./cards.js").Memory} memory */
export function evidenceSection(context, memory) {
  const body = make("div", "evidence");
  ask(context.run.name, `residents/${memory.who}/memories/${memory.id}/evidence`)
    .then((/** @type {Branch} */ tree) => body.replaceChildren(branches(context, tree.evidence)))
    .catch((/** @type {unknown} */ error) => body.replaceChildren(empty(complaint(error))));
  return make("section", "", make("h3", "", t("Evidence"), make("span", "count", String(memory.evidence.length))), body);
}

/** @param {Context} context @param {Branch[]} list @returns {HTMLElement} */
function branches(context, list) {
  return make("ul", "", ...list.map((branch) => branchItem(context, branch)));
}

/** @param {Context} context @param {Branch} branch */
function branchItem(context, { memory, again, evidence: below }) {
  const text = button("link", () => context.tabs.why({ resident: memory.who, memory: memory.id }), memory.text);
  text.lang = context.run.lang;
  const facts = make(
    "p",
    "facts",
    moment(context, memory.tick),
    make("span", "type", typeName(memory.type)),
    again ? make("span", "again", t("see above")) : null,
  );
  return make("li", `of-${memory.type}`, make("div", "node", facts, text), below.length ? branches(context, below) : null);
}
