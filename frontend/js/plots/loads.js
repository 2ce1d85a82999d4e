/** What shards and model servers had to do, each as a row of bars; nothing where there is only one. */

import { t } from "../data/i18n.js";
import { make } from "../dom.js";
import { category, colour } from "../data/colours.js";
import { Plot, bars } from "./charts.js";

/** @typedef {{residents: number, ms: number}} Shard */
/** @typedef {{server: number, calls: number, moved: number, failed: number, tokens: number, busy: number, seconds: number}} Server */

export class LoadPlots {
  constructor() {
    this.shards = new Plot(t("calls_shards"), "rows");
    this.replies = new Plot(t("calls_servers"), "rows");
    this.busy = new Plot(t("calls_server_busy"), "rows");
    this.seconds = new Plot(t("calls_server_seconds"), "rows");
    this.tokens = new Plot(t("calls_server_tokens"), "rows");
    this.servers = [this.replies, this.busy, this.seconds, this.tokens];
    this.plots = [this.shards, ...this.servers];
  }

  /** @param {{shards: Shard[], servers: Server[]}} data */
  fill({ shards, servers }) {
    this.shards.element.hidden = !shards.length;
    const names = shards.map(({ residents }, at) => t("calls_shard", { number: at + 1, residents }));
    bars(this.shards, names, [{ label: t("calls_shard_ms"), colour: category(6), values: shards.map(({ ms }) => ms) }], t("calls_shard_of"));
    for (const plot of this.servers) plot.element.hidden = !servers.length;
    const addresses = servers.map(({ server }) => t("calls_server", { number: server }));
    /** @param {Plot} plot @param {{label: string, colour: string, of: (server: Server) => number}[]} series */
    const draw = (plot, ...series) =>
      bars(
        plot,
        addresses,
        series.map(({ of, ...line }) => ({ ...line, values: servers.map(of) })),
        t("calls_server_of"),
      );
    draw(
      this.replies,
      { label: t("calls_server_own"), colour: category(0), of: ({ calls, moved }) => calls - moved },
      { label: t("calls_server_moved"), colour: category(1), of: ({ moved }) => moved },
      { label: t("calls_server_failed"), colour: colour("bad"), of: ({ failed }) => failed },
    );
    draw(this.busy, { label: "%", colour: category(6), of: ({ busy }) => Math.round(100 * busy) });
    draw(this.seconds, { label: t("calls_seconds"), colour: category(3), of: ({ seconds }) => seconds });
    draw(this.tokens, { label: t("calls_tokens"), colour: category(2), of: ({ tokens }) => tokens });
  }
}
