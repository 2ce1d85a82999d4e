/** One of the panel's three areas, the town, a person and the story: its views, of which one is seen. */

import { make } from "../dom.js";
import { TabList } from "./tab_list.js";

export class Area {
  /** @param {string} id @param {string} label @param {string} icon @param {(view: string) => void} choose */
  constructor(id, label, icon, choose) {
    this.id = id;
    this.label = label;
    this.icon = icon;
    const row = make("div", "views");
    this.views = new TabList(row, label, choose);
    this.body = make("div", "area-body");
    this.element = make("div", "area", row, this.body);
  }

  /** @param {import("./tabs.js").Tab} view */
  add(view) {
    view.element.classList.add("tab-panel");
    this.body.append(view.element);
    this.views.add(view);
    this.views.element.hidden = this.views.all.size < 2; // one view needs no choice
  }

  /** The view that is chosen, or was when the area was left. */
  get chosen() {
    return this.views.chosen;
  }
}
