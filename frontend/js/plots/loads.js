/** What shards and model servers had to do, each as a row of bars; nothing where there is only one. */

import { nt, t } from "../data/i18n.js";
import { category, colour } from "../data/colours.js";
import { Plot, bars } from "./charts.js";

/** @typedef {{residents: number, ms: number}} Shard */
/** @typedef {{server: number, calls: number, moved: number, failed: number, tokens: number, busy: number, seconds: number}} Server */

export class LoadPlots {
  constructor() {
    this.shards = new Plot(t("Processor time of a resident's step, by shard (ms)"), "rows");
    this.replies = new Plot(t("Replies, by model server"), "rows");
    this.busy = new Plot(t("Busy, of the time in which any server was asked (%)"), "rows");
    this.seconds = new Plot(t("Time to a reply on average, by server (s)"), "rows");
    this.tokens = new Plot(t("Tokens of prompts and replies, by server"), "rows");
    this.servers = [this.replies, this.busy, this.seconds, this.tokens];
    this.plots = [this.shards, ...this.servers];
  }

  /** @param {{shards: Shard[], servers: Server[]}} data */
  fill({ shards, servers }) {
    this.shards.element.hidden = !shards.length;
    const names = shards.map(({ residents }, at) => nt("Shard {number}, {count} resident", "Shard {number}, {count} residents", residents, { number: at + 1 }));
    bars(this.shards, names, [{ label: t("in the last steps"), colour: category(6), values: shards.map(({ ms }) => ms) }], t("Shard"));
    for (const plot of this.servers) plot.element.hidden = !servers.length;
    const addresses = servers.map(({ server }) => t("Server {number}", { number: server }));
    /** @param {Plot} plot @param {{label: string, colour: string, of: (server: Server) => number}[]} series */
    const draw = (plot, ...series) =>
      bars(
        plot,
        addresses,
        series.map(({ of, ...line }) => ({ ...line, values: servers.map(of) })),
        t("Server"),
      );
    draw(
      this.replies,
      { label: t("to its own residents"), colour: category(0), of: ({ calls, moved }) => calls - moved },
      { label: t("to those of another server"), colour: category(1), of: ({ moved }) => moved },
      { label: t("left to another server"), colour: colour("bad"), of: ({ failed }) => failed },
    );
    draw(this.busy, { label: "%", colour: category(6), of: ({ busy }) => Math.round(100 * busy) });
    draw(this.seconds, { label: t("Seconds"), colour: category(3), of: ({ seconds }) => seconds });
    draw(this.tokens, { label: t("Tokens"), colour: category(2), of: ({ tokens }) => tokens });
  }
}
