/** The address tells what is shown, so that it can be kept and passed on. */

import { byId } from "./dom.js";

const REST = 300; // milliseconds that the hands rest before it is written

/** @typedef {{step: number, speed: number, zoom: number, resident: string, x: number, y: number}} Shown (x, y) is the tile in the middle */

export class Address {
  /** @param {() => Shown} shown */
  constructor(shown) {
    this.shown = shown;
    this.given = new URL(location.href).searchParams;
    this.resting = 0;
  }

  /** The tile that the address wants in the middle. @returns {[number, number] | undefined} */
  place() {
    const [x, y] = ["x", "y"].map((key) => Number.parseFloat(this.given.get(key) ?? ""));
    return Number.isFinite(x) && Number.isFinite(y) ? [x, y] : undefined;
  }

  /** Whom the address wants followed: one of the run, and no place besides. @param {import("./types.js").Run} run */
  resident(run) {
    const id = this.given.get("resident") ?? "";
    return !this.place() && run.residents.some((one) => one.id === id) ? id : "";
  }

  /** It is written once the hands rest. */
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
