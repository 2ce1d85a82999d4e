/** Keeps what is shown in the address, so that it can be bookmarked and shared. */

import { byId } from "../dom.js";

const REST = 300; // milliseconds without a change before it is written

/** @typedef {{step: number, speed: number, zoom: number, resident: string, x: number, y: number}} Shown (x, y) is the tile in the middle */

export class Address {
  /** @param {() => Shown} shown */
  constructor(shown) {
    this.shown = shown;
    this.given = new URL(location.href).searchParams;
    this.resting = 0;
  }

  /** The tile to centre by the address. @returns {[number, number] | undefined} */
  place() {
    const [x, y] = ["x", "y"].map((key) => Number.parseFloat(this.given.get(key) ?? ""));
    return Number.isFinite(x) && Number.isFinite(y) ? [x, y] : undefined;
  }

  /** The resident to follow by the address, "" for none; a place in the address takes precedence. @param {import("./shapes.js").Run} run */
  resident(run) {
    const id = this.given.get("resident") ?? "";
    return !this.place() && run.residents.some((resident) => resident.id === id) ? id : "";
  }

  /** Writes the address once nothing has changed for a while. */
  remember() {
    clearTimeout(this.resting);
    this.resting = window.setTimeout(() => this.write(), REST);
  }

  write() {
    const address = new URL(location.href);
    const { step, speed, zoom, resident, x, y } = this.shown();
    const values = { step, speed, zoom: Number(zoom.toFixed(2)), ...(resident ? { resident } : { x: x.toFixed(1), y: y.toFixed(1) }) };
    for (const key of resident ? ["x", "y"] : ["resident"]) address.searchParams.delete(key);
    for (const [key, value] of Object.entries(values)) address.searchParams.set(key, String(value));
    history.replaceState(null, "", address);
    const language = byId("language");
    address.searchParams.set("lang", new URL(language.href).searchParams.get("lang") ?? "");
    language.href = address.href;
  }
}
