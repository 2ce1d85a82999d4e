/** The place that was clicked on the map: what it is, who was here, what was said. */

import * as api from "../data/api.js";
import { TICKS_PER_MINUTE } from "../data/gametime.js";
import { complaint, t } from "../data/i18n.js";
import { Requests } from "../data/requests.js";
import { button, byId, face, icon, make, renewChildren, setText } from "../dom.js";
import { hueOf } from "../data/colours.js";
import { storesOf } from "./store.js";

const MOST = 40; // of each list
const FACE = 26; // pixels

/** @typedef {import("../data/lingering.js").PlaceView} PlaceView */
/**
 * @typedef {{run: import("../data/shapes.js").RunView, frames: import("../data/frames.js").FrameBuffer, time: import("../data/gametime.js").GameTime,
 *            stage: import("../stage/stage.js").Stage, navigation: import("../navigation.js").Navigation, tabs: import("./tabs.js").Tabs}} Parts
 */

export class PlaceCard {
  /** @param {Parts} parts */
  constructor(parts) {
    this.parts = parts;
    this.element = byId("place-card");
    this.title = make("h2");
    this.title.lang = parts.run.lang;
    this.what = make("p", "what");
    this.people = make("ul", "visits");
    this.talks = make("ul", "visits");
    const close = button("quiet", () => this.close(), icon("close"));
    Object.assign(close, { title: t("Close"), ariaLabel: t("Close") });
    this.stores = make("div", "stores");
    const lists = make("div", "lists", this.stores, make("h3", "", t("Who was here")), this.people, make("h3", "", t("What was said")), this.talks);
    this.element.replaceChildren(make("div", "head", make("div", "", this.title, this.what), close), lists);
    this.element.addEventListener("keydown", (/** @type {KeyboardEvent} */ event) => event.key === "Escape" && this.close());
    /** @type {PlaceView} */
    this.view = { visits: [], talks: [] };
    this.known = ""; // place and step of the lists
    this.drawn = -1; // minute
    this.address = "";
    this.requests = new Requests(); // for the place at a point
    this.thing = "";
    this.stocked = ""; // place, thing and step of the goods
  }

  /** Shows the place at a point of the screen; where there is none, nothing. @param {number} x @param {number} y @param {string} thing that was clicked, "" for none */
  async at(x, y, thing) {
    const isLatest = this.requests.begin();
    const place = this.parts.run.things[thing] ? thing : await this.arenaAt(x, y);
    if (!isLatest()) return;
    if (place) this.show(place);
    else this.close();
  }

  /** The arena at a point of the screen, "" for none. @param {number} x @param {number} y @returns {Promise<string>} */
  async arenaAt(x, y) {
    const { run, stage } = this.parts;
    const [column, row] = stage.camera.toWorld(x, y).map((place) => Math.floor(place / stage.tile));
    const { columns, names, cells } = await api.ask(run.name, "arenas");
    return column >= 0 && column < columns && row >= 0 ? (names[cells[row * columns + column] ?? 0] ?? "") : "";
  }

  /** @param {string} address of an arena or a thing */
  show(address) {
    const { run } = this.parts;
    this.requests.begin();
    const arena = address.split("/").slice(0, 2).join("/");
    if (arena !== this.address) this.view = { visits: [], talks: [] };
    this.address = arena;
    this.thing = address === this.address ? "" : address;
    setText(this.title, run.places[this.address] ?? this.address);
    setText(this.what, run.things[address]?.name ?? "");
    this.what.hidden = !run.things[address];
    this.title.style.setProperty("--hue", hueOf(run, address));
    this.element.hidden = false;
    this.drawn = -1;
    this.stocked = "";
  }

  close() {
    this.requests.begin();
    this.element.hidden = true;
  }

  /** @param {number} tick */
  draw(tick) {
    const minute = Math.floor(tick / TICKS_PER_MINUTE);
    if (this.element.hidden || minute === this.drawn) return;
    this.drawn = minute;
    void this.learn();
    void this.stock(tick);
    this.fill(tick);
  }

  async learn() {
    const { run, frames } = this.parts;
    const known = `${this.address} ${frames.steps}`;
    if (known === this.known) return;
    this.known = known;
    try {
      const view = await api.ask(run.name, "place", { address: this.address });
      if (known !== this.known) return;
      this.view = view;
      this.drawn = -1;
    } catch (error) {
      if (known !== this.known) return;
      this.known = "";
      this.people.replaceChildren(make("li", "none", complaint(error)));
    }
  }

  /** What lies there, in a town with a society. @param {number} tick */
  async stock(tick) {
    const { run, time } = this.parts;
    const step = Math.floor(tick / run.ticks);
    const wanted = `${this.address} ${this.thing} ${step}`;
    if (!run.society || wanted === this.stocked) return;
    this.stocked = wanted;
    try {
      const fixtures = await api.ask(run.name, "fixtures", { address: this.address, step });
      if (wanted !== this.stocked) return;
      const own = fixtures.some((/** @type {import("./store.js").FixtureNow} */ { address }) => address === this.thing);
      if (own) this.what.hidden = true; // its own section says what it is
      const open = [...this.stores.querySelectorAll("details")].map((details) => details.open);
      this.stores.replaceChildren(...storesOf({ run, time, tick }, fixtures, this.thing));
      [...this.stores.querySelectorAll("details")].forEach((details, at) => (details.open = open[at] ?? false));
    } catch (error) {
      if (wanted !== this.stocked) return;
      this.stocked = "";
      this.stores.replaceChildren(make("p", "none", complaint(error)));
    }
  }

  /** What is known by a moment, the latest first. @param {number} tick */
  fill(tick) {
    const visits = this.view.visits.filter((visit) => visit.tick <= tick).slice(-MOST);
    const talks = this.view.talks.filter((talk) => talk.tick <= tick).slice(-MOST);
    fillList(
      this.people,
      visits.reverse().map((visit) => this.visit(visit, tick)),
    );
    fillList(
      this.talks,
      talks.reverse().map((talk) => this.talk(talk)),
    );
  }

  /** @param {import("../data/lingering.js").Visit} visit @param {number} now the moment shown */
  visit({ who, tick, end }, now) {
    const { tabs, time, navigation } = this.parts;
    const here = end > now;
    const until = here ? t("here since {time}", { time: time.stamp(tick) }) : `${time.stamp(tick)} – ${time.clock(end)}`;
    const go = () => (here ? tabs.visit(who) : (navigation.seek(tick), navigation.visit(this.address)));
    return row([this.face(who)], tabs.name(who), make("span", here ? "here" : "", until), go);
  }

  /** @param {import("../data/shapes.js").ConversationView} talk */
  talk({ id, people, tick, summary, lines }) {
    const { tabs, time, navigation, run } = this.parts;
    const words = make("span", "words", summary || (lines[0]?.text ?? ""));
    words.lang = run.lang;
    const names = [...people.map((who) => tabs.name(who)), time.stamp(tick)].join(" · ");
    return row(
      people.map((who) => this.face(who)),
      names,
      words,
      () => navigation.hear({ id, people, tick }),
    );
  }

  /** @param {string} who */
  face(who) {
    return face(this.parts.tabs.residents.get(who) ?? { name: who, portrait: null }, FACE);
  }
}

/** @param {HTMLElement[]} faces @param {string} title @param {HTMLElement} below @param {() => void} go */
function row(faces, title, below, go) {
  return make("li", "", button("visit", go, make("span", "faces", ...faces), make("span", "", make("b", "", title), below)));
}

/** @param {HTMLElement} list @param {HTMLElement[]} items */
function fillList(list, items) {
  renewChildren(list, items.length ? items : [make("li", "none", t("Nobody and nothing so far."))]);
}
