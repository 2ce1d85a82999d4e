/** What the thing under the pointer is, and the state it shows. */

import { clamp } from "./camera.js";
import { t } from "./i18n.js";

export class Tooltip {
  /** @param {HTMLElement} element @param {import("./types.js").Run} run @param {import("./stage.js").Stage} stage */
  constructor(element, run, stage) {
    this.element = element;
    this.run = run;
    this.stage = stage;
    /** @type {Map<string, string>} tile → thing */
    this.things = new Map();
    for (const [address, { tiles }] of Object.entries(run.things)) for (const tile of tiles) this.things.set(String(tile), address);
    this.names = new Map(run.residents.map((one) => [one.id, one.name]));
  }

  /** @param {number} x @param {number} y on the screen @param {number} tick */
  show(x, y, tick) {
    const { camera, tile } = this.stage;
    const [wx, wy] = camera.toWorld(x, y);
    const address = this.things.get(`${Math.floor(wx / tile)},${Math.floor(wy / tile)}`);
    if (!address) return this.hide();
    const thing = this.run.things[address];
    if (tick < (thing.from ?? 0) || tick >= (thing.until ?? Infinity)) return this.hide();
    const { state, users } = this.stage.timeline.thing(address, tick) ?? { state: "", users: [] };
    const names = users.map((id) => this.names.get(id) ?? id).join(", ");
    const name = document.createElement("b");
    name.textContent = thing.name;
    this.element.replaceChildren(name, names ? t("in_use_by", { state: state || thing.idle, names }) : state || thing.idle);
    this.element.hidden = false;
    const left = clamp(x + 14, 4, camera.width - this.element.offsetWidth - 4);
    const top = clamp(y + 18, 4, camera.height - this.element.offsetHeight - 4);
    this.element.style.transform = `translate(${left}px, ${top}px)`;
  }

  hide() {
    this.element.hidden = true;
  }
}
