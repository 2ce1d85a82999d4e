/** The mind's eye: the town as the one followed knows it, turned on and off; a line below says what is known. */

import * as api from "../data/api.js";
import { nt, t } from "../data/i18n.js";
import { byId, setText } from "../dom.js";
import { MindsEye } from "../stage/minds_eye.js";

/**
 * @typedef {{run: import("../data/shapes.js").RunView, frames: import("../data/frames.js").FrameBuffer, stage: import("../stage/stage.js").Stage,
 *            navigation: import("../navigation.js").Navigation, tabs: import("../panel/tabs.js").Tabs}} Parts
 */

export class Mind {
  /** @param {Parts} parts */
  constructor(parts) {
    this.parts = parts;
    this.button = byId("eye");
    this.line = byId("eye-line");
    this.answers = new api.Latest();
    /** @type {MindsEye | null} */
    this.eye = null;
    this.button.addEventListener("click", () => void (this.eye ? this.close() : this.open()));
  }

  /** Of the one followed, or shown last, or else of the first resident. */
  async open() {
    const { run, stage, navigation, tabs } = this.parts;
    const who = stage.followed || tabs.resident || run.residents[0]?.id;
    if (!who || !run.map) return;
    navigation.follow(who);
    const eye = new MindsEye(stage, await api.ask(run.name, "arenas"), who);
    this.close();
    this.eye = eye;
    stage.overlays.add(eye.draw);
    stage.shows = (id, tick) => eye.shows(id, tick);
    this.button.setAttribute("aria-pressed", "true");
  }

  close() {
    const { stage } = this.parts;
    if (!this.eye) return;
    this.answers.forget();
    stage.overlays.delete(this.eye.draw);
    stage.shows = () => 1;
    this.eye = null;
    this.line.hidden = true;
    this.button.setAttribute("aria-pressed", "false");
  }

  /** @param {number} tick */
  draw(tick) {
    const { eye } = this;
    if (!eye) return;
    const { run, stage } = this.parts;
    if (stage.followed && stage.followed !== eye.who) return void this.open();
    const failed = (/** @type {string} */ problem) => this.say(problem);
    this.answers.ask(run.name, `residents/${eye.who}/eye`, { step: Math.floor(tick / run.ticks) }, (known) => eye.know(known), failed);
    if (eye.known) this.say(this.words(eye, eye.known));
  }

  /** @param {MindsEye} eye @param {import("../data/eye.js").Eye} known */
  words(eye, { places, people }) {
    const { run, tabs } = this.parts;
    const never = run.residents.length - 1 - people.length;
    const all = nt("{count} place", "{count} places", Object.keys(run.places).length);
    const sentences = [
      t("As {name} knows it: {places} of {all}, the others lie in fog.", { name: tabs.name(eye.who), places: places.length, all }),
      eye.wrong && nt("{count} person is no longer where last seen.", "{count} people are no longer where last seen.", eye.wrong),
      never && nt("{count} person was never seen.", "{count} people were never seen.", never),
    ];
    return sentences.filter(Boolean).join(" ");
  }

  /** @param {string} words */
  say(words) {
    setText(this.line, words);
    this.line.hidden = false;
  }
}
