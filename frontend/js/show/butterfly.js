/** The butterfly: a run and its original on one clock, side by side; the first difference is named and leads to its moment. */

import { isOpen } from "../data/address.js";
import * as api from "../data/api.js";
import { standalone } from "../data/embedded.js";
import { complaint, t } from "../data/i18n.js";
import { Requests } from "../data/requests.js";
import { button, byId, make, setText } from "../dom.js";
import { TiledMap } from "../stage/map.js";
import { Twin } from "../stage/twin.js";

const LEAST = 0.25; // how strongly a step is coloured in which the first life differs

/** @typedef {import("../data/shapes.js").Beside} Beside */
/**
 * @typedef {{run: import("../data/shapes.js").RunView, frames: import("../data/frames.js").FrameBuffer, stage: import("../stage/stage.js").Stage,
 *            player: import("../stage/player.js").Player, time: import("../data/gametime.js").GameTime, navigation: import("../navigation.js").Navigation,
 *            tabs: import("../panel/tabs.js").Tabs}} Parts
 */

export class Butterfly {
  /** @param {Parts} parts */
  constructor(parts) {
    this.parts = parts;
    this.line = byId("beside-line");
    this.now = make("span");
    this.strip = byId("beside-strip");
    this.button = byId("beside");
    /** @type {Twin | null} */
    this.twin = null;
    this.openings = new Requests();
    this.other = new URL(location.href).searchParams.get("with") ?? parts.run.parent.split("@")[0];
    this.button.hidden = standalone || !this.other;
    setText(this.button, t("Beside “{name}”", { name: this.other }));
    this.button.addEventListener("click", () => void (this.twin ? this.close() : this.open()));
    if (!this.button.hidden && new URL(location.href).searchParams.has("with")) void this.open();
  }

  async open() {
    const { run, tabs } = this.parts;
    const isLatest = this.openings.begin();
    try {
      const other = await api.run(this.other);
      if (other.start !== run.start || other.ticks !== run.ticks)
        throw new Error(t("The two runs do not begin at the same time, or have steps of different length."));
      const map = other.map ? await TiledMap.load(await api.document(other.map), other.map.slice(0, other.map.lastIndexOf("/") + 1)) : null;
      const found = await api.together(run.name, this.other);
      if (!isLatest()) return;
      byId("stage").classList.add("twinned");
      const elements = { canvas: byId("twin"), layer: byId("twin-bubbles") };
      this.twin = new Twin(elements, this.parts, { run: other, map, fetchFrames: (from, to, signal) => api.frames(other.name, from, to, signal) });
      this.tell(found);
      if (found.first && isOpen(this.parts.navigation.address.given)) this.go(found.first);
      tabs.unfold(false);
      tabs.remember({ with: this.other });
    } catch (error) {
      if (!isLatest()) return;
      this.line.replaceChildren(complaint(error));
      this.line.hidden = false;
    }
    this.button.setAttribute("aria-pressed", String(Boolean(this.twin)));
  }

  close() {
    this.twin?.end();
    this.twin = null;
    byId("twin-bubbles").replaceChildren();
    byId("stage").classList.remove("twinned");
    this.line.hidden = true;
    this.strip.hidden = true;
    this.button.setAttribute("aria-pressed", "false");
    this.parts.tabs.remember({ with: "" });
  }

  /** Where and why they part, and how many lives differ from step to step. @param {Beside} found */
  tell({ tick, cause, first, parted }) {
    const { run, time, tabs } = this.parts;
    setText(byId("twin-name"), this.other);
    setText(byId("own-name"), run.name);
    const parts = [
      make(
        "span",
        "",
        tick === null ? t("The two towns are the same in every step that both have.") : t("They part on {time}: {cause}.", { time: time.stamp(tick), cause }),
      ),
    ];
    if (first) {
      const words = t("The first difference: {name}, {time}: {here}; in the other town: {there}.", {
        name: tabs.name(first.who),
        time: time.stamp(first.tick),
        here: first.here,
        there: first.there,
      });
      parts.push(button("link", () => this.go(first), words));
    }
    this.line.replaceChildren(...parts, this.now);
    this.line.hidden = false;
    const most = Math.max(1, ...parted);
    const stops = parted.map((count) => `rgb(224 67 123 / ${count ? LEAST + ((1 - LEAST) * count) / most : 0})`);
    const share = Math.min(1, parted.length / Math.max(1, this.parts.frames.steps)) * 100;
    this.strip.style.background = `linear-gradient(to right, ${stops.join(", ")}) var(--shift) 0 / calc(${share}% * var(--scale)) 100% no-repeat`;
    this.strip.hidden = false;
  }

  /** @param {{who: string, tick: number}} first */
  go({ who, tick }) {
    const { navigation } = this.parts;
    navigation.seek(tick);
    navigation.follow(who);
  }

  resize() {
    this.twin?.resize();
  }

  /** @param {number} tick @param {number} now milliseconds */
  draw(tick, now) {
    if (!this.twin) return;
    this.twin.draw(tick, now);
    setText(this.now, t("Now {count} of {all} live otherwise.", { count: this.twin.count(tick), all: this.parts.run.residents.length }));
  }
}
