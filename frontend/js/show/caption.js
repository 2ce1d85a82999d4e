/** What is being shown and why, below the town, with a way on and a way out. */

import { castOf } from "../data/cast.js";
import { t } from "../data/i18n.js";
import { button, byId, face, icon, make, setText } from "../dom.js";

const FACES = 3;

export class Caption {
  /** @param {import("../data/shapes.js").RunView} run @param {{next: () => void, close: () => void}} acts */
  constructor(run, { next, close }) {
    this.run = run;
    this.element = byId("caption");
    this.faces = make("span", "faces");
    this.title = make("b");
    this.text = make("span", "words");
    this.dots = make("span", "dots");
    this.dots.setAttribute("aria-hidden", "true");
    const words = make("div", "", this.title, this.text, this.dots);
    const on = button("quiet", next, icon("next"));
    const off = button("quiet", close, icon("close"));
    for (const [element, label] of /** @type {[HTMLElement, string][]} */ ([
      [on, t("Go on to the next")],
      [off, t("End this")],
    ]))
      Object.assign(element, { title: label, ariaLabel: label });
    words.setAttribute("role", "status");
    this.element.replaceChildren(this.faces, words, on, off);
  }

  /** @param {import("./show.js").Stop} stop @param {number} at its number @param {number} count of stops, 0 where they have no end */
  show({ who, title, text = "", lang = "" }, at, count) {
    setText(this.title, title);
    this.text.replaceChildren(...(typeof text === "string" ? [text] : text));
    this.text.lang = lang || document.documentElement.lang;
    this.faces.replaceChildren(...who.slice(0, FACES).flatMap((id) => this.portrait(id)));
    this.dots.replaceChildren(...Array.from({ length: count }, (_, dot) => make("i", dot <= at ? "past" : "")));
    this.element.hidden = false;
    byId("stage").classList.add("showing");
  }

  /** @param {string} id */
  portrait(id) {
    const resident = castOf(this.run).residents.get(id);
    return resident ? [face(resident, 40)] : [];
  }

  hide() {
    this.element.hidden = true;
    byId("stage").classList.remove("showing");
  }
}
