/** A row of tabs of which one is chosen: the roles and keys of a tablist, whatever it leads to. */

import { button, icon, make } from "../dom.js";

/** What a tab leads to. @typedef {{id: string, label: string, icon: string, element: HTMLElement}} Leaf */

export class TabList {
  /** @param {HTMLElement} element @param {string} label @param {(id: string) => void} choose */
  constructor(element, label, choose) {
    this.element = element;
    this.choose = choose;
    this.chosen = "";
    /** @type {Map<string, {leaf: Leaf, button: HTMLButtonElement}>} */
    this.all = new Map();
    element.setAttribute("role", "tablist");
    element.setAttribute("aria-label", label);
    element.addEventListener("keydown", (event) => this.key(event));
  }

  /** Adds a tab; where its element is on the page is up to the caller. @param {Leaf} leaf */
  add(leaf) {
    const { id, label, element } = leaf;
    const chooser = button("tab", () => this.choose(id), icon(leaf.icon), make("span", "label", label));
    chooser.title = label;
    chooser.id = `tab-${id}`;
    chooser.setAttribute("role", "tab");
    chooser.setAttribute("aria-controls", `panel-${id}`);
    element.id = `panel-${id}`;
    element.setAttribute("role", "tabpanel");
    element.setAttribute("aria-labelledby", chooser.id);
    this.element.append(chooser);
    this.all.set(id, { leaf, button: chooser });
    this.select(this.chosen || id);
  }

  /** @param {string} id @param {boolean} [seen] whether what is chosen is shown */
  select(id, seen = true) {
    this.chosen = id;
    for (const { leaf, button } of this.all.values()) {
      const chosen = leaf.id === id;
      leaf.element.hidden = !(chosen && seen);
      button.setAttribute("aria-selected", String(chosen));
      button.tabIndex = chosen ? 0 : -1;
    }
  }

  /** Arrows lead from tab to tab. @param {KeyboardEvent} event */
  key(event) {
    const ids = [...this.all.keys()];
    const at = ids.indexOf(this.chosen);
    const next = /** @type {Record<string, number>} */ ({ ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: -1 })[event.key];
    if (next === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    const id = ids[(next + ids.length) % ids.length];
    this.choose(id);
    this.all.get(id)?.button.focus();
  }
}
