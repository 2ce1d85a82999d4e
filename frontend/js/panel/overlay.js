/** What lies over the panel until it is closed, such as the answer to "why". It takes the focus, and gives it back to whom it took it from. */

import { t } from "../data/i18n.js";
import { button, icon, make } from "../dom.js";

export class Overlay {
  /** @param {import("./tabs.js").Tab} tab @param {() => void} close */
  constructor(tab, close) {
    this.tab = tab;
    /** Who had the focus by the keyboard. @type {Element | null} */
    this.before = null;
    const title = make("h2", "", icon(tab.icon), tab.label);
    title.id = `title-${tab.id}`;
    const shut = button("quiet close", close, icon("close"));
    shut.title = `${t("Close")} (Esc)`;
    shut.setAttribute("aria-label", t("Close"));
    tab.element.id = `panel-${tab.id}`;
    tab.element.classList.add("tab-panel");
    this.element = make("section", "overlay", make("div", "overlay-head", title, shut), tab.element);
    this.element.setAttribute("role", "dialog");
    this.element.setAttribute("aria-labelledby", title.id);
    this.element.tabIndex = -1;
    this.element.hidden = true;
  }

  get open() {
    return !this.element.hidden;
  }

  show() {
    const { activeElement } = document;
    if (!this.open) this.before = activeElement?.matches(":focus-visible") ? activeElement : null;
    this.element.hidden = false;
    this.element.focus({ preventScroll: true });
  }

  hide() {
    this.element.hidden = true;
    if (this.before instanceof HTMLElement && this.before.isConnected) this.before.focus();
    this.before = null;
  }
}
