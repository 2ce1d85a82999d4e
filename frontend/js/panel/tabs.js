/**
 * The panel beside the stage: tabs, each a module of its own, and what they share.
 *
 * A tab is `{id, label, icon, element, show(context)}`. `show` is called when the tab is chosen and five times a second
 * while it is seen, so it should do nothing where nothing has changed. `icon` is a symbol of icons.svg. The tab chosen and
 * the resident it tells of are in the address (`tab=`, `resident=`), and so is what "why" was asked of (`why=`).
 */

import { ask } from "../data/api.js";
import { t } from "../data/i18n.js";
import { button, byId, icon, make, setText } from "../dom.js";

const REFRESH = 200; // milliseconds between two looks at the moment shown

/** @typedef {{id: string, label: string, icon: string, element: HTMLElement, show: (context: Context) => void}} Tab */

/**
 * What a tab is shown with. `resident` is the one that was followed last ("" for nobody yet), `followed` the one followed now,
 * `step` the last step that is over by `tick`: what may be known then.
 * @typedef {Parts & {tabs: Tabs, resident: string, followed: string, tick: number, step: number, reference: string,
 *            follow: (id: string) => void, seek: (tick: number) => void}} Context
 */

/**
 * @typedef {{run: import("../data/shapes.js").Run, frames: import("../data/frames.js").FrameBuffer, player: import("../stage/player.js").Player,
 *            stage: import("../stage/stage.js").Stage, time: import("../data/gametime.js").GameTime, navigation: import("../navigation.js").Navigation}} Parts
 */

export class Tabs {
  /** @param {Parts} parts */
  constructor(parts) {
    this.parts = parts;
    const given = new URL(location.href).searchParams;
    this.names = new Map(parts.run.residents.map((resident) => [resident.id, resident.name]));
    this.residents = new Map(parts.run.residents.map((resident) => [resident.id, resident]));
    this.wanted = given.get("tab") ?? "town";
    const resident = given.get("resident") ?? "";
    this.resident = this.names.has(resident) ? resident : "";
    this.unknown = this.resident ? "" : resident; // whom the address names, where nobody of that id lives here
    this.reference = given.get("why") ?? "";
    if (this.resident) parts.navigation.follow(this.resident);
    this.followed = "";
    /** Follows a topic from mouth to mouth; whoever shows it puts himself here. @type {(topic: Record<string, string>) => Promise<void>} */
    this.ride = async () => {};
    this.refreshed = -Infinity;
    /** @type {Map<string, {tab: Tab, button: HTMLButtonElement}>} */
    this.all = new Map();
    this.chosen = "";
    byId("tabs").addEventListener("keydown", (/** @type {KeyboardEvent} */ event) => this.key(event));
    // What is typed into a field is no key of the player's.
    byId("panel").addEventListener("keydown", (/** @type {KeyboardEvent} */ event) => isField(event.target) && event.stopPropagation());
    byId("panel-toggle").addEventListener("click", () => this.unfold(!byId("panel").classList.contains("open")));
  }

  /** @param {Tab} tab */
  add(tab) {
    const chooser = button("tab", () => this.open(tab.id), icon(tab.icon), make("span", "label", tab.label));
    chooser.title = tab.label;
    chooser.id = `tab-${tab.id}`;
    chooser.setAttribute("role", "tab");
    chooser.setAttribute("aria-controls", `panel-${tab.id}`);
    chooser.setAttribute("aria-selected", "false");
    chooser.tabIndex = -1;
    tab.element.id = `panel-${tab.id}`;
    tab.element.classList.add("tab-panel");
    tab.element.setAttribute("role", "tabpanel");
    tab.element.setAttribute("aria-labelledby", chooser.id);
    tab.element.hidden = true;
    byId("tabs").append(chooser);
    byId("tab-panels").append(tab.element);
    this.all.set(tab.id, { tab, button: chooser });
    if (tab.id === this.wanted || !this.chosen) this.select(tab.id);
  }

  /** Opens a tab; on a phone the panel is raised. @param {string} id */
  open(id) {
    if (!this.all.has(id)) return;
    this.wanted = id;
    this.select(id);
    this.remember({ tab: id });
    this.unfold(true);
  }

  /** @param {string} id */
  select(id) {
    this.chosen = id;
    for (const { tab, button } of this.all.values()) {
      tab.element.hidden = tab.id !== id;
      button.setAttribute("aria-selected", String(tab.id === id));
      button.tabIndex = tab.id === id ? 0 : -1;
    }
    this.refresh();
  }

  /** Follows a resident and shows it: in the current tab if that is about one resident, else in the resident's tab. @param {string} id */
  visit(id) {
    this.resident = id;
    this.parts.navigation.follow(id);
    this.remember({ resident: id });
    if (this.chosen !== "diary") this.open("resident");
    this.refresh();
  }

  /** Asks why. @param {Record<string, string | number>} reference as the API's `why` takes it */
  why(reference) {
    this.reference = new URLSearchParams(Object.entries(reference).map(([key, value]) => [key, String(value)])).toString();
    this.open("why");
    this.remember({ tab: "why", why: this.reference });
  }

  /** Shows how a storyline has spread. @param {string} title */
  async spread(title) {
    const { stories } = await ask(this.parts.run.name, "spread");
    const id = stories.find((/** @type {import("../data/shapes.js").Story} */ story) => story.title === title)?.id ?? "";
    const insight = /** @type {import("../plots/insight.js").InsightTab | undefined} */ (this.all.get("insight")?.tab);
    this.open("insight");
    insight?.choose("spread", id && `story=${encodeURIComponent(id)}`);
  }

  /** @param {string} address of an arena or a thing @returns {string} the arena's name */
  place(address) {
    const arena = address.split("/").slice(0, 2).join("/");
    return this.parts.run.places[arena] ?? arena;
  }

  /** @param {string} id */
  name(id) {
    return this.names.get(id) ?? id;
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
    const { run, navigation } = this.parts;
    const follow = (/** @type {string} */ id) => navigation.follow(id);
    const seek = (/** @type {number} */ to) => navigation.seek(to);
    const step = Math.floor(tick / run.ticks);
    const context = { ...this.parts, tabs: this, resident: this.resident, followed, tick, step, reference: this.reference, follow, seek };
    this.all.get(this.chosen)?.tab.show(context);
    const talking = 2 * this.parts.frames.conversations(tick).length;
    const count = t("residents_count", { count: run.residents.length });
    setText(byId("panel-summary"), talking ? `${count} · ${t("talking_count", { count: talking })}` : count);
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

  /** @param {KeyboardEvent} event */
  key(event) {
    const ids = [...this.all.keys()];
    const moves = /** @type {Record<string, number>} */ ({ ArrowLeft: -1, ArrowRight: 1 });
    const by = moves[event.key];
    if (!by) return;
    event.preventDefault();
    event.stopPropagation();
    const next = ids[(ids.indexOf(this.chosen) + by + ids.length) % ids.length];
    this.open(next);
    this.all.get(next)?.button.focus();
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
