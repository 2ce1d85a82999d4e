/** Whether the run is being lived, and what lets it rest, go on, end, or branch at the moment shown. */

import * as api from "../data/api.js";
import { TICKS_PER_MINUTE } from "../data/gametime.js";
import { N_, complaint, t } from "../data/i18n.js";
import { RECORDED, nameModel } from "../data/model_name.js";
import { button, byId, make, setText } from "../dom.js";

/** @type {Record<string, string>} */
const STATES = {
  running: N_("The town lives on."),
  stopped: N_("The run rests at {time}."),
  finished: N_("The run has reached its end, {time}: let it go on, or branch it, or nothing more happens."),
};
const RECORDING = N_(
  "A recording, up to {time}: no model on this machine wrote these replies. Choose a moment, and a model of yours lets the town live on from there as a new run.",
);
const HOURS = [1, 6, 24, 48]; // of game time by which a run that is over can be prolonged

/** @typedef {import("./tabs.js").Context} Context */

export class RunBar {
  /** @param {import("../data/live.js").Live} live */
  constructor(live) {
    this.live = live;
    this.shown = "";
    /** @type {Context | null} */
    this.context = null;
    this.state = make("p", "run-state");
    this.acts = make("div", "acts");
    this.failure = make("p", "failure");
    this.failure.setAttribute("role", "alert");
    this.length = /** @type {HTMLSelectElement} */ (make("select"));
    this.length.append(...HOURS.map((count) => new Option(t("{count} h", { count }), String(count))));
    this.length.setAttribute("aria-label", t("Go on for"));
    this.slow = /** @type {HTMLInputElement} */ (make("input"));
    this.slow.type = "checkbox";
    this.slowly = make("label", "check", this.slow, t("Slowly, to watch it live: a step takes six seconds at least"));
    this.name = /** @type {HTMLInputElement} */ (make("input"));
    Object.assign(this.name, { maxLength: 64, required: true, spellcheck: false, autocomplete: "off" });
    this.model = /** @type {HTMLSelectElement} */ (make("select"));
    this.modelField = make("label", "speak-field", t("Model"), this.model);
    this.about = make("p", "speak-about");
    this.form = this.branchForm();
    this.element = make("section", "run-bar", this.state, this.acts, this.slowly, this.form, this.failure);
  }

  /** What a branch is called. */
  branchForm() {
    this.title = make("h3", "");
    const form = make("form", "branch", this.title, this.about, make("label", "speak-field", t("New name"), this.name), this.modelField);
    const begin = make("button", "primary", t("Branch here"));
    form.append(
      make(
        "div",
        "acts",
        button("", () => (form.hidden = true), t("Cancel")),
        begin,
      ),
    );
    form.addEventListener("submit", (event) => (event.preventDefault(), void this.branch()));
    form.hidden = true;
    return form;
  }

  /** What the run does at present. */
  get doing() {
    return this.live.running ? "running" : this.context?.frames.finished ? "finished" : "stopped";
  }

  /** A recording has no model, so one is chosen for what follows from it. */
  get isRecording() {
    return this.context?.run.model === RECORDED;
  }

  /** @param {Context} context */
  show(context) {
    this.context = context;
    const { frames, time } = context;
    const { cause } = this.live;
    const resting = this.doing === "stopped" && cause ? N_("The run stopped at {time}: {cause}") : STATES[this.doing];
    const state = this.isRecording ? RECORDING : resting;
    setText(this.state, t(state, { time: time.stamp(frames.end), cause }));
    if (this.doing === this.shown) return;
    this.shown = this.doing;
    const may = document.body.dataset.mayChange !== undefined;
    this.acts.replaceChildren(...(may ? this.buttons() : []));
    this.slowly.hidden = !may || this.doing === "running";
  }

  /** @returns {HTMLElement[]} */
  buttons() {
    const original = this.context?.run.parent.split("@")[0];
    const together = original && button("", () => byId("beside").click(), t("Beside “{name}”", { name: original }));
    const branch = make(
      "span",
      "acts",
      button("", () => this.ask(), t("Branch here")),
      together,
    );
    if (this.isRecording)
      return [button("primary", () => void this.trying(() => this.askModel()), t("Let it live on from here")), ...(together ? [together] : [])];
    const goOn = button("primary", () => this.control("go"), t("Go on"));
    if (this.doing === "running")
      return [button("primary", () => this.control("pause"), t("Pause")), button("", () => this.control("end"), t("End here")), branch];
    if (this.doing === "finished") return [goOn, this.length, branch];
    return [goOn, button("", () => this.control("end"), t("End here")), branch];
  }

  /** @param {"go" | "pause" | "end"} act */
  async control(act) {
    const { run } = /** @type {Context} */ (this.context);
    const longer = act === "go" && this.doing === "finished" ? { hours: Number(this.length.value) } : {};
    const asked = { ...longer, slow: this.slow.checked };
    await this.trying(() => this.live.control(run.name, act, asked));
  }

  /** Asks for the name of a branch at the moment shown. */
  ask() {
    const { run, step, time, tabs } = /** @type {Context} */ (this.context);
    const tick = step * run.ticks;
    this.name.value = `${run.name.slice(0, 50)}-${time.clock(tick).replace(":", "")}`;
    setText(/** @type {HTMLElement} */ (this.title), t("Branch at {time}", { time: time.stamp(tick) }));
    this.form.dataset.step = String(step);
    this.modelField.hidden = !this.isRecording;
    const after = this.isRecording
      ? t("A new run begins with this past, and lives on at once with the model. The recording stays as it is.")
      : t("A new run begins with this past and nothing else: step in, then let it go on. This one stays as it is.");
    setText(this.about, after);
    this.form.hidden = false;
    this.name.select();
    tabs.parts.player.playing = false;
  }

  /** Asks for a model, too. */
  async askModel() {
    const { run } = /** @type {Context} */ (this.context);
    const { models } = await api.offers();
    const known = models.filter((/** @type {{langs: string[]}} */ { langs }) => langs.includes(run.lang));
    this.model.replaceChildren(...known.map((/** @type {{spec: string}} */ { spec }) => new Option(nameModel(spec), spec)));
    this.ask();
  }

  async branch() {
    const { run } = /** @type {Context} */ (this.context);
    const living = this.isRecording ? { llm: this.model.value, slow: this.slow.checked } : {};
    const [name, step] = [this.name.value.trim(), Number(this.form.dataset.step)];
    await this.trying(async () => {
      await api.control(run.name, "branch", { name, step, ...living });
      const minute = step && run.ticks / TICKS_PER_MINUTE;
      const query = { name, step, minute, paused: 1, tab: "speak", lang: document.documentElement.lang };
      location.href = `./?${new URLSearchParams(Object.entries(query).map(([key, value]) => [key, String(value)]))}`;
    });
  }

  /** Does something once, with everything at rest until it is done. @param {() => Promise<void>} act */
  async trying(act) {
    const controls = /** @type {HTMLButtonElement[]} */ ([...this.element.querySelectorAll("button")]);
    for (const control of controls) control.disabled = true;
    setText(this.failure, "");
    try {
      await act();
    } catch (error) {
      setText(this.failure, complaint(error));
    } finally {
      for (const control of controls) control.disabled = false;
    }
  }
}
