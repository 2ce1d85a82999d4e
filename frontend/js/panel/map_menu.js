/** What can be done to whom or what lies under the pointer: the menu of the right button, or of a finger that stays. It fills in Step in. */

import { t } from "../data/i18n.js";
import { Requests } from "../data/requests.js";
import { button, byId, make } from "../dom.js";

const EDGE = 6; // pixels between the menu and the stage's edge
/** How the engine is told that something is broken, in a run's own language. @type {Record<string, string>} */
const BROKEN = { en: "broken", zh: "坏了" };

/** @typedef {import("./intervene.js").Kind} Kind */
/** @typedef {{label: string, act: () => void}} Entry */
/**
 * @typedef {{run: import("../data/shapes.js").RunView, player: import("../stage/player.js").Player, stage: import("../stage/stage.js").Stage,
 *            tabs: import("./tabs.js").Tabs, place: import("./place_card.js").PlaceCard}} Parts
 */

export class MapMenu {
  /** @param {Parts} parts */
  constructor(parts) {
    this.parts = parts;
    this.element = byId("map-menu");
    this.requests = new Requests(); // for the place at a point
    const town = byId("town");
    town.addEventListener("contextmenu", (/** @type {MouseEvent} */ event) => {
      event.preventDefault();
      void this.open(event.offsetX, event.offsetY);
    });
    document.addEventListener("pointerdown", (event) => !this.element.contains(/** @type {Node} */ (event.target)) && this.close());
    this.element.addEventListener("keydown", (/** @type {KeyboardEvent} */ event) => this.key(event));
  }

  /** @param {number} x @param {number} y on the town */
  async open(x, y) {
    const { stage, player, place } = this.parts;
    const isLatest = this.requests.begin();
    const [who, thing] = [stage.hit(x, y) ?? "", stage.thingAt(x, y, player.tick)];
    const arena = thing.split("/").slice(0, 2).join("/") || (await place.arenaAt(x, y));
    if (!isLatest()) return;
    const entries = [...this.ofPerson(who), ...this.ofThing(thing), ...this.ofPlace(arena)];
    if (!entries.length) return this.close();
    this.element.replaceChildren(...entries.map(({ label, act }) => item(label, () => (this.close(), act()))));
    this.element.hidden = false;
    const { offsetWidth: width, offsetHeight: height } = this.element;
    const { offsetLeft, offsetTop } = stage.canvas;
    const left = Math.max(EDGE, Math.min(x, stage.camera.width - width - EDGE)) + offsetLeft;
    const top = Math.max(EDGE, Math.min(y, stage.camera.height - height - EDGE)) + offsetTop;
    Object.assign(this.element.style, { left: `${left}px`, top: `${top}px` });
    /** @type {HTMLElement} */ (this.element.firstElementChild).focus();
  }

  close() {
    this.requests.begin();
    this.element.hidden = true;
  }

  /** @param {string} who @returns {Entry[]} */
  ofPerson(who) {
    const { tabs } = this.parts;
    if (!who) return [];
    const name = tabs.name(who);
    return [
      { label: t("Get to know {name}", { name }), act: () => tabs.visit(who) },
      ...this.steps([["tell", who, t("An inner voice for {name} …", { name }), ""]]),
    ];
  }

  /** @param {string} address @returns {Entry[]} */
  ofThing(address) {
    const { run } = this.parts;
    const thing = run.things[address];
    if (!thing) return [];
    const { name } = thing;
    return this.steps([
      ["set", address, t("{name}: set its state …", { name }), ""],
      ["set", address, t("Break: {name}", { name }), BROKEN[run.lang]],
      ["set", address, t("Mend: {name}", { name }), ""],
      ["remove", address, t("Remove: {name}", { name }), ""],
    ]);
  }

  /** @param {string} address @returns {Entry[]} */
  ofPlace(address) {
    const { run, place } = this.parts;
    const name = run.places[address];
    if (!name) return [];
    return [
      { label: t("Who was here: {name}", { name }), act: () => place.show(address) },
      ...this.steps([
        ["event", address, t("Something happens: {name} …", { name }), ""],
        ["place", address, t("Place something: {name} …", { name }), ""],
      ]),
    ];
  }

  /** What is filled into Step in, where there is a server. @param {[Kind, string, string, string][]} steps kind, target, label and text @returns {Entry[]} */
  steps(steps) {
    const { tabs } = this.parts;
    const tab = /** @type {import("./intervene.js").InterveneTab | undefined} */ (tabs.all.get("speak")?.tab);
    if (!tab) return [];
    return steps.map(([kind, target, label, text]) => ({ label, act: () => (tabs.open("speak"), tab.prepare(kind, target, text)) }));
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    const items = /** @type {HTMLElement[]} */ ([...this.element.children]);
    const by = /** @type {Record<string, number>} */ ({ ArrowDown: 1, ArrowUp: -1 })[event.key];
    if (by) items[(items.indexOf(/** @type {HTMLElement} */ (document.activeElement)) + by + items.length) % items.length].focus();
    if (event.key === "Escape") this.close();
    if (by || event.key === "Escape") event.preventDefault();
    event.stopPropagation();
  }
}

/** @param {string} label @param {() => void} act */
function item(label, act) {
  const element = button("", act, make("span", "", label));
  element.setAttribute("role", "menuitem");
  return element;
}
