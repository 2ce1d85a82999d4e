/** The list of residents with what each is doing, and the conversation at hand. */

import { t } from "./i18n.js";
import { lineAt } from "./timeline.js";

const REFRESH = 200; // milliseconds between two looks at the moment shown

/** @param {string} id @returns {any} */
const byId = (id) => document.getElementById(id);

/** Sets a text if it has changed, so that nothing is laid out anew for nothing. @param {HTMLElement} element @param {string} text */
export function setText(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

export class Panel {
  /**
   * @param {import("./types.js").Run} run
   * @param {import("./timeline.js").Timeline} timeline
   * @param {import("./gametime.js").GameTime} time
   * @param {(id: string) => void} follow
   */
  constructor(run, timeline, time, follow) {
    this.run = run;
    this.timeline = timeline;
    this.time = time;
    this.refreshed = -Infinity;
    this.choice = 0;
    this.shownTalk = "";
    this.names = new Map(run.residents.map((one) => [one.id, one.name]));
    this.rows = new Map(run.residents.map((one) => [one.id, row(one, () => follow(one.id))]));
    byId("resident-list").append(...[...this.rows.values()].map((one) => one.item));
    byId("talk-next").addEventListener("click", () => this.next());
    byId("panel-toggle").addEventListener("click", () => this.toggle());
  }

  toggle() {
    const open = byId("panel").classList.toggle("open");
    byId("panel-toggle").setAttribute("aria-expanded", String(open));
  }

  next() {
    this.choice++;
    this.refreshed = -Infinity;
  }

  /** @param {string} address */
  place(address) {
    const arena = address.split("/").slice(0, 2).join("/");
    return this.run.places[arena] ?? arena;
  }

  /** @param {number} now milliseconds @param {number} tick @param {string} followed */
  draw(now, tick, followed) {
    if (now - this.refreshed < REFRESH) return;
    this.refreshed = now;
    const talks = this.timeline.talks(tick);
    /** @type {Map<string, string>} */
    const partners = new Map(talks.flatMap((talk) => [[talk.opener, talk.partner], [talk.partner, talk.opener]]));
    for (const [id, parts] of this.rows) this.resident(id, parts, tick, partners.get(id), id === followed);
    this.talk(tick, talks, followed);
    const count = t("residents_count", { count: this.run.residents.length });
    setText(byId("panel-summary"), partners.size ? `${count} · ${t("talking_count", { count: partners.size })}` : count);
  }

  /** @param {string} id @param {Row} parts @param {number} tick @param {string | undefined} partner @param {boolean} followed */
  resident(id, parts, tick, partner, followed) {
    parts.button.setAttribute("aria-pressed", String(followed));
    const action = this.timeline.action(id, tick);
    if (!action) return;
    const arrived = action.arrived !== null && action.arrived <= tick;
    const place = this.place(action.address);
    parts.doing.classList.toggle("talking", Boolean(partner));
    setText(parts.doing, partner ? `💬 ${t("talking_with", { name: this.names.get(partner) ?? partner })}` : `${action.emoji} ${action.activity}`);
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
      setText(byId("talk-where"), talk ? `${this.time.clock(talk.tick)} · ${this.place(talk.address)}` : t("conversation_none"));
      list.replaceChildren(...(talk?.lines ?? []).map((line) => this.line(line, line.speaker === talk?.partner)));
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

  /** @param {import("./types.js").Line} line @param {boolean} partner */
  line({ speaker, text }, partner) {
    const item = document.createElement("li");
    const name = document.createElement("b");
    item.classList.toggle("partner", partner);
    item.lang = this.run.lang;
    name.textContent = this.names.get(speaker) ?? speaker;
    item.append(name, text);
    return item;
  }
}

/** @typedef {{item: HTMLLIElement, button: HTMLButtonElement, doing: HTMLElement, where: HTMLElement}} Row */

/** @param {import("./types.js").Resident} resident @param {() => void} clicked @returns {Row} */
function row(resident, clicked) {
  const item = document.createElement("li");
  const button = document.createElement("button");
  button.type = "button";
  button.title = t("follow", { name: resident.name });
  button.addEventListener("click", clicked);
  const [who, doing, where] = ["who", "doing", "where"].map((name) => {
    const element = document.createElement("span");
    element.className = name;
    return element;
  });
  who.textContent = resident.name;
  button.append(face(resident), who, doing, where);
  item.append(button);
  return { item, button, doing, where };
}

/** @param {import("./types.js").Resident} resident */
function face(resident) {
  if (resident.portrait) {
    const image = new Image(44, 44);
    image.src = resident.portrait;
    image.alt = "";
    image.className = "face";
    return image;
  }
  const letter = document.createElement("span");
  letter.className = "face";
  letter.textContent = [...resident.name][0] ?? "";
  letter.setAttribute("aria-hidden", "true");
  return letter;
}
