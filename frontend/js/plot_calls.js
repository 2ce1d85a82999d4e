/** What the model was asked, what came of it, and what it cost. */

import { Plot, bars, category, colour, overTime } from "./charts.js";
import { make } from "./dom.js";
import { t } from "./i18n.js";
import { KINDS } from "./why.js";

/** @typedef {import("./tabs.js").Context} Context */

/** @returns {{name: string, label: string, colour: string}[]} */
const outcomes = () => [
  { name: "ok", label: t("outcome_ok"), colour: category(0) },
  { name: "retried", label: t("outcome_retried"), colour: category(1) },
  { name: "fallback", label: t("outcome_fallback"), colour: colour("bad") },
];

export class CallsPlot {
  constructor() {
    this.summary = make("dl", "numbers");
    this.outcomes = new Plot(t("calls_outcomes"));
    this.kinds = new Plot(t("calls_kinds"), "rows");
    this.tokens = new Plot(t("calls_tokens"));
    this.seconds = new Plot(t("calls_seconds"));
    this.overTime = [this.outcomes, this.tokens, this.seconds];
    this.element = make("div", "", this.summary, ...[this.outcomes, this.kinds, this.tokens, this.seconds].map((one) => one.element));
  }

  query() {
    return "calls";
  }

  destroy() {
    for (const plot of [...this.overTime, this.kinds]) plot.destroy();
  }

  /** @param {any} data @param {Context} context */
  fill(data, context) {
    const told = outcomes();
    const sum = (/** @type {number[]} */ values) => values.reduce((total, one) => total + one, 0);
    const number = new Intl.NumberFormat(document.documentElement.lang, { maximumFractionDigits: 1, notation: "compact" });
    const share = new Intl.NumberFormat(document.documentElement.lang, { maximumFractionDigits: 1, style: "percent" });
    const all = sum(told.map((one) => sum(data[one.name])));
    const facts = /** @type {[string, string][]} */ ([
      [t("calls_all"), number.format(all)],
      [t("outcome_fallback"), share.format(all ? sum(data.fallback) / all : 0)],
      [t("calls_tokens"), number.format(sum(data.prompt_tokens) + sum(data.reply_tokens))],
      [t("calls_seconds"), number.format(sum(data.seconds))],
    ]);
    this.summary.replaceChildren(...facts.map(([name, value]) => make("div", "", make("dt", "", name), make("dd", "", value))));
    overTime(this.outcomes, data, told.map(({ name, ...one }) => ({ ...one, values: data[name], area: true })), context);
    overTime(this.tokens, data, [
      { label: t("tokens_prompt"), values: data.prompt_tokens, colour: category(2), area: true },
      { label: t("tokens_reply"), values: data.reply_tokens, colour: category(3), area: true },
    ], context);
    overTime(this.seconds, data, [{ label: t("calls_seconds"), values: data.seconds, colour: category(6), area: true }], context);
    const kinds = [...data.kinds].sort((one, other) => total(other) - total(one));
    const several = new Set(kinds.map((one) => one.model)).size > 1;
    const labels = kinds.map(({ kind, model }) => (several ? `${t(KINDS[kind] ?? kind)} (${model})` : t(KINDS[kind] ?? kind)));
    bars(this.kinds, labels, told.map(({ name, ...one }) => ({ ...one, values: kinds.map((kind) => kind[name]) })), t("calls_kind"));
  }

  /** @param {Context} context */
  show(context) {
    for (const plot of this.overTime) plot.moment(context.tick);
  }
}

/** @param {any} kind */
const total = (kind) => kind.ok + kind.retried + kind.fallback;
