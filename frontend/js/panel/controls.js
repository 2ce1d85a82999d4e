/** Buttons, sliders and keys. */

import { TICKS_PER_HOUR, TICKS_PER_MINUTE } from "../data/gametime.js";
import { N_, t } from "../data/i18n.js";
import { byId, setText } from "../dom.js";
import { LEVELS } from "../stage/player.js";
import { setSigned } from "./emblem.js";

const ZOOM_STEP = 1.25;
const PAN = 0.18; // of a screen

/**
 * What the controls act on.
 * @typedef {{run: import("../data/shapes.js").RunView, player: import("../stage/player.js").Player, camera: import("../stage/camera.js").Camera,
 *            navigation: import("../navigation.js").Navigation, stage: import("../stage/stage.js").Stage, time: import("../data/gametime.js").GameTime, tabs: import("./tabs.js").Tabs, timeline: import("./timeline.js").Timeline, timeMenu: import("./time_menu.js").TimeMenu}} Parts
 */

export class Controls {
  /** @param {Parts} parts */
  constructor({ run, player, camera, navigation, stage, time, tabs, timeline, timeMenu }) {
    this.run = run;
    this.player = player;
    this.camera = camera;
    this.navigation = navigation;
    this.stage = stage;
    this.time = time;
    this.tabs = tabs;
    this.timeline = timeline;
    this.timeMenu = timeMenu;
    this.playing = false;
    this.scrub = byId("scrub");
    byId("speed").max = String(LEVELS.length - 1);
    this.buttons();
    document.addEventListener("keydown", (event) => this.key(event));
    document.addEventListener("click", letGo);
  }

  buttons() {
    const { player, camera, navigation } = this;
    const changed = () => navigation.address.remember();
    /** @param {string} id @param {() => void} act */
    const on = (id, act) => byId(id).addEventListener("click", () => (act(), changed()));
    on("play", () => player.toggle());
    on("back", () => player.skip(-1));
    on("forward", () => player.skip(1));
    on("conversation-back", () => navigation.toConversation(-1));
    on("conversation-forward", () => navigation.toConversation(1));
    on("event-forward", () => navigation.toEvent(1));
    on("zoom-in", () => camera.zoomBy(ZOOM_STEP));
    on("zoom-out", () => camera.zoomBy(1 / ZOOM_STEP));
    on("zoom-fit", () => this.fit());
    on("help-open", () => byId("help").showModal());
    this.scrub.addEventListener("input", () => (player.seek(Number(this.scrub.value)), changed()));
    byId("speed").addEventListener("input", () => ((player.level = Number(byId("speed").value)), changed()));
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || document.querySelector("dialog[open]")) return;
    const target = /** @type {HTMLElement} */ (event.target);
    const slider = target instanceof HTMLInputElement && event.key.startsWith("Arrow");
    const button = (event.key === " " || event.key === "Enter") && target.closest("button, a, summary, input, select, textarea, [tabindex]");
    const act = slider || button ? undefined : this.keys(event.shiftKey)[event.key.length === 1 ? event.key.toLowerCase() : event.key];
    if (!act) return;
    event.preventDefault();
    act();
    this.navigation.address.remember();
  }

  /** @param {boolean} shift @returns {Record<string, () => unknown>} */
  keys(shift) {
    const { player, camera, navigation } = this;
    const move = (/** @type {number} */ by) => (shift ? player.seek(player.tick + by * TICKS_PER_HOUR) : player.skip(by));
    return {
      " ": () => player.toggle(),
      ArrowLeft: () => move(-1),
      ArrowRight: () => move(1),
      ArrowUp: () => player.level++,
      ArrowDown: () => player.level--,
      n: () => navigation.toConversation(shift ? -1 : 1),
      e: () => navigation.toEvent(shift ? -1 : 1),
      w: () => this.pan(0, -PAN),
      a: () => this.pan(-PAN, 0),
      s: () => this.pan(0, PAN),
      d: () => this.pan(PAN, 0),
      "+": () => camera.zoomBy(ZOOM_STEP),
      "=": () => camera.zoomBy(ZOOM_STEP),
      "-": () => camera.zoomBy(1 / ZOOM_STEP),
      0: () => this.fit(),
      c: () => byId("direct").click(),
      m: () => byId("eye").click(),
      g: () => byId("gazette-open").click(),
      p: () => byId("lecture-open").click(),
      f: () => this.followNext(shift ? -1 : 1),
      Enter: () => this.stage.followed && this.tabs.visit(this.stage.followed),
      z: () => this.timeMenu.zoom(shift ? 2 : 0.5),
      b: () => this.timeMenu.mark(),
      "[": () => this.timeMenu.begin(),
      "]": () => this.timeMenu.end(),
      "/": () => byId("find").click(),
      Escape: () => this.tabs.uncover() || navigation.follow(""),
      "?": () => byId("help").showModal(),
    };
  }

  /** @param {number} dx @param {number} dy in screens */
  pan(dx, dy) {
    this.navigation.follow("");
    this.camera.glideBy(dx, dy);
  }

  fit() {
    this.navigation.follow("");
    this.camera.fit();
  }

  /** @param {number} by */
  followNext(by) {
    const { residents } = this.run;
    const at = residents.findIndex(({ id }) => id === this.stage.followed);
    this.navigation.follow(residents[at < 0 ? 0 : (at + by + residents.length) % residents.length].id);
  }

  /** Shows where the player stands. */
  draw() {
    const { player } = this;
    const { frames, tick } = player;
    setText(byId("hour"), this.time.clock(tick));
    setText(byId("day"), this.time.day(tick));
    const step = Math.min(frames.steps, Math.floor(tick / frames.ticks) + 1);
    setText(byId("step-count"), `${step} / ${frames.steps}`);
    const key =
      player.pace < player.times
        ? N_("💬 {times}×")
        : player.pace === player.times
          ? N_("{times}×")
          : player.due > tick
            ? N_("⏩ {times}×")
            : N_("💤 {times}×");
    setSigned(byId("speed-value"), t(key, { times: Math.round(player.pace) }));
    if (Number(byId("speed").value) !== player.level) byId("speed").value = String(player.level);
    this.drawScrub(Math.floor(tick / TICKS_PER_MINUTE) * TICKS_PER_MINUTE);
    if (player.playing !== this.playing) this.drawPlay(player.playing);
  }

  /** Moves the slider, which spans what the timeline shows; of a moment beside that, it is not seen. @param {number} tick a whole minute, the slider's unit */
  drawScrub(tick) {
    const { from, to } = this.timeline.view;
    const drawn = [from, to, tick].join();
    if (this.scrub.dataset.drawn === drawn) return;
    this.scrub.dataset.drawn = drawn;
    Object.assign(this.scrub, { min: String(from), max: String(to) });
    this.scrub.classList.toggle("beyond", tick < from || tick > to);
    this.scrub.value = String(tick);
    this.scrub.setAttribute("aria-valuetext", `${this.time.day(tick)} ${this.time.clock(tick)}`);
  }

  /** @param {boolean} playing */
  drawPlay(playing) {
    this.playing = playing;
    const button = byId("play");
    const label = t(playing ? N_("Pause") : N_("Play"));
    button.title = `${label} (${t("Space")})`;
    button.setAttribute("aria-label", label);
    button.querySelector("use").setAttribute("href", `frontend/icons.svg#${playing ? "pause" : "play"}`);
  }
}

/** What was clicked keeps no key: after a click, the space bar plays and the arrows go on in time, whatever was clicked. @param {MouseEvent} event */
function letGo(event) {
  const clicked = /** @type {HTMLElement} */ (event.target).closest?.("button, summary");
  const byPointer = event.detail > 0;
  if (byPointer && clicked === document.activeElement && !clicked?.closest("dialog, form")) /** @type {HTMLElement} */ (clicked).blur();
}
