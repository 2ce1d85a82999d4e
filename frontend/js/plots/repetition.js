/** Repetition: the line, activity or thought that a resident repeated most. */

import { N_, t } from "../data/i18n.js";
import { make } from "../dom.js";
import { bar, empty, person, portrait } from "../panel/cards.js";

/** @typedef {import("../panel/tabs.js").Context} Context */

/** @type {Record<string, string>} */
const TIMES = { line: N_("said {times} times"), activity: N_("started {times} times in a row"), thought: N_("thought {times} times") };

export class RepetitionPlot {
  constructor() {
    this.list = make("ol", "loops");
    this.element = make(
      "div",
      "",
      make("p", "quietly", t("Frequent repetition is a sign of a model that has run out of things to say, not of a quiet life.")),
      this.list,
    );
  }

  query() {
    return "loops";
  }

  destroy() {}

  show() {}

  /** @param {{loops: {who: string, kind: string, text: string, times: number}[]}} data most often repeated first @param {Context} context */
  fill({ loops }, context) {
    const most = loops[0]?.times ?? 1;
    this.list.replaceChildren(
      ...(loops.length ? loops.map((loop) => loopItem(loop, most, context)) : [make("li", "none", empty(t("Nobody repeats themselves.")))]),
    );
  }
}

/** @param {{who: string, kind: string, text: string, times: number}} loop @param {number} most @param {Context} context */
function loopItem({ who, kind, text, times }, most, context) {
  const quote = make("p", "", text);
  quote.lang = context.run.lang;
  const head = make("p", "head", person(context, who), make("span", "times", t(TIMES[kind], { times })));
  return make("li", "", portrait(context, who, 36), make("div", "", head, quote, bar(times / most)));
}
