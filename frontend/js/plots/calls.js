/** Model calls over time and by kind: outcomes, tokens and seconds; how replies were mended; and what shards and servers had to do. */

import { t } from "../data/i18n.js";
import { make } from "../dom.js";
import { KINDS } from "../panel/why.js";
import { Plot, bars, overTime } from "./charts.js";
import { category, colour } from "../data/colours.js";
import { LoadPlots } from "./loads.js";

/** @typedef {import("../panel/tabs.js").Context} Context */

/** @returns {{name: string, label: string, colour: string}[]} */
const outcomes = () => [
  { name: "ok", label: t("valid at once"), colour: category(0) },
  { name: "retried", label: t("valid after retry"), colour: category(1) },
  { name: "fallback", label: t("fallback"), colour: colour("bad") },
];

export class CallsPlot {
  constructor() {
    this.summary = make("dl", "numbers");
    this.outcomes = new Plot(t("Model calls by outcome"));
    this.kinds = new Plot(t("Model calls by kind"), "rows");
    this.mended = new Plot(t("Mendings of replies"), "rows");
    this.loads = new LoadPlots();
    this.tokens = new Plot(t("Tokens"));
    this.seconds = new Plot(t("Seconds"));
    this.overTime = [this.outcomes, this.tokens, this.seconds];
    this.element = make(
      "div",
      "",
      this.summary,
      ...[this.outcomes, this.kinds, this.mended, ...this.loads.plots, this.tokens, this.seconds].map((plot) => plot.element),
    );
  }

  query() {
    return "calls";
  }

  destroy() {
    for (const plot of [...this.overTime, this.kinds, this.mended, ...this.loads.plots]) plot.destroy();
  }

  /** @param {any} data @param {Context} context */
  fill(data, context) {
    const outcomeSeries = outcomes();
    const sum = (/** @type {number[]} */ values) => values.reduce((total, value) => total + value, 0);
    const number = new Intl.NumberFormat(document.documentElement.lang, { maximumFractionDigits: 1, notation: "compact" });
    const share = new Intl.NumberFormat(document.documentElement.lang, { maximumFractionDigits: 1, style: "percent" });
    /** @param {number} count @param {number | null} rate */
    const rated = (count, rate) => (rate ? t("{count} ({rate}/s)", { count: number.format(count), rate: number.format(rate) }) : number.format(count));
    const read = data.prompt_tokens.map((/** @type {number} */ count, /** @type {number} */ bin) => count - data.cached_tokens[bin]);
    const all = sum(outcomeSeries.map((outcome) => sum(data[outcome.name])));
    const facts = /** @type {[string, string][]} */ ([
      [t("Calls"), number.format(all)],
      [t("fallback"), share.format(all ? sum(data.fallback) / all : 0)],
      [t("read"), rated(sum(data.prompt_tokens) - sum(data.cached_tokens), data.reading)],
      [t("cached"), number.format(sum(data.cached_tokens))],
      [t("written"), rated(sum(data.reply_tokens), data.writing)],
      [t("Seconds"), number.format(sum(data.seconds))],
    ]);
    if (data.reused !== null) facts.push([t("Routines reused"), share.format(data.reused)]);
    if (data.ungrounded !== null) facts.push([t("Work spoken of, not done"), share.format(data.ungrounded)]);
    this.summary.replaceChildren(...facts.map(([name, value]) => make("div", "", make("dt", "", name), make("dd", "", value))));
    overTime(
      this.outcomes,
      data,
      outcomeSeries.map(({ name, ...outcome }) => ({ ...outcome, values: data[name], area: true })),
      context,
    );
    overTime(
      this.tokens,
      data,
      [
        { label: t("read"), values: read, colour: category(2), area: true },
        { label: t("cached"), values: data.cached_tokens, colour: category(4), area: true },
        { label: t("written"), values: data.reply_tokens, colour: category(3), area: true },
      ],
      context,
    );
    overTime(this.seconds, data, [{ label: t("Seconds"), values: data.seconds, colour: category(6), area: true }], context);
    const kinds = [...data.kinds].sort((a, b) => total(b) - total(a));
    const several = new Set(kinds.map((kind) => kind.model)).size > 1;
    const labels = kinds.map(({ kind, model }) => (several ? `${t(KINDS[kind] ?? kind)} (${model})` : t(KINDS[kind] ?? kind)));
    bars(
      this.kinds,
      labels,
      outcomeSeries.map(({ name, ...outcome }) => ({ ...outcome, values: kinds.map((kind) => kind[name]) })),
      t("Kind"),
    );
    this.mended.element.hidden = !data.mended.length;
    bars(
      this.mended,
      data.mended.map((/** @type {any} */ { kind, rule }) => t("{kind}: {rule}", { kind: t(KINDS[kind] ?? kind), rule: t(`mended_${rule}`) })),
      [{ label: t("Mendings of replies"), colour: category(4), values: data.mended.map((/** @type {any} */ mending) => mending.count) }],
      t("Kind"),
    );
    this.loads.fill(data);
  }

  /** @param {Context} context */
  show(context) {
    for (const plot of this.overTime) plot.moment(context.tick);
  }
}

/** @param {any} kind */
const total = (kind) => kind.ok + kind.retried + kind.fallback;
