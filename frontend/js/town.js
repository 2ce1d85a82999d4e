/** The tab of the whole town: everybody with what they are doing, and the conversation at hand. */

import { whyButton } from "./cards.js";
import { byId, face, setText } from "./dom.js";
import { t } from "./i18n.js";
import { lineAt } from "./timeline.js";

export class TownTab {
  /** @param {import("./types.js").Run} run @param {import("./tabs.js").Tabs} tabs */
  constructor(run, tabs) {
    this.id = "town";
    this.label = t("tab_town");
    this.icon = "town";
    this.element = byId("town-tab");
    this.run = run;
    this.tabs = tabs;
    this.timeline = tabs.parts.timeline;
    this.time = tabs.parts.time;
    this.choice = 0;
    this.shownTalk = "";
    this.rows = new Map(run.residents.map((one) => [one.id, row(one, () => tabs.visit(one.id))]));
    byId("resident-list").append(...[...this.rows.values()].map((one) => one.item));
    byId("talk-next").addEventListener("click", () => this.next());
  }

  next() {
    this.choice++;
    this.tabs.refresh();
  }

  /** @param {import("./tabs.js").Context} context */
  show({ tick, followed }) {
    const talks = this.timeline.talks(tick);
    /** @type {Map<string, string>} */
    const partners = new Map(talks.flatMap((talk) => [[talk.opener, talk.partner], [talk.partner, talk.opener]]));
    for (const [id, parts] of this.rows) this.resident(id, parts, tick, partners.get(id), id === followed);
    this.talk(tick, talks, followed);
  }

  /** @param {string} id @param {Row} parts @param {number} tick @param {string | undefined} partner @param {boolean} followed */
  resident(id, parts, tick, partner, followed) {
    parts.button.setAttribute("aria-pressed", String(followed));
    const action = this.timeline.action(id, tick);
    if (!action) return;
    const arrived = action.arrived !== null && action.arrived <= tick;
    const place = this.tabs.place(action.address);
    parts.doing.classList.toggle("talking", Boolean(partner));
    setText(parts.doing, partner ? `💬 ${t("talking_with", { name: this.tabs.name(partner) })}` : `${action.emoji} ${action.activity}`);
    setText(parts.where, arrived || partner ? place : t("on_the_way", { place }));
  }

  /** @param {number} tick @param {import("./types.js").Talk[]} talks @param {string} followed */
  talk(tick, talks, followed) {
    const own = talks.filter((talk) => talk.opener === followed || talk.partner === followed);
    const current = own.length ? own : followed ? [] : talks;
    const talk = current.length ? current[this.choice % current.length] : this.timeline.lastTalk(tick, followed || undefined);
    const next = byId("talk-next");
    next.hidden = current.length < 2;
    setText(next, t("conversation_of", { at: (this.choice % Math.max(1, current.length)) + 1, count: current.length }));
    setText(byId("talk-state"), talk ? t(current.length ? "conversation_now" : "conversation_earlier") : "");
    byId("talk-state").classList.toggle("now", current.length > 0);
    this.lines(talk, talk && current.length ? lineAt(talk, tick) : Infinity);
  }

  /** Writes out a talk, once; then only marks the line being spoken. @param {import("./types.js").Talk | undefined} talk @param {number} spoken */
  lines(talk, spoken) {
    const list = byId("talk-lines");
    if ((talk?.id ?? "none") !== this.shownTalk) {
      this.shownTalk = talk?.id ?? "none";
      setText(byId("talk-where"), talk ? `${this.time.clock(talk.tick)} · ${this.tabs.place(talk.address)}` : t("conversation_none"));
      list.replaceChildren(...(talk?.lines ?? []).map((line, at) => this.line(line, line.speaker === talk?.partner, { talk: talk?.id ?? "", line: at })));
      list.scrollTop = 0;
    }
    [...list.children].forEach((item, at) => {
      item.classList.toggle("later", at > spoken);
      if (at === spoken && !item.hasAttribute("aria-current")) {
        item.setAttribute("aria-current", "true");
        list.scrollTop = Math.max(0, item.offsetTop - list.offsetTop - list.clientHeight / 2);
      } else if (at !== spoken) item.removeAttribute("aria-current");
    });
  }

  /** @param {import("./types.js").Line} line @param {boolean} partner @param {Record<string, string | number>} reference to it */
  line({ speaker, text }, partner, reference) {
    const item = document.createElement("li");
    const name = document.createElement("b");
    item.classList.toggle("partner", partner);
    item.lang = this.run.lang;
    name.textContent = this.tabs.name(speaker);
    item.append(name, text, whyButton(this, reference, text));
    return item;
  }
}

/** @typedef {{item: HTMLLIElement, button: HTMLButtonElement, doing: HTMLElement, where: HTMLElement}} Row */

/** @param {import("./types.js").Resident} resident @param {() => void} clicked @returns {Row} */
function row(resident, clicked) {
  const item = document.createElement("li");
  const button = document.createElement("button");
  button.type = "button";
  button.title = t("know", { name: resident.name });
  button.addEventListener("click", clicked);
  const [who, doing, where] = ["who", "doing", "where"].map((name) => {
    const element = document.createElement("span");
    element.className = name;
    return element;
  });
  who.textContent = resident.name;
  button.append(face(resident, 44), who, doing, where);
  item.append(button);
  return { item, button, doing, where };
}
