/**
 * The panel beside the stage: three areas with their tabs, each a module of its own, what they share, and "why" over them.
 *
 * A tab is `{id, label, icon, element, show(context)}`. `show` is called when the tab is chosen and five times a second
 * while it is seen, so it should do nothing where nothing has changed; `left` when something that lay over the panel is
 * closed. `icon` is a symbol of icons.svg. The tab chosen and the resident it tells of are in the address (`tab=`,
 * `resident=`), and so is what "why" was asked of (`why=`).
 */

import { ask } from "../data/api.js";
import { castOf, countPeople, nameIn } from "../data/cast.js";
import { N_, nt, t } from "../data/i18n.js";
import { byId, setText } from "../dom.js";
import { Area } from "./area.js";
import { Overlay } from "./overlay.js";
import { TabList } from "./tab_list.js";

const REFRESH = 200; // milliseconds between two looks at the moment shown

/** The areas and their symbols. */
const AREAS = {
  town: { icon: "town", label: N_("Town") },
  person: { icon: "person", label: N_("Person") },
  story: { icon: "story", label: N_("Story") },
};

/** @typedef {{id: string, label: string, icon: string, element: HTMLElement, show: (context: Context) => void, left?: () => void}} Tab */

/**
 * What a tab is shown with. `resident` is the one that was followed last ("" for nobody yet), `followed` the one followed now,
 * `step` the last step that is over by `tick`: what may be known then.
 * @typedef {Parts & {tabs: Tabs, resident: string, followed: string, tick: number, step: number, reference: string,
 *            follow: (id: string) => void, seek: (tick: number) => void}} Context
 */

/**
 * @typedef {{run: import("../data/shapes.js").RunView, frames: import("../data/frames.js").FrameBuffer, player: import("../stage/player.js").Player,
 *            stage: import("../stage/stage.js").Stage, time: import("../data/gametime.js").GameTime, navigation: import("../navigation.js").Navigation}} Parts
 */

export class Tabs {
  /** @param {Parts} parts */
  constructor(parts) {
    this.parts = parts;
    const given = new URL(location.href).searchParams;
    const resident = given.get("resident") ?? "";
    this.resident = this.residents.has(resident) ? resident : "";
    this.unknown = this.resident ? "" : resident; // whom the address names, where nobody of that id lives here
    this.reference = given.get("why") ?? "";
    this.given = given.get("tab") ?? "town";
    this.wanted = this.given === "why" && this.resident ? "resident" : this.given;
    if (this.resident) parts.navigation.follow(this.resident);
    this.followed = "";
    /** Follows a topic from mouth to mouth; whoever shows it puts himself here. @type {(topic: Record<string, string>) => Promise<void>} */
    this.ride = async () => {};
    this.refreshed = -Infinity;
    /** @type {Map<string, {tab: Tab, area: Area}>} */
    this.all = new Map();
    this.chosen = "";
    /** @type {Overlay | null} */
    this.over = null;
    this.row = new TabList(byId("tabs"), t("About the town"), (id) => this.open(this.areas[id].chosen));
    const areas = Object.entries(AREAS).map(([id, { icon, label }]) => new Area(`area-${id}`, t(label), icon, (view) => this.open(view)));
    this.areas = Object.fromEntries(areas.map((area) => [area.id, area]));
    for (const area of areas) {
      this.row.add(area);
      byId("tab-panels").append(area.element);
    }
    // What is typed into a field is no key of the player's.
    byId("panel").addEventListener("keydown", (/** @type {KeyboardEvent} */ event) => isField(event.target) && event.stopPropagation());
    const toggle = /** @type {HTMLButtonElement} */ (byId("panel-toggle"));
    toggle.addEventListener("click", () => this.unfold(!byId("panel").classList.contains("open")));
    toggle.disabled = false; // until now, a click would have been lost
  }

  /** The residents by id. */
  get residents() {
    return castOf(this.parts.run).residents;
  }

  /** @param {keyof typeof AREAS} area @param {Tab} tab */
  add(area, tab) {
    const whole = this.areas[`area-${area}`];
    whole.add(tab);
    this.all.set(tab.id, { tab, area: whole });
    this.select(tab.id === this.wanted || !this.chosen ? tab.id : this.chosen);
  }

  /** What lies over the panel while it is open. @param {Tab} tab */
  cover(tab) {
    this.over = new Overlay(tab, () => this.uncover());
    byId("tab-panels").append(this.over.element);
    if (this.given === tab.id) this.veil(true);
  }

  /** Opens a tab; on a phone the panel is raised. @param {string} id */
  open(id) {
    if (!this.all.has(id)) return;
    this.wanted = id;
    this.uncover();
    this.select(id);
    this.remember({ tab: id });
    this.unfold(true);
  }

  /** @param {string} id */
  select(id) {
    const area = this.all.get(id)?.area;
    if (!area) return;
    this.chosen = id;
    this.row.select(area.id);
    for (const other of Object.values(this.areas)) other.views.select(other === area ? id : other.chosen, other === area);
    this.refresh();
  }

  /** Lays over the panel what covers it, or takes that away. @param {boolean} over */
  veil(over) {
    for (const area of Object.values(this.areas)) area.element.inert = over; // before the focus goes back into it
    if (over) this.over?.show();
    else this.over?.hide();
    this.refresh();
  }

  /** Closes what lies over the panel. @returns {boolean} whether anything did */
  uncover() {
    if (!this.over?.open) return false;
    this.over.tab.left?.();
    this.reference = "";
    this.veil(false);
    this.remember({ tab: this.chosen, why: "" });
    return true;
  }

  /** Follows a resident and shows it: in the current tab if that is about a person, else in the resident's tab. @param {string} id */
  visit(id) {
    this.resident = id;
    this.parts.navigation.follow(id);
    this.remember({ resident: id });
    this.open(this.chosen === "diary" ? "diary" : "resident");
  }

  /** Asks why. @param {Record<string, string | number>} reference as the API's `why` takes it */
  why(reference) {
    this.reference = new URLSearchParams(Object.entries(reference).map(([key, value]) => [key, String(value)])).toString();
    this.veil(true);
    this.unfold(true);
    this.remember({ tab: "why", why: this.reference });
  }

  /** Shows how a storyline has spread. @param {string} title */
  async spread(title) {
    const { stories } = await ask(this.parts.run.name, "spread");
    const id = stories.find((/** @type {import("../data/shapes.js").Story} */ story) => story.title === title)?.id ?? "";
    this.plot("spread", id && `story=${encodeURIComponent(id)}`);
  }

  /** Opens a plot. @param {string} kind @param {string} [topic] */
  plot(kind, topic = "") {
    const insight = /** @type {import("../plots/insight.js").InsightTab | undefined} */ (this.all.get("insight")?.tab);
    this.open("insight");
    insight?.choose(kind, topic);
  }

  /** @param {string} address of an arena or a thing @returns {string} the arena's name */
  place(address) {
    const arena = address.split("/").slice(0, 2).join("/");
    return this.parts.run.places[arena] ?? arena;
  }

  /** @param {string} id */
  name(id) {
    return nameIn(this.parts.run, id);
  }

  /** The names of residents, one after the other. @param {string[]} ids */
  listed(ids) {
    return new Intl.ListFormat(document.documentElement.lang).format(ids.map((id) => this.name(id)));
  }

  /** Refreshes the current tab without waiting. */
  refresh() {
    this.refreshed = -Infinity;
  }

  /** @param {number} now milliseconds @param {number} tick @param {string} followed */
  draw(now, tick, followed) {
    if (followed !== this.followed) this.following(followed);
    if (now - this.refreshed < REFRESH) return;
    this.refreshed = now;
    const seen = this.over?.open ? this.over.tab : this.all.get(this.chosen)?.tab;
    seen?.show(this.contextAt(tick));
    const talking = new Set(this.parts.frames.conversations(tick).flatMap(({ people }) => people)).size;
    const { residents, visitors } = countPeople(this.parts.run);
    const counts = [nt("{count} resident", "{count} residents", residents)];
    if (visitors) counts.push(nt("{count} visitor", "{count} visitors", visitors));
    if (talking) counts.push(t("{count} in conversation", { count: talking }));
    setText(byId("panel-summary"), counts.join(" · "));
  }

  /** What is shown with, at a moment. @param {number} tick @returns {Context} */
  contextAt(tick) {
    const { run, navigation } = this.parts;
    const follow = (/** @type {string} */ id) => navigation.follow(id);
    const seek = (/** @type {number} */ to) => navigation.seek(to);
    const step = Math.floor(tick / run.ticks);
    const { resident, followed, reference } = this;
    return { ...this.parts, tabs: this, resident, followed, tick, step, reference, follow, seek };
  }

  /** @param {string} followed */
  following(followed) {
    this.followed = followed;
    if (followed) {
      this.resident = followed;
      this.remember({ resident: followed });
    }
    this.refresh();
  }

  /** On a phone the panel is a sheet, which is up or down. @param {boolean} up */
  unfold(up) {
    byId("panel").classList.toggle("open", up);
    byId("panel-toggle").setAttribute("aria-expanded", String(up));
  }

  /** Writes into the address; what is empty is removed from it. @param {Record<string, string>} values */
  remember(values) {
    const address = new URL(location.href);
    for (const [key, value] of Object.entries(values)) {
      if (value) address.searchParams.set(key, value);
      else address.searchParams.delete(key);
    }
    history.replaceState(null, "", address);
    this.parts.navigation.address.remember();
  }
}

/** @param {EventTarget | null} target */
function isField(target) {
  return target instanceof HTMLSelectElement || (target instanceof HTMLInputElement && target.type !== "range");
}
