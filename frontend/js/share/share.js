/** What is seen, to be passed on: an exact link, a picture of twice the size, a clip. */

import { addressOf } from "../data/api.js";
import { standalone } from "../data/embedded.js";
import { N_, complaint, t } from "../data/i18n.js";
import { nameModel, nameRecording, nameRun } from "../data/model_name.js";
import { byId, setText } from "../dom.js";
import { save } from "../data/save.js";
import { paint, tall } from "./picture.js";

const FINE = 2; // times as many pixels as are seen has a picture
const RATE = 30; // frames a second of a clip
const KINDS = ["video/webm;codecs=vp9", "video/webm;codecs=vp8", "video/webm"];

/**
 * @typedef {{run: import("../data/shapes.js").RunView, player: import("../stage/player.js").Player, stage: import("../stage/stage.js").Stage,
 *            bubbles: import("../stage/bubbles.js").Bubbles, time: import("../data/gametime.js").GameTime, navigation: import("../navigation.js").Navigation}} Parts
 */

export class Share {
  /** @param {Parts} parts */
  constructor(parts) {
    this.parts = parts;
    this.dialog = /** @type {HTMLDialogElement} */ (byId("share"));
    this.note = /** @type {HTMLElement} */ (this.dialog.querySelector(".note"));
    this.button = byId("share-open");
    /** @type {{recorder: MediaRecorder, context: CanvasRenderingContext2D, left: number} | null} */
    this.clip = null;
    this.button.addEventListener("click", () => (this.clip ? this.clip.recorder.stop() : this.open()));
    byId("share-link").addEventListener("click", () => this.trying(() => this.copy()));
    byId("share-picture").addEventListener("click", () => this.trying(() => this.picture()));
    byId("share-town-row").hidden = standalone; // the server draws it
    byId("share-town").addEventListener("click", () => this.trying(() => this.town()));
    byId("share-clip").addEventListener("click", () => this.trying(() => this.record(Number(byId("share-seconds").value))));
  }

  open() {
    setText(this.note, "");
    byId("share-address").value = this.link;
    byId("share-clip").disabled = !KINDS.some((kind) => globalThis.MediaRecorder?.isTypeSupported(kind));
    this.dialog.showModal();
  }

  /** The address of the moment and the view that are shown, at rest. */
  get link() {
    this.parts.navigation.address.write();
    const address = new URL(location.href);
    address.searchParams.set("paused", "1");
    address.searchParams.set("lang", document.documentElement.lang);
    return address.href;
  }

  async copy() {
    const field = byId("share-address");
    field.select();
    if (navigator.clipboard) await navigator.clipboard.writeText(field.value);
    else document.execCommand("copy");
    setText(this.note, t("Copied."));
  }

  async picture() {
    const { stage, player, bubbles } = this.parts;
    const canvas = sheet(stage.camera, FINE);
    try {
      stage.resize(FINE);
      stage.draw(player.tick, bubbles.lines, bubbles.taken);
      this.paint(/** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d")), FINE);
    } finally {
      stage.resize();
    }
    const blob = await new Promise((/** @type {(blob: Blob | null) => void} */ done) => canvas.toBlob(done, "image/png"));
    if (blob) save(blob, `${this.file()}.png`);
    this.dialog.close();
  }

  /** The whole town after the step before the moment shown, with who does what, as the server draws it. */
  async town() {
    const { run, player } = this.parts;
    setText(this.note, t("Drawing …"));
    const step = Math.floor(player.tick / run.ticks);
    const answer = await fetch(`${addressOf(run.name)}/picture?step=${step}`);
    if (!answer.ok) throw new Error(t("The map of this town cannot be drawn."));
    save(await answer.blob(), `${this.file()}-town.png`);
    this.dialog.close();
  }

  /** @param {CanvasRenderingContext2D} context @param {number} ratio */
  paint(context, ratio) {
    const { stage, bubbles, run, time, player } = this.parts;
    const caption = byId("caption");
    const text = caption.hidden ? nameModel(run.model) : (caption.querySelector(".words")?.textContent ?? "");
    const recording = nameRecording(run, time);
    const title = `${nameRun(run)}${recording && ` (${recording})`} · ${run.world_name} · ${time.day(player.tick)} ${time.clock(player.tick)}`;
    const address = new URL(location.href);
    const link = `${address.host}/?name=${run.name}&step=${address.searchParams.get("step") ?? 1}&minute=${address.searchParams.get("minute") ?? 0}`;
    paint(context, stage.canvas, stage.camera, ratio, bubbles.said, { title, text, link: address.protocol === "file:" ? "" : link });
  }

  /** What is seen in the next seconds of play. @param {number} seconds */
  record(seconds) {
    const { stage, player } = this.parts;
    const canvas = sheet(stage.camera, 1);
    const context = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
    this.paint(context, 1);
    const kind = KINDS.find((mime) => MediaRecorder.isTypeSupported(mime));
    const recorder = new MediaRecorder(canvas.captureStream(RATE), { mimeType: kind, videoBitsPerSecond: 4_000_000 });
    const file = this.file();
    /** @type {Blob[]} */
    const parts = [];
    recorder.addEventListener("dataavailable", ({ data }) => parts.push(data));
    recorder.addEventListener("stop", () => {
      this.clip = null;
      this.mark();
      save(new Blob(parts, { type: "video/webm" }), `${file}.webm`);
    });
    recorder.start();
    this.clip = { recorder, context, left: seconds };
    player.playing = true;
    this.mark();
    this.dialog.close();
  }

  /** Shows whether a clip is being recorded. */
  mark() {
    const label = t(this.clip ? N_("End the clip") : N_("Pass this on"));
    Object.assign(this.button, { title: label, ariaLabel: label });
    this.button.classList.toggle("recording", Boolean(this.clip));
  }

  /** Adds the frame that has just been drawn to the clip. @param {number} seconds since the frame before */
  draw(seconds) {
    if (!this.clip) return;
    this.paint(this.clip.context, 1);
    this.clip.left -= seconds;
    if (this.clip.left <= 0 && this.clip.recorder.state === "recording") this.clip.recorder.stop();
  }

  file() {
    const { run, time, player } = this.parts;
    return `${run.name}-${time.clock(player.tick).replace(":", "")}`;
  }

  /** @param {() => void | Promise<void>} act */
  async trying(act) {
    try {
      await act();
    } catch (error) {
      setText(this.note, complaint(error));
    }
  }
}

/** A canvas for a picture of the stage. @param {{width: number, height: number}} size @param {number} ratio */
function sheet({ width, height }, ratio) {
  const canvas = document.createElement("canvas");
  [canvas.width, canvas.height] = [Math.round(width * ratio), Math.round(tall(height) * ratio)];
  return canvas;
}
