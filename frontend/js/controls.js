/** Buttons, sliders and keys. */

import { byId, setText } from "./dom.js";
import { TICKS_PER_HOUR, TICKS_PER_MINUTE, TICK_SECONDS } from "./gametime.js";
import { t } from "./i18n.js";
import { rate } from "./player.js";

const ZOOM_STEP = 1.25;

/** @typedef {{player: import("./player.js").Player, camera: import("./camera.js").Camera, follow: (id: string) => void, residents: string[],
 *             followed: () => string, changed: () => void}} Hands */

export class Controls {
  /** @param {Hands} hands @param {import("./gametime.js").GameTime} time */
  constructor(hands, time) {
    this.hands = hands;
    this.time = time;
    this.playing = false;
    this.scrub = byId("scrub");
    this.buttons();
    document.addEventListener("keydown", (event) => this.key(event));
  }

  buttons() {
    const { player, camera, changed } = this.hands;
    /** @param {string} id @param {() => void} act */
    const on = (id, act) => byId(id).addEventListener("click", () => (act(), changed()));
    on("play", () => player.toggle());
    on("back", () => player.skip(-1));
    on("forward", () => player.skip(1));
    on("zoom-in", () => camera.zoomBy(ZOOM_STEP));
    on("zoom-out", () => camera.zoomBy(1 / ZOOM_STEP));
    on("zoom-fit", () => camera.fit());
    on("help-open", () => byId("help").showModal());
    this.scrub.addEventListener("input", () => (player.seek(Number(this.scrub.value)), changed()));
    byId("speed").addEventListener("input", () => ((player.speed = Number(byId("speed").value)), changed()));
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || byId("help").open) return;
    const target = /** @type {HTMLElement} */ (event.target);
    const slider = target instanceof HTMLInputElement && event.key.startsWith("Arrow");
    const button = event.key === " " && target.closest("button, a");
    const act = slider || button ? undefined : this.keys(event.shiftKey)[event.key.length === 1 ? event.key.toLowerCase() : event.key];
    if (!act) return;
    event.preventDefault();
    act();
    this.hands.changed();
  }

  /** @param {boolean} shift @returns {Record<string, () => void>} */
  keys(shift) {
    const { player, camera, follow } = this.hands;
    const move = (/** @type {number} */ by) => (shift ? player.seek(player.tick + by * TICKS_PER_HOUR) : player.skip(by));
    return {
      " ": () => player.toggle(),
      ArrowLeft: () => move(-1),
      ArrowRight: () => move(1),
      ArrowUp: () => player.faster(1),
      ArrowDown: () => player.faster(-1),
      "+": () => camera.zoomBy(ZOOM_STEP),
      "=": () => camera.zoomBy(ZOOM_STEP),
      "-": () => camera.zoomBy(1 / ZOOM_STEP),
      0: () => camera.fit(),
      f: () => this.followNext(),
      Escape: () => follow(""),
      "?": () => byId("help").showModal(),
    };
  }

  followNext() {
    const { residents, followed, follow } = this.hands;
    follow(residents[(residents.indexOf(followed()) + 1) % residents.length]);
  }

  /** Shows where the player stands. */
  draw() {
    const { player } = this.hands;
    const { timeline, tick, speed } = player;
    setText(byId("hour"), this.time.clock(tick));
    setText(byId("day"), this.time.day(tick));
    const step = Math.min(timeline.steps, Math.floor(tick / timeline.ticks) + 1);
    setText(byId("step-count"), `${step} / ${timeline.steps}`);
    setText(byId("speed-value"), t("speed_value", { times: Math.round(rate(speed) * TICK_SECONDS) }));
    if (Number(byId("speed").value) !== speed) byId("speed").value = String(speed);
    this.drawScrub(Math.floor(tick / TICKS_PER_MINUTE) * TICKS_PER_MINUTE, timeline.end);
    if (player.playing !== this.playing) this.drawPlay(player.playing);
  }

  /** @param {number} tick a whole minute, the slider's unit @param {number} end */
  drawScrub(tick, end) {
    if (this.scrub.max !== String(end)) this.scrub.max = String(end);
    if (this.scrub.value === String(tick)) return;
    this.scrub.value = String(tick);
    this.scrub.setAttribute("aria-valuetext", `${this.time.day(tick)} ${this.time.clock(tick)}`);
  }

  /** @param {boolean} playing */
  drawPlay(playing) {
    this.playing = playing;
    const button = byId("play");
    const label = t(playing ? "pause" : "play");
    button.title = `${label} (${t("key_space")})`;
    button.setAttribute("aria-label", label);
    button.querySelector("use").setAttribute("href", `/frontend/icons.svg#${playing ? "pause" : "play"}`);
  }
}
