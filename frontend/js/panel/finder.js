/** Ctrl-K: finds people, places, words, memories and actions, and goes there in time and place. */

import * as api from "../data/api.js";
import { find, known, parts } from "../data/finding.js";
import { N_, complaint, t } from "../data/i18n.js";
import { byId, face, icon, make, renewChildren, setText } from "../dom.js";

/** @type {Record<import("../data/finding.js").Kind, string>} */
const HEADS = { person: N_("Residents"), place: N_("Places and things"), line: N_("Words spoken"), memory: N_("Memories"), action: N_("Actions") };
/** @type {Record<string, string>} */
const SIGNS = { place: "fit", line: "conversations", memory: "why", action: "event" };
const FACE = 28; // pixels

/** @typedef {import("../data/finding.js").Entry} Entry */
/**
 * @typedef {{run: import("../data/shapes.js").RunView, frames: import("../data/frames.js").FrameBuffer, time: import("../data/gametime.js").GameTime,
 *            navigation: import("../navigation.js").Navigation, tabs: import("./tabs.js").Tabs, place: import("./place_card.js").PlaceCard}} Parts
 */

export class Finder {
  /** @param {Parts} parts */
  constructor(parts) {
    this.parts = parts;
    this.dialog = /** @type {HTMLDialogElement} */ (byId("finder"));
    this.field = /** @type {HTMLInputElement} */ (this.dialog.querySelector("input"));
    this.list = byId("found");
    this.note = /** @type {HTMLElement} */ (this.dialog.querySelector(".note"));
    this.things = known(parts.run);
    /** @type {Entry[]} */
    this.told = [];
    this.steps = -1; // up to which it is known what was told
    /** @type {Entry[]} */
    this.shown = [];
    this.at = 0;
    this.field.addEventListener("input", () => this.look());
    this.field.addEventListener("keydown", (event) => this.key(event));
    this.list.addEventListener("click", (/** @type {MouseEvent} */ event) => this.clicked(event));
    byId("find").addEventListener("click", () => this.open());
    document.addEventListener("keydown", (event) => this.called(event));
  }

  /** @param {KeyboardEvent} event */
  called(event) {
    if (!(event.ctrlKey || event.metaKey) || event.key.toLowerCase() !== "k") return;
    event.preventDefault();
    if (!document.querySelector("dialog[open]")) this.open();
  }

  open() {
    this.dialog.showModal();
    this.field.select();
    this.look();
    void this.learn();
  }

  /** Fetches what was said, remembered and done, when it is first looked for and when the run has gone on. */
  async learn() {
    const { run, frames } = this.parts;
    if (this.steps === frames.steps) return;
    const { steps } = frames;
    setText(this.note, t("Loading …"));
    try {
      this.told = await api.told(run.name);
      this.steps = steps;
      this.look();
    } catch (error) {
      setText(this.note, complaint(error));
    }
  }

  /** Shows what is found. */
  look() {
    const query = this.field.value;
    const groups = find([...this.things, ...this.told], query);
    this.shown = groups.flatMap(({ entries }) => entries);
    renewChildren(
      this.list,
      groups.map((group) => this.group(group, query)),
    );
    setText(
      this.note,
      this.steps < 0
        ? t("Loading …")
        : query.trim()
          ? this.shown.length
            ? ""
            : t("Nothing of the kind here.")
          : t("People, places, what was said, remembered and done. ↑ ↓ choose, Enter goes there."),
    );
    this.point(0);
  }

  /** @param {import("../data/finding.js").Group} group @param {string} query */
  group({ kind, total, entries }, query) {
    const more = total > entries.length ? ` · ${total}` : "";
    const title = make("b", "", t(HEADS[kind]), more);
    title.setAttribute("aria-hidden", "true");
    const group = make("div", "", title, ...entries.map((entry) => this.item(entry, query)));
    group.setAttribute("role", "group");
    group.setAttribute("aria-label", t(HEADS[kind]));
    return group;
  }

  /** @param {Entry} entry @param {string} query */
  item(entry, query) {
    const { tabs, time, run } = this.parts;
    const { kind, who, tick, times, text } = entry;
    const resident = tabs.residents.get(who);
    const words = make("span", "words", ...parts(text, query).map((part, at) => (at % 2 ? make("mark", "", part) : part)));
    words.lang = run.lang;
    const dated = kind !== "person" && kind !== "place";
    const when = dated && make("small", "", [tabs.name(who), time.stamp(tick), times > 1 && `${times}×`].filter(Boolean).join(" · "));
    const item = make("div", "hit", resident ? face(resident, FACE) : icon(SIGNS[kind]), make("span", "", words, when));
    item.setAttribute("role", "option");
    const at = this.shown.indexOf(entry);
    item.id = `found-${at}`;
    item.setAttribute("aria-selected", String(at === 0));
    return item;
  }

  /** Marks what Enter would choose. @param {number} at */
  point(at) {
    this.at = this.shown.length ? (at + this.shown.length) % this.shown.length : 0;
    const items = [...this.list.querySelectorAll("[role=option]")];
    items.forEach((item, number) => item.setAttribute("aria-selected", String(number === this.at)));
    this.field.setAttribute("aria-activedescendant", items.length ? `found-${this.at}` : "");
    this.field.setAttribute("aria-expanded", String(items.length > 0));
    items[this.at]?.scrollIntoView({ block: "nearest" });
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    const moves = /** @type {Record<string, number>} */ ({ ArrowDown: 1, ArrowUp: -1 });
    const by = moves[event.key];
    if (by) this.point(this.at + by);
    if (event.key === "Enter" && this.shown.length) this.choose(this.shown[this.at]);
    if (by || event.key === "Enter") event.preventDefault();
    if (event.key !== "Escape") event.stopPropagation();
  }

  /** @param {MouseEvent} event */
  clicked(event) {
    const item = /** @type {HTMLElement} */ (event.target).closest("[role=option]");
    if (item) this.choose(this.shown[Number(item.id.slice("found-".length))]);
  }

  /** Goes where something was found. @param {Entry} entry */
  choose({ kind, who, tick, address, conversation, memory }) {
    const { tabs, navigation, place } = this.parts;
    this.dialog.close();
    if (kind === "person") return tabs.visit(who);
    if (kind === "place") return (navigation.visit(address), place.show(address));
    if (kind === "line") return navigation.hear({ id: conversation, people: [who], tick });
    navigation.seek(tick);
    navigation.show(who);
    if (kind === "memory") tabs.why({ resident: who, memory });
  }
}
