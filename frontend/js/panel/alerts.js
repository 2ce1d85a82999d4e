/** What needs the user's attention at the moment shown, each with what helps; of a run that rests, why, and what lets it go on. */

import { complaint, N_, t } from "../data/i18n.js";
import { button, face, make, setChildren, setHidden, setText } from "../dom.js";
import { emblem } from "./emblem.js";

const FACE = 28; // pixels

/**
 * What an alert says, and what helps.
 * @type {Record<import("../data/shapes.js").AlertKind, {text: string, help: string}>}
 */
const ALERTS = {
  silence: { text: N_("Nobody has talked for {amount} h of the day."), help: N_("Step in") },
  fallbacks: { text: N_("The model’s replies could not be used in {amount} % of this day’s calls. A larger model fails less often."), help: N_("Model calls") },
  slow: { text: N_("The model is slow: an hour of the town takes {amount} min. A smaller model is faster."), help: N_("Model calls") },
  need: { text: N_("{name}: {need} has sunk to {amount} %."), help: N_("Step in") },
};

/** @typedef {import("./tabs.js").Context} Context */
/** @typedef {import("../data/shapes.js").AlertView} Alert */

export class Alerts {
  /** @param {import("../data/live.js").Live} live */
  constructor(live) {
    this.live = live;
    this.element = make("ul", "alerts");
    this.element.id = "alerts";
    this.element.setAttribute("aria-label", t("Needs attention"));
    this.items = new Map(/** @type {[string, HTMLElement][]} */ ([]));
  }

  /** Shows the alerts of the moment, and keeps those that are shown already. @param {Context} context */
  show(context) {
    const { tick, frames, navigation, player } = context;
    const held = navigation.marks.all.alerts.filter((alert) => alert.tick <= tick && tick <= alert.end);
    /** @type {[string, () => HTMLElement][]} */
    const wanted = held.map((alert) => [JSON.stringify(alert), () => this.alert(context, alert)]);
    if (this.live.rests && (this.live.cause || player.atEnd)) wanted.unshift([`rest ${frames.end} ${this.live.cause}`, () => this.rest(context)]);
    this.items = new Map(wanted.map(([key, create]) => [key, this.items.get(key) ?? create()]));
    setHidden(this.element, this.items.size === 0);
    setChildren(this.element, [...this.items.values()]);
  }

  /** @param {Context} context @param {Alert} alert */
  alert({ tabs, navigation }, { kind, tick, amount, who, need }) {
    const resident = tabs.residents.get(who);
    const { text, help } = ALERTS[kind];
    const words = t(text, { amount, name: tabs.name(who), need: need[document.documentElement.lang] ?? "" });
    const go = () => (navigation.seek(tick), who && navigation.show(who));
    const remedy = () => (kind === "fallbacks" || kind === "slow" ? tabs.plot("calls") : tabs.open("speak"));
    const hasRemedy = kind === "fallbacks" || kind === "slow" || tabs.all.has("speak");
    return make("li", "", resident ? face(resident, FACE) : emblem("alert"), button("words", go, words), hasRemedy && button("", remedy, t(help)));
  }

  /** Why a run rests, and since when. @param {Context} context */
  rest({ frames, time, run }) {
    const { cause } = this.live;
    const text = make(
      "p",
      "words",
      t(cause ? N_("The run stopped at {time}: {cause}") : N_("The run rests at {time}."), { time: time.stamp(frames.end), cause }),
    );
    const goOn = button("primary", () => void begin(), t("Go on"));
    const begin = async () => {
      goOn.disabled = true;
      try {
        await this.live.control(run.name, "go");
      } catch (error) {
        setText(text, complaint(error));
      }
      goOn.disabled = false;
    };
    return make("li", "", emblem(cause ? "alert" : "sleep"), text, document.body.dataset.mayChange !== undefined && goOn);
  }
}
