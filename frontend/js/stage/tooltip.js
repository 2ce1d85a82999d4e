/** What the thing under the pointer is, the state it shows, who uses it, and what happens there. */

import { nameIn } from "../data/cast.js";
import { clamp } from "../data/clamp.js";
import { t } from "../data/i18n.js";
import { make } from "../dom.js";
import { present } from "./interventions.js";

export class Tooltip {
  /** @param {HTMLElement} element @param {import("../data/shapes.js").RunView} run @param {import("./stage.js").Stage} stage */
  constructor(element, run, stage) {
    this.element = element;
    this.run = run;
    this.stage = stage;
    this.pinned = false;
  }

  /** Describes the thing at a point of the screen; a click pins the description until the next click. @param {number} x @param {number} y @param {number} tick @param {boolean} [pin] */
  show(x, y, tick, pin = false) {
    if (this.pinned && !pin) return;
    const address = this.stage.thingAt(x, y, tick);
    this.pinned = pin && Boolean(address);
    this.stage.marked = address;
    this.tick = tick;
    if (!address) return this.hide();
    this.write(address, tick);
    this.element.hidden = false;
    this.place(address);
  }

  /** The pinned thing as it is now; it may have come into use meanwhile, and the town may have moved below it. @param {number} tick */
  draw(tick) {
    const address = this.stage.marked;
    if (!this.pinned || !address) return;
    if (Math.floor(tick) !== this.tick) this.write(address, tick);
    this.tick = Math.floor(tick);
    this.place(address);
  }

  /** @param {string} address of a thing, or of an arena where something happens @param {number} tick */
  write(address, tick) {
    const thing = this.run.things[address];
    const events = this.stage.frames.events(tick).filter((event) => event.address === address);
    if (thing ? !present(thing, tick) : !events.length) return this.hide();
    const lines = events.map((event) => make("span", "event", event.planted ? t("{text} (planted by the director)", { text: event.text }) : event.text));
    this.element.replaceChildren(make("b", "", thing?.name ?? this.run.places[address]), thing ? this.state(thing, address, tick) : "", ...lines);
  }

  /** @param {import("../data/shapes.js").Thing} thing @param {string} address @param {number} tick */
  state(thing, address, tick) {
    const { state, users } = this.stage.frames.thingChange(address, tick) ?? { state: "", users: [] };
    const names = users.map((id) => nameIn(this.run, id)).join(", ");
    return names ? t("{state} · {names}", { state: state || thing.idle, names }) : state || thing.idle;
  }

  /** Below the thing. @param {string} address */
  place(address) {
    const { camera } = this.stage;
    const { left, right, bottom, top } = this.stage.boxOf(address);
    const { offsetWidth, offsetHeight } = this.element;
    const below = bottom + 6 + offsetHeight < camera.height ? bottom + 6 : top - offsetHeight - 6;
    const x = clamp((left + right - offsetWidth) / 2, 4, Math.max(4, camera.width - offsetWidth - 4));
    this.element.style.transform = `translate(${Math.round(x)}px, ${Math.round(clamp(below, 4, camera.height - offsetHeight - 4))}px)`;
  }

  hide() {
    this.element.hidden = true;
    this.pinned = false;
    this.stage.marked = "";
  }
}
