/** The door of the town: a name and a figure, and for the host a link by which others walk in. */

import * as api from "../data/api.js";
import { complaint, t } from "../data/i18n.js";
import { button, byId, make, setHidden, setText } from "../dom.js";

const FIGURES = 5;
const LONGEST = 40; // letters of a name

export class WalkIn {
  /** @param {import("./visit.js").Visit} visit */
  constructor(visit) {
    this.visit = visit;
    const { run } = visit.parts;
    this.name = /** @type {HTMLInputElement} */ (make("input"));
    Object.assign(this.name, { maxLength: LONGEST, required: true, autocomplete: "off", spellcheck: false, value: visit.pass.name });
    this.figures = make("div", "figures");
    const others = button("", () => void this.draw(), t("Other figures"));
    this.choice = make("fieldset", "", make("legend", "", t("Your figure")), this.figures, others);
    this.failure = make("p", "failure");
    this.failure.setAttribute("role", "alert");
    this.enter = /** @type {HTMLButtonElement} */ (make("button", "primary", t("Walk in")));
    const title = make("h2", "", t("Walk in"));
    title.id = "door-title";
    const about = make("p", "", t("You enter by the road. Residents see you, answer you, remember you, and speak of you by your name."));
    const standIn = run.scripted && make("p", "note", t("No language model speaks here: a stand-in answers by rules."));
    const cancel = button("", () => this.dialog.close(), t("Cancel"));
    const acts = make("div", "acts", cancel, this.enter);
    const form = make("form", "", title, about, standIn, make("label", "", t("Your name"), this.name), this.choice, this.failure, acts);
    form.addEventListener("submit", (event) => (event.preventDefault(), void this.submit()));
    this.dialog = /** @type {HTMLDialogElement} */ (make("dialog", "", form, visit.mayChange && this.invitation()));
    this.dialog.id = "door";
    this.dialog.setAttribute("aria-labelledby", title.id);
    byId("stage").after(this.dialog);
    /** @type {Record<string, any>[]} */
    this.looks = [];
  }

  /** The link for others. */
  invitation() {
    const address = /** @type {HTMLInputElement} */ (make("input"));
    Object.assign(address, { readOnly: true, hidden: true, ariaLabel: t("Link by which others walk in") });
    const ask = async () => {
      try {
        address.value = (await api.makeVisitLink(this.visit.parts.run.name)).address;
        address.hidden = false;
        address.select();
      } catch (error) {
        setText(this.failure, complaint(error));
      }
    };
    const hint = make(
      "p",
      "note",
      t("With this link, others may watch this town and visit it, and nothing else. From other machines it works if the server was started with --host."),
    );
    return make(
      "details",
      "",
      make("summary", "", t("Others walk in, too")),
      hint,
      button("", () => void ask(), t("Make a link")),
      address,
    );
  }

  async open() {
    setText(this.failure, "");
    this.dialog.showModal();
    if (!this.looks.length) await this.draw();
  }

  /** Draws figures to choose from; none where the server cannot. */
  async draw() {
    const { name } = this.visit.parts.run;
    try {
      const drawn = await Promise.all(Array.from({ length: FIGURES }, () => api.look(String(Math.random()), "they", name)));
      this.looks = drawn.map(({ look }) => look);
    } catch {
      this.looks = [];
    }
    setHidden(this.choice, !this.looks.length);
    this.figures.replaceChildren(...this.looks.map((look, at) => this.figure(look, at)));
  }

  /** @param {any} look @param {number} at */
  figure(look, at) {
    const radio = /** @type {HTMLInputElement} */ (make("input"));
    Object.assign(radio, { type: "radio", name: "figure", value: String(at), checked: at === 0, ariaLabel: t("Figure {number}", { number: at + 1 }) });
    const picture = Object.assign(new Image(48, 72), { alt: "", src: api.lookPicture("figure", look, this.visit.parts.run.name) });
    return make("label", "", radio, picture);
  }

  async submit() {
    this.enter.disabled = true;
    setText(this.failure, "");
    const chosen = /** @type {HTMLInputElement | null} */ (this.figures.querySelector(":checked"));
    try {
      await this.visit.enter(this.name.value.trim(), this.looks[Number(chosen?.value ?? -1)] ?? null);
      this.dialog.close();
    } catch (error) {
      setText(this.failure, complaint(error));
    } finally {
      this.enter.disabled = false;
    }
  }
}
