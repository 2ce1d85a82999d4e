/** The box of a visitor: where they are, who is near, what is said, and what they say next. It is at their figure, on a phone above the keyboard. */

import { listenButton } from "./listening.js";
import { clamp } from "../data/clamp.js";
import { t } from "../data/i18n.js";
import { button, byId, face, make, renewChildren, setHidden, setPressed, setText } from "../dom.js";

const EDGE = 8; // pixels between the box and the stage's edge
const NAME = 24; // pixels of the name below a figure, which the box leaves free
const ASIDE = 120; // pixels between a figure and the box to the right of it, where bubbles are
const NARROW = 760; // pixels of a screen on which the box is at the bottom
const LONGEST = 500; // letters of a line
const FACE = 22; // pixels

export class VisitBox {
  /** @param {import("./visit.js").Visit} visit */
  constructor(visit) {
    this.visit = visit;
    const { run } = visit.parts;
    this.where = make("b", "where");
    this.places = /** @type {HTMLSelectElement} */ (make("select"));
    this.places.setAttribute("aria-label", t("Go to a place"));
    this.places.addEventListener("change", () => this.go());
    this.near = make("ul", "near");
    this.lines = make("ol", "said");
    this.lines.setAttribute("aria-live", "polite");
    this.lines.lang = run.lang;
    this.text = /** @type {HTMLInputElement} */ (make("input"));
    Object.assign(this.text, { maxLength: LONGEST, required: true, autocomplete: "off", enterKeyHint: "send" });
    this.form = this.speechForm();
    this.status = make("p", "note");
    this.status.setAttribute("role", "status");
    const leave = button("", () => void visit.leave(), t("Leave"));
    const standIn = run.scripted && make("p", "note", t("No language model speaks here: a stand-in answers by rules."));
    const head = make("div", "head", this.where, this.places, leave);
    this.goesOn = /** @type {HTMLInputElement} */ (make("input"));
    this.goesOn.type = "checkbox";
    this.pace = make("label", "check", this.goesOn, t("The town goes on while I think"));
    this.element = make("section", "", head, this.near, this.lines, this.form, this.pace, standIn, this.status);
    this.element.id = "visit-box";
    this.element.hidden = true;
    this.element.setAttribute("aria-label", t("Your visit"));
    this.element.addEventListener("keydown", (event) => event.stopPropagation());
    globalThis.visualViewport?.addEventListener("resize", () => this.lift());
    this.report(t("You are on your way into town …"));
    this.isShown = false;
    /** @type {import("../data/exchange.js").Nearby[]} */
    this.people = [];
    this.talk();
  }

  speechForm() {
    const give = button("", () => this.send((text) => this.visit.give(text)), t("Hand over"));
    give.title = t("Hand over what the box names, such as a postcard");
    const form = make("form", "speech", this.text, listenButton(this.text, this.visit.parts.run.lang), make("button", "primary", t("Say")), give);
    form.addEventListener("submit", (event) => (event.preventDefault(), this.send((text) => this.visit.say(text))));
    return form;
  }

  /** @param {(text: string) => Promise<void>} act */
  send(act) {
    const text = this.text.value.trim();
    if (!text) return this.text.focus();
    this.text.value = "";
    void act(text);
  }

  go() {
    const place = this.places.value;
    this.places.selectedIndex = 0;
    if (place) void this.visit.walk({ place });
  }

  /** @param {string} who a resident */
  isNear(who) {
    return this.people.some((person) => person.who === who);
  }

  /** @param {import("../data/exchange.js").VisitorView} view */
  show({ now, place, near, places, refused, is_away: isAway }) {
    if (isAway) return;
    this.isShown = true;
    this.people = near;
    const names = this.visit.parts.run.places;
    setText(this.where, `${now.slice(11, 16)} · ${names[place] ?? place}`);
    const options = [new Option(t("Go to …"), ""), ...places.map((address) => new Option(names[address] ?? address, address))];
    if (this.places.length !== options.length || this.places.dataset.place !== place) this.places.replaceChildren(...options);
    this.places.dataset.place = place;
    this.report(refused, Boolean(refused));
    this.talk();
  }

  /** Shows what is said, and to whom. @param {boolean} [begins] whether the visitor has just turned to somebody */
  talk(begins = false) {
    const { exchange, parts } = this.visit;
    const { partner, lines, thinks } = exchange;
    const name = parts.tabs.name(partner);
    const chips = this.people.map((person) => this.chip(person, person.who === partner));
    if (!chips.length && this.isShown) chips.push(make("li", "note", t("Nobody is near: tap the map to walk.")));
    renewChildren(this.near, chips);
    const said = lines.map(({ speaker, text }) => make("li", speaker === exchange.me ? "mine" : "", make("b", "", parts.tabs.name(speaker)), ` ${text}`));
    const thought = thinks && make("li", "thinks", t("{name} is thinking about an answer …", { name }));
    if (thought) thought.lang = document.documentElement.lang;
    renewChildren(this.lines, thought ? [...said, thought] : said);
    this.lines.scrollTop = this.lines.scrollHeight;
    setHidden(this.lines, !lines.length);
    setHidden(this.form, !partner);
    setHidden(this.pace, !partner);
    this.text.placeholder = this.text.ariaLabel = t("Say something to {name}", { name });
    if (begins && partner) this.text.focus({ preventScroll: true });
  }

  /** @param {import("../data/exchange.js").Nearby} person @param {boolean} chosen */
  chip({ who, name, doing, busy }, chosen) {
    const resident = this.visit.parts.tabs.residents.get(who) ?? { name, portrait: null };
    const element = button("", () => void this.visit.turn(who), face(resident, FACE), name);
    element.title = chosen && this.visit.exchange.isOpen ? t("End the talk") : doing;
    element.disabled = busy && !chosen;
    setPressed(element, chosen);
    return make("li", "", element);
  }

  /** @param {string} text @param {boolean} [bad] */
  report(text, bad = false) {
    setText(this.status, text);
    this.status.classList.toggle("bad", bad);
  }

  /** Puts the box below the visitor's figure, or to the bottom of a narrow screen. @param {import("../stage/stage.js").Figure | undefined} figure */
  place(figure) {
    const { element } = this;
    const { width, height } = this.visit.parts.camera;
    if (innerWidth <= NARROW) return element.style.removeProperty("transform");
    const [middle, feet] = figure ? [figure.x + figure.size / 2, figure.y + figure.size] : [width / 2, height];
    const [widest, lowest] = [width - element.offsetWidth - EDGE, height - element.offsetHeight - EDGE];
    const aside = feet > lowest ? (figure?.size ?? 0) + ASIDE : -element.offsetWidth / 2; // where there is no room below, to the right
    const left = clamp(middle + aside, EDGE, Math.max(EDGE, widest));
    const top = clamp(feet + NAME, EDGE, Math.max(EDGE, lowest));
    element.style.transform = `translate(${Math.round(left)}px, ${Math.round(top)}px)`;
  }

  /** The pixels by which the picture moves up where the box covers its bottom: the figure stands just above the box, and has words above it. */
  get lifts() {
    return innerWidth <= NARROW ? this.element.offsetHeight / 4 : 0;
  }

  /** Keeps the box above the keyboard of a phone, which covers the bottom of the page. */
  lift() {
    const { height, offsetTop } = /** @type {VisualViewport} */ (globalThis.visualViewport);
    const covered = byId("stage").getBoundingClientRect().bottom - height - offsetTop;
    this.element.style.setProperty("--lift", `${Math.max(0, Math.round(covered))}px`);
  }
}
