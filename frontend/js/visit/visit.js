/** Walking in: the user is in town as a visitor, walks where they tap, speaks with those who are near, and leaves. */

import * as api from "../data/api.js";
import { castOf } from "../data/cast.js";
import { standalone } from "../data/embedded.js";
import { Exchange, VisitorPass } from "../data/exchange.js";
import { complaint, t } from "../data/i18n.js";
import { Requests } from "../data/requests.js";
import { button, byId, icon, setHidden } from "../dom.js";
import { Goal } from "./goal.js";
import { VisitBox } from "./visit_box.js";
import { WalkIn } from "./walk_in.js";

const PRESENT = 15_000; // milliseconds between two looks around, by which the server knows that the page is open

/**
 * @typedef {{run: import("../data/shapes.js").RunView, frames: import("../data/frames.js").FrameBuffer, live: import("../data/live.js").Live,
 *            stage: import("../stage/stage.js").Stage, camera: import("../stage/camera.js").Camera, navigation: import("../navigation.js").Navigation,
 *            tabs: import("../panel/tabs.js").Tabs, speech: import("../sound/speech.js").Speech, updateThings: () => Promise<void>}} Parts
 */

export class Visit {
  /** @param {Parts} parts */
  constructor(parts) {
    this.parts = parts;
    const { run, live } = parts;
    const { mayVisit, mayChange } = document.body.dataset;
    this.mayChange = mayChange !== undefined;
    this.isPossible = mayVisit !== undefined && run.map !== null && !standalone;
    this.pass = new VisitorPass(run.name);
    this.exchange = new Exchange(this.pass.who);
    this.looks = new Requests();
    /** @type {Promise<unknown>} what is being done in town */
    this.acting = Promise.resolve();
    this.arrives = true; // until the camera has found them
    this.since = parts.frames.steps; // the step up to which the visitor has heard everything
    this.goal = new Goal(parts.stage);
    this.box = new VisitBox(this);
    this.walkIn = new WalkIn(this);
    this.button = button("primary", () => void this.walkIn.open(), icon("person"), t("Walk in"));
    this.button.id = "walk-in";
    this.button.hidden = true;
    byId("stage").append(this.button, this.box.element);
    live.stepped = () => void this.refresh();
    live.heard = (lines) => this.hear(lines);
    setInterval(() => void this.refresh(), PRESENT);
    globalThis.addEventListener("pagehide", () => this.hush());
    if (!this.isIn) return;
    live.follows = true;
    void this.refresh();
  }

  /** Whether the user is in town, or on the way. */
  get isIn() {
    return this.isPossible && this.pass.isIn;
  }

  /** Enters the town; one that rests goes on, slowly, where the user may let it. @param {string} name @param {any} look */
  async enter(name, look) {
    const { run, live } = this.parts;
    if (!live.running && this.mayChange) await live.control(run.name, "go", { slow: true });
    const { who, pass } = await api.enterTown(run.name, { called: name, look, pass: name === this.pass.name ? this.pass.pass : "" });
    this.pass.keep({ who, pass, name, isIn: true });
    this.exchange = new Exchange(who);
    this.since = this.parts.frames.steps;
    live.follows = true;
    this.arrives = true;
    this.box.report(t("You are on your way into town …"));
    await this.refresh();
  }

  /** Looks around; what was seen before the visitor did something is past. */
  async refresh() {
    if (!this.isIn) return;
    const { run, frames, navigation } = this.parts;
    const { who } = this.pass;
    const isLatest = this.looks.begin();
    await this.acting;
    try {
      const view = await api.lookAround(run.name, this.pass, this.since);
      if (!isLatest() || !view.entered) return;
      if (!castOf(run).residents.has(who)) return void this.parts.updateThings();
      if (view.is_away && !view.waiting.length) return this.pass.leave();
      if (this.arrives) navigation.follow(who);
      this.arrives = false;
      this.goal.isWaiting = view.waiting.length > 0;
      this.exchange.settle(view);
      if (!this.exchange.isOpen) this.since = frames.steps;
      this.box.show(view);
      this.think();
    } catch (error) {
      if (isLatest()) this.box.report(complaint(error), true);
    }
  }

  /** @param {import("../data/live.js").Spoken[]} lines */
  hear(lines) {
    if (!this.isIn) return;
    const answer = this.exchange.hear(lines);
    if (answer) this.parts.speech.say(answer.speaker, answer.text);
    this.box.talk();
    this.think();
  }

  /** Shows over a resident's head that they are about to answer. */
  think() {
    this.parts.live.words.thinking = this.exchange.thinks ? this.exchange.partner : "";
  }

  /** Does something in town, at its newest moment. @param {Record<string, any>} asked @returns {Promise<boolean>} whether it can be */
  async act(asked) {
    const { run, live } = this.parts;
    if (live.running && !live.on) live.toggle();
    this.looks.begin();
    const acting = api.actAsVisitor(run.name, this.pass.who, { ...asked, pass: this.pass.pass });
    this.acting = acting.catch(() => {});
    try {
      await acting;
      this.box.report("");
      return true;
    } catch (error) {
      this.box.report(complaint(error), true);
      return false;
    }
  }

  /** Turns to a resident, or away from one with whom a conversation is going on. @param {string} who */
  async turn(who) {
    const { partner, isOpen } = this.exchange;
    this.exchange.turn(isOpen && who === partner ? "" : who);
    this.box.talk(true);
    this.think();
    if (isOpen) await this.act({ kind: "say", to: partner, text: "" });
  }

  /** @param {string} text */
  async say(text) {
    const { partner } = this.exchange;
    this.exchange.say(text);
    this.box.talk();
    this.think();
    if (await this.act({ kind: "say", to: partner, text, ends: this.box.goesOn.checked })) return;
    Object.assign(this.exchange, { thinks: false, lines: this.exchange.lines.slice(0, -1) });
    this.box.talk();
    this.think();
  }

  /** @param {string} thing */
  async give(thing) {
    if (!(await this.act({ kind: "give", to: this.exchange.partner, text: thing }))) return;
    this.exchange.give(thing);
    this.box.talk();
    this.think();
  }

  /** Walks to a place or a tile. @param {{place: string} | {tile: [number, number]}} goal */
  async walk(goal) {
    this.exchange.turn("");
    this.box.talk();
    this.think();
    this.arrives = true;
    this.goal.set(this.pass.who, goal);
    if (await this.act({ kind: "walk", ...goal })) this.box.report(t("You set out."));
    else this.goal.clear();
  }

  /** Ends the conversation under way, so that the town does not wait for the next words; they begin another. */
  hush() {
    const { partner, isOpen } = this.exchange;
    if (this.isIn && isOpen) void api.actAsVisitor(this.parts.run.name, this.pass.who, { kind: "say", to: partner, text: "", pass: this.pass.pass });
  }

  async leave() {
    if (await this.act({ kind: "leave" })) this.box.report(t("You leave …"));
  }

  /** Speaks to whoever is tapped, or walks to the tile; false where that is not for a visitor. @param {number} x @param {number} y on the screen */
  tap(x, y) {
    const { stage, camera } = this.parts;
    if (!this.isIn || !this.box.isShown) return false;
    const hit = stage.hit(x, y) ?? "";
    if (hit && hit !== this.pass.who) {
      if (!this.box.isNear(hit)) return false;
      if (hit !== this.exchange.partner) void this.turn(hit);
      return true;
    }
    const [column, row] = camera.toWorld(x, y).map((place) => Math.floor(place / stage.tile));
    void this.walk({ tile: [column, row] });
    return true;
  }

  draw() {
    const { frames, live, stage } = this.parts;
    setHidden(this.button, !this.isPossible || this.isIn || frames.finished || !(live.running || (this.mayChange && live.known)));
    setHidden(this.box.element, !this.isIn);
    if (this.isIn) this.box.place(stage.figures.find(({ id }) => id === this.pass.who));
  }
}
