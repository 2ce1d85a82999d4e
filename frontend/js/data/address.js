/** Keeps what is shown in the address, so that it can be bookmarked and shared. */

import { byId } from "../dom.js";
import { TICKS_PER_MINUTE } from "./gametime.js";

const REST = 300; // milliseconds without a change before it is written
const EVERY = 2000; // milliseconds between two times that it is written while the town plays

/** What of the address says where to begin. */
const BEGINNINGS = ["step", "zoom", "x", "y", "resident", "why"];

/** @typedef {{step: number, minute: number, paused: boolean, speed: number, zoom: number, resident: string, x: number, y: number}} Shown (x, y) is the tile in the middle; `minute` is that of the step */

export class Address {
  /** @param {() => Shown} shown */
  constructor(shown) {
    this.shown = shown;
    this.given = new URL(location.href).searchParams;
    this.resting = 0;
    this.written = -Infinity;
    byId("language")?.addEventListener("click", () => this.write());
  }

  /** The tile to centre by the address. @returns {[number, number] | undefined} */
  place() {
    const [x, y] = ["x", "y"].map((key) => Number.parseFloat(this.given.get(key) ?? ""));
    return Number.isFinite(x) && Number.isFinite(y) ? [x, y] : undefined;
  }

  /** The resident to follow by the address, "" for none; a place in the address takes precedence. @param {import("./shapes.js").RunView} run */
  resident(run) {
    const id = this.given.get("resident") ?? "";
    return !this.place() && run.residents.some((resident) => resident.id === id) ? id : "";
  }

  /** Writes the address once nothing has changed for a while. */
  remember() {
    clearTimeout(this.resting);
    this.resting = window.setTimeout(() => this.write(), REST);
  }

  /** Goes along while the town plays. @param {number} now milliseconds */
  keep(now) {
    if (now - this.written < EVERY) return;
    this.written = now;
    this.write();
  }

  write() {
    const address = new URL(location.href);
    const { step, minute, paused, speed, zoom, resident, x, y } = this.shown();
    const where = resident ? { resident, x: "", y: "" } : { resident: "", x: x.toFixed(1), y: y.toFixed(1) };
    const values = { step, minute: minute || "", paused: paused ? 1 : "", speed, zoom: Number(zoom.toFixed(2)), ...where };
    for (const [key, value] of Object.entries(values)) {
      if (value === "") address.searchParams.delete(key);
      else address.searchParams.set(key, String(value));
    }
    history.replaceState(null, "", address);
    const language = byId("language");
    address.searchParams.set("lang", new URL(language.href).searchParams.get("lang") ?? "");
    language.href = address.href;
  }
}

/** Whether an address leaves open what to show. @param {URLSearchParams} given */
export function isOpen(given) {
  return BEGINNINGS.every((key) => !given.has(key));
}

/**
 * The tick at which an address says to begin: where it leaves that open, at the latest step of a run that is being lived, and at the opening of any other.
 * @param {URLSearchParams} given @param {import("./shapes.js").RunView} run @param {number} step as the page was given it @param {boolean} [isRunning]
 */
export function firstTick(given, run, step, isRunning = false) {
  if (isOpen(given)) return isRunning ? Math.max(0, run.steps - 1) * run.ticks : (run.opening?.tick ?? 0);
  const minute = Math.min(run.stride, Math.max(0, Number(given.get("minute")) || 0));
  return Math.max(0, Math.min(run.steps, step) - 1) * run.ticks + Math.floor(minute) * TICKS_PER_MINUTE;
}
