/** The tab from which the user speaks into the town: an inner voice, the state of a thing, an event, a thing that comes or goes. */

import * as api from "./api.js";
import { button, make, setText } from "./dom.js";
import { t } from "./i18n.js";

const NEWS = 4000; // milliseconds between two looks into the inbox
const LONGEST = 500; // characters of what is said

/** @typedef {"tell" | "set" | "event" | "place" | "remove"} Kind */
/** @typedef {{kind: Kind, target: string, text: string, step: number, number: number, waiting: boolean}} Wish */
/** @typedef {[group: string, items: [value: string, name: string][]]} Group */

export class SpeakTab {
  /** @param {import("./types.js").Run} run @param {import("./tabs.js").Tabs} tabs */
  constructor(run, tabs) {
    this.id = "speak";
    this.label = t("tab_speak");
    this.icon = "speak";
    this.run = run;
    this.tabs = tabs;
    this.looked = -Infinity;
    this.resident = "";
    this.shown = "";
    this.kind = select([["", kinds()]]);
    this.target = select([]);
    this.text = input("text", LONGEST);
    this.at = input("text", 14);
    this.at.placeholder = t("speak_at_hint");
    this.status = make("p", "speak-status");
    this.status.setAttribute("role", "status");
    this.list = make("ol", "speak-list");
    this.about = make("p", "speak-about");
    this.send = button("primary wide", () => this.form.requestSubmit(), t("speak_send"));
    this.said = field(t("speak_text"), this.text);
    this.form = /** @type {HTMLFormElement} */ (
      make("form", "speak-form", field(t("speak_kind"), this.kind), this.about, field(t("speak_target"), this.target), this.said, field(t("speak_at"), this.at), this.send)
    );
    this.form.addEventListener("submit", (event) => (event.preventDefault(), void this.ask()));
    this.kind.addEventListener("change", () => this.choose());
    this.element = make("section", "speak", this.form, this.status, make("h2", "", t("speak_inbox")), this.list);
    this.choose();
  }

  /** What fits the kind chosen is offered. */
  choose() {
    const kind = /** @type {Kind} */ (this.kind.value);
    const before = this.target.value;
    this.target.replaceChildren(...options(this.groups(kind)));
    if ([...this.target.options].some((one) => one.value === before)) this.target.value = before;
    this.said.hidden = kind === "remove";
    this.text.required = kind !== "remove" && kind !== "set";
    setText(this.about, hints()[kind]);
  }

  /** @param {Kind} kind @returns {Group[]} */
  groups(kind) {
    if (kind === "tell") return [["", this.run.residents.map((one) => [one.id, one.name])]];
    if (kind === "place") return [["", Object.entries(this.run.places)]];
    const own = /** @type {Group[]} */ (
      Object.entries(this.run.places).map(([arena, name]) => {
        const things = Object.entries(this.run.things).filter(([address, thing]) => address.startsWith(`${arena}/`) && thing.until === undefined);
        return [name, [...(kind === "event" ? [[arena, name]] : []), ...things.map(([address, thing]) => [address, thing.name])]];
      })
    );
    return own.filter(([, items]) => items.length > 0);
  }

  /** @param {import("./tabs.js").Context} context */
  show({ resident }) {
    if (resident && resident !== this.resident && this.kind.value === "tell") this.target.value = resident;
    this.resident = resident;
    const now = performance.now();
    if (now - this.looked < NEWS) return;
    this.looked = now;
    void this.look();
  }

  async look() {
    try {
      this.fill(await api.inbox(this.run.name));
    } catch (error) {
      this.tell(/** @type {Error} */ (error).message, true);
    }
  }

  /** @param {Wish[]} wishes */
  fill(wishes) {
    const shown = JSON.stringify(wishes);
    if (shown === this.shown) return;
    this.shown = shown;
    this.list.replaceChildren(...wishes.map((one) => this.row(one)));
    if (!wishes.length) this.list.append(make("li", "speak-none", t("speak_none")));
  }

  /** @param {Wish} wish */
  row(wish) {
    const name = this.tabs.names.get(wish.target) ?? this.run.things[wish.target]?.name ?? this.run.places[wish.target] ?? wish.target;
    const kind = Object.fromEntries(kinds())[wish.kind];
    const state = wish.waiting ? (wish.step ? t("speak_waits_for", { step: wish.step }) : t("speak_waits")) : t("speak_done");
    return make("li", wish.waiting ? "waiting" : "", make("b", "", `${kind} · ${name}`), make("span", "", wish.text), make("small", "", state));
  }

  async ask() {
    const text = this.kind.value === "remove" ? this.target.value : `${this.target.value}: ${this.text.value}`;
    this.send.disabled = true;
    try {
      await api.wish(this.run.name, { kind: this.kind.value, text, at: this.at.value.trim() });
      this.text.value = "";
      this.tell(t("speak_noted"), false);
      await this.look();
    } catch (error) {
      this.tell(/** @type {Error} */ (error).message, true);
    } finally {
      this.send.disabled = false;
    }
  }

  /** @param {string} text @param {boolean} bad */
  tell(text, bad) {
    setText(this.status, text);
    this.status.classList.toggle("bad", bad);
    this.status.scrollIntoView({ block: "nearest" });
  }
}

/** @returns {[string, string][]} */
function kinds() {
  return [
    ["tell", t("speak_tell")],
    ["event", t("speak_event")],
    ["set", t("speak_set")],
    ["place", t("speak_place")],
    ["remove", t("speak_remove")],
  ];
}

/** @returns {Record<Kind, string>} */
function hints() {
  return { tell: t("speak_tell_hint"), event: t("speak_event_hint"), set: t("speak_set_hint"), place: t("speak_place_hint"), remove: t("speak_remove_hint") };
}

/** @param {Group[]} groups */
function select(groups) {
  const element = /** @type {HTMLSelectElement} */ (document.createElement("select"));
  element.append(...options(groups));
  return element;
}

/** @param {Group[]} groups @returns {HTMLElement[]} */
function options(groups) {
  return groups.flatMap(([group, items]) => {
    const made = items.map(([value, name]) => new Option(name, value));
    if (!group) return made;
    const element = document.createElement("optgroup");
    element.label = group;
    element.append(...made);
    return [element];
  });
}

/** @param {string} type @param {number} longest */
function input(type, longest) {
  const element = document.createElement("input");
  element.type = type;
  element.maxLength = longest;
  element.autocomplete = "off";
  return element;
}

/** @param {string} label @param {HTMLElement} control */
function field(label, control) {
  return make("label", "speak-field", make("span", "", label), control);
}
