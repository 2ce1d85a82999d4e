/** The menu of the timeline: how much of it is seen, the range that is played again and again, and the user's own marks. */

import { TICKS_PER_MINUTE } from "../data/gametime.js";
import { N_, t } from "../data/i18n.js";
import { button, byId, make, setText } from "../dom.js";
import { tool } from "./cards.js";

const ZOOM = 2; // of a click

/**
 * @typedef {{player: import("../stage/player.js").Player, timeline: import("./timeline.js").Timeline, time: import("../data/gametime.js").GameTime,
 *            navigation: import("../navigation.js").Navigation, ownMarks: import("../data/own_marks.js").OwnMarks}} Parts
 */

export class TimeMenu {
  /** @param {Parts} parts */
  constructor(parts) {
    this.parts = parts;
    this.element = byId("time-menu");
    this.span = make("p", "facts");
    this.range = make("p", "facts");
    this.text = /** @type {HTMLInputElement} */ (make("input"));
    Object.assign(this.text, { maxLength: 80, autocomplete: "off", placeholder: t("What happens here") });
    this.text.setAttribute("aria-label", t("What happens here"));
    this.list = make("ul", "own-marks");
    const { timeline, player } = parts;
    this.toRange = button("", () => player.range && timeline.view.show(...player.range), t("Show the range"));
    this.clear = button("", () => player.repeat(0, 0), t("No range"));
    this.shown = -1; // version of the marks that are listed
    this.element.append(...this.shownPart(), ...this.rangePart(), ...this.marksPart());
    this.element.addEventListener("keydown", (/** @type {KeyboardEvent} */ event) => event.target === this.text && event.stopPropagation());
  }

  /** How much is seen. */
  shownPart() {
    const tools = make(
      "div",
      "acts",
      tool(N_("Show less time"), "plus", () => this.zoom(1 / ZOOM)),
      tool(N_("Show more time"), "minus", () => this.zoom(ZOOM)),
      button("", () => this.parts.timeline.view.fit(), t("Whole run")),
    );
    return [make("h2", "", t("Timeline")), this.span, tools];
  }

  /** The range. */
  rangePart() {
    const ends = make(
      "div",
      "acts",
      button("", () => this.begin(), t("Begins here")),
      button("", () => this.end(), t("Ends here")),
    );
    return [make("h2", "", t("Played again and again")), this.range, ends, make("div", "acts", this.toRange, this.clear)];
  }

  /** The marks. */
  marksPart() {
    const form = make("form", "acts", this.text, make("button", "primary", t("Mark this moment")));
    form.addEventListener("submit", (event) => (event.preventDefault(), this.mark()));
    return [make("h2", "", t("My marks")), form, this.list];
  }

  /** Shows less time about the moment, or more. @param {number} part of what is shown */
  zoom(part) {
    const { timeline, player } = this.parts;
    timeline.view.zoom(part, player.tick);
  }

  /** The range begins at the moment shown, and ends where it did, or with the run. */
  begin() {
    const { player } = this.parts;
    const end = player.range?.[1] ?? player.frames.end;
    player.repeat(player.tick, end > player.tick ? end : player.frames.end);
  }

  /** The range ends at the moment shown, and begins where it did, or with the run. */
  end() {
    const { player } = this.parts;
    const begin = player.range?.[0] ?? 0;
    player.repeat(begin < player.tick ? begin : 0, player.tick);
  }

  /** Marks the moment shown. */
  mark() {
    const { player, ownMarks } = this.parts;
    ownMarks.set(Math.floor(player.tick / TICKS_PER_MINUTE) * TICKS_PER_MINUTE, this.text.value.trim());
    this.text.value = "";
  }

  /** Shows what is chosen, while the menu is open. */
  draw() {
    if (!this.element.matches(":popover-open")) return;
    const { timeline, player, time, ownMarks } = this.parts;
    const { view } = timeline;
    const stretch = (/** @type {number} */ from, /** @type {number} */ to) => t("{from} to {to}", { from: time.stamp(from), to: time.stamp(to) });
    setText(this.span, view.whole ? t("All of the run is shown.") : stretch(view.from, view.to));
    setText(this.range, player.range ? stretch(...player.range) : t("No range is chosen."));
    for (const choice of [this.toRange, this.clear]) choice.disabled = !player.range;
    if (ownMarks.version === this.shown) return;
    this.shown = ownMarks.version;
    this.list.replaceChildren(...ownMarks.all.map((mark) => this.item(mark)));
  }

  /** @param {import("../data/own_marks.js").OwnMark} mark */
  item({ tick, text }) {
    const { time, navigation, ownMarks } = this.parts;
    const when = time.stamp(tick);
    const remove = tool(t("Remove the mark at {time}", { time: when }), "close", () => ownMarks.remove(tick));
    return make(
      "li",
      "",
      button("moment", () => navigation.seek(tick), when),
      make("span", "", text),
      remove,
    );
  }
}
