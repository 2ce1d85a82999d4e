/** The tab of the whole town: what each resident is doing, and the current conversation. */

import { lineAt } from "../data/frames.js";
import { N_, t } from "../data/i18n.js";
import { button, byId, face, setHidden, setLang, setPressed, setText } from "../dom.js";
import { inWords, langOf } from "../data/words.js";
import { placeLink, whyButton } from "./cards.js";
import { Alerts } from "./alerts.js";
import { setSigned } from "./emblem.js";
import { DirectorMoves } from "./director_moves.js";
import { Foreshadowing } from "./foreshadowing.js";
import { Highlights } from "./highlights.js";
import { Occasions } from "./occasions.js";
import { Wishes } from "./wishes.js";
import { WorldEdits } from "./world_edits.js";

export class TownTab {
  /** @param {import("../data/shapes.js").RunView} run @param {import("./tabs.js").Tabs} tabs @param {import("../data/live.js").Live} live */
  constructor(run, tabs, live) {
    this.id = "town";
    this.label = t("Now");
    this.icon = "town";
    this.element = byId("town-tab");
    this.run = run;
    this.tabs = tabs;
    this.frames = tabs.parts.frames;
    this.time = tabs.parts.time;
    this.alerts = new Alerts(live);
    this.highlights = new Highlights();
    this.occasions = new Occasions();
    this.wishes = new Wishes();
    this.foreshadowing = new Foreshadowing();
    this.director = new DirectorMoves();
    this.edits = new WorldEdits();
    this.highlights.element.after(this.occasions.element, this.wishes.element, this.foreshadowing.element, this.director.element, this.edits.element);
    for (const { element } of [this.highlights, this.occasions, this.wishes, this.foreshadowing, this.director, this.edits])
      element.setAttribute("name", "told"); // one of them is open
    this.element.prepend(this.alerts.element);
    this.shownConversation = "";
    /** @type {Map<string, Row>} by resident */
    this.rows = new Map();
    this.list();
    byId("conversation-next").addEventListener("click", () => this.next());
  }

  /** Lists the residents, also those who have come since. */
  list() {
    for (const resident of this.run.residents.slice(this.rows.size)) {
      const one = row(resident, () => this.tabs.visit(resident.id));
      this.rows.set(resident.id, one);
      byId("resident-list").append(one.item);
    }
  }

  /** Turns to the next of the conversations of the moment, with the camera. */
  next() {
    const { navigation, player } = this.tabs.parts;
    const { at, list } = navigation.talks(player.tick);
    navigation.attend(list[(at + 1) % list.length]);
    this.tabs.refresh();
  }

  /** @param {import("./tabs.js").Context} context */
  show(context) {
    const { tick, followed } = context;
    this.list();
    this.alerts.show(context);
    this.highlights.show(context);
    this.occasions.show(context);
    this.wishes.show(context);
    this.foreshadowing.show(context);
    this.director.show(context);
    this.edits.show(context);
    const conversations = this.frames.conversations(tick);
    for (const [id, parts] of this.rows) {
      const people = conversations.find((conversation) => conversation.people.includes(id))?.people ?? [];
      const others = people.filter((who) => who !== id);
      this.resident(id, parts, tick, others, id === followed);
    }
    this.conversation(context);
  }

  /** @param {string} id @param {Row} parts @param {number} tick @param {string[]} others it talks with @param {boolean} followed */
  resident(id, parts, tick, others, followed) {
    setPressed(parts.button, followed);
    const action = this.frames.action(id, tick);
    if (!action) return;
    const arrived = action.arrived !== null && action.arrived <= tick;
    const place = action.kind === "away" ? "" : this.tabs.place(action.address);
    parts.doing.classList.toggle("talking", others.length > 0);
    setLang(parts.doing, others.length ? document.documentElement.lang : langOf(this.run, action.activity));
    setSigned(
      parts.doing,
      others.length ? `💬 ${t("talking with {name}", { name: this.tabs.listed(others) })}` : `${action.emoji} ${inWords(this.run, action.activity)}`,
    );
    setText(parts.where, arrived || others.length ? place : t("on the way · {place}", { place }));
  }

  /** @param {import("./tabs.js").Context} context */
  conversation({ tick, followed, navigation }) {
    const { at, list } = navigation.talks(tick);
    const conversation = list[at] ?? this.frames.lastConversation(tick, followed || undefined);
    setHidden(byId("conversation-next"), list.length < 2);
    setText(byId("conversation-count"), t("{at} / {count}", { at: at + 1, count: list.length }));
    setText(byId("conversation-state"), conversation ? t(list.length ? N_("now") : N_("earlier")) : "");
    byId("conversation-state").classList.toggle("now", list.length > 0);
    const silence = followed ? t("{name} is not talking now.", { name: this.tabs.name(followed) }) : t("Nobody is talking.");
    if (!conversation) setText(byId("conversation-where"), silence);
    this.lines(conversation, conversation && list.length ? lineAt(conversation, tick) : Infinity);
  }

  /** Writes out a conversation once; then only marks the line being spoken. @param {import("../data/shapes.js").ConversationView | undefined} conversation @param {number} spoken */
  lines(conversation, spoken) {
    const list = byId("conversation-lines");
    if ((conversation?.id ?? "none") !== this.shownConversation) {
      this.shownConversation = conversation?.id ?? "none";
      if (conversation) byId("conversation-where").replaceChildren(...this.where(conversation));
      list.replaceChildren(
        ...(conversation?.lines ?? []).map((line, at) =>
          this.line(line, line.speaker !== conversation?.people[0], { conversation: conversation?.id ?? "", line: at }),
        ),
      );
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

  /** When and where a conversation was held, which lead there. @param {import("../data/shapes.js").ConversationView} conversation @returns {Node[]} */
  where(conversation) {
    const { navigation, run } = this.tabs.parts;
    const time = button("moment", () => navigation.hear(conversation), this.time.clock(conversation.tick));
    return [time, placeLink({ navigation, run, tabs: this.tabs }, conversation.address)];
  }

  /** @param {import("../data/shapes.js").LineView} line @param {boolean} partner @param {Record<string, string | number>} reference to it */
  line({ speaker, text }, partner, reference) {
    const item = document.createElement("li");
    const name = button("speaker", () => this.tabs.parts.navigation.show(speaker), this.tabs.name(speaker));
    item.classList.toggle("partner", partner);
    item.lang = this.run.lang;
    item.append(name, text, whyButton(this, reference, text));
    return item;
  }
}

/** @typedef {{item: HTMLLIElement, button: HTMLButtonElement, doing: HTMLElement, where: HTMLElement}} Row */

/** @param {import("../data/shapes.js").ResidentView} resident @param {() => void} clicked @returns {Row} */
function row(resident, clicked) {
  const item = document.createElement("li");
  const button = document.createElement("button");
  button.type = "button";
  button.title = t("Get to know {name}", { name: resident.name });
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
