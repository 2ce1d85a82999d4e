/**
 * A law for the town, or somebody who moves in: in words, of which a model drafts it, by the fields of an entry, or as JSON; tried on a copy of the town
 * before it is entered.
 */

import * as api from "../data/api.js";
import { N_, complaint, t } from "../data/i18n.js";
import { Requests } from "../data/requests.js";
import { button, make, setText } from "../dom.js";
import { field, input, options, select } from "./form.js";
import { fieldsOf } from "./law_fields.js";

const LONGEST = 500; // characters of words
const SECTIONS = {
  fixtures: N_("Things and shops"),
  recipes: N_("Recipes"),
  kinds: N_("Goods"),
  needs: N_("Needs"),
  people: N_("People"),
  houses: N_("Houses"),
  seasons: N_("Seasons"),
  weather: N_("Weather"),
};

/** @typedef {{path: string, name: string, entry: Record<string, any>}} Entry */
/** @typedef {{patch?: string, changes?: string[], faults?: string[], says?: string, at?: string, day?: number, days?: number, harmless?: boolean, breaches?: string[]}} Answer */

export class LawForm {
  /** @param {import("../data/shapes.js").RunView} run @param {import("../plots/trial.js").TrialPlot} plot @param {(text: string, bad: boolean) => void} report @param {(at: string) => void} time sets when it is to hold */
  constructor(run, plot, report, time) {
    this.run = run.name;
    this.society = run.society;
    this.settles = false; // whether it is about somebody who moves in
    this.report = report;
    this.time = time;
    this.requests = new Requests(); // drafts and trials
    this.waits = false; // for one of them
    /** @type {Entry[]} */
    this.entries = [];
    this.words = input("text", LONGEST);
    this.draft = button("", () => void this.drafted(), t("Draft"));
    this.entry = select([]);
    this.entry.addEventListener("change", () => this.choose());
    this.fields = make("div", "law-fields");
    this.patch = /** @type {HTMLTextAreaElement} */ (make("textarea", "law-patch"));
    this.patch.rows = 6;
    this.patch.spellcheck = false;
    this.patch.addEventListener("input", () => this.renew());
    this.patchField = field(t("What differs; null takes away"), this.patch);
    this.json = /** @type {HTMLDetailsElement} */ (make("details", "law-json", make("summary", "", t("As JSON")), this.patchField));
    this.entryField = field(t("Or change an entry"), this.entry);
    this.says = input("text", LONGEST);
    this.try = button("wide", () => void this.tried(), t("Try it for two weeks"));
    this.meter = /** @type {HTMLProgressElement} */ (make("progress", "law-progress"));
    this.meter.setAttribute("aria-label", t("Try it for two weeks"));
    this.found = make("ul", "law-found");
    this.force = input("checkbox", 0);
    this.insist = make("label", "law-insist", this.force, t("Enter it all the same"));
    this.plot = plot;
    this.element = make(
      "div",
      "law",
      field(t("In words"), this.words),
      this.draft,
      this.entryField,
      this.fields,
      this.json,
      field(t("How people are told (empty: in these words)"), this.says),
      this.try,
      this.meter,
      this.found,
      this.plot.element,
      this.insist,
    );
    this.renew();
  }

  /** Shows the form for a law, or for somebody who moves in; what was written for the other is dropped. @param {boolean} settles */
  open(settles) {
    if (settles !== this.settles) this.clear();
    this.settles = settles;
    for (const part of [this.entryField, this.fields]) part.hidden = settles;
    this.words.placeholder = t(settles ? N_("e.g. Mira Voss, a weaver of 34, moves in with …") : N_("e.g. from tomorrow the mill is closed on Sundays"));
    setText(
      /** @type {HTMLElement} */ (this.patchField.firstElementChild),
      t(settles ? N_("The resident’s file, as in a world’s folder, by its id") : N_("What differs; null takes away")),
    );
    setText(this.try, t(this.society ? N_("Try it for two weeks") : N_("Check it")));
    if (!settles) void this.list();
  }

  /** Reads the book as it is now, when it is first needed, and after each law. */
  async list() {
    if (this.entries.length) return;
    try {
      this.entries = await api.laws(this.run);
    } catch (error) {
      this.report(complaint(error), true);
      return;
    }
    const of = (/** @type {string} */ section) =>
      this.entries.filter(({ path }) => path.startsWith(`${section}/`)).map(({ path, name }) => /** @type {[string, string]} */ ([path, name]));
    const groups = Object.entries(SECTIONS).map(([section, label]) => /** @type {import("./form.js").Group} */ ([t(label), of(section)]));
    this.entry.replaceChildren(new Option(t("Choose …"), ""), ...options(groups.filter(([, items]) => items.length)));
  }

  /** Shows the fields of the entry that is chosen. */
  choose() {
    const chosen = this.entries.find(({ path }) => path === this.entry.value);
    const names = new Map(this.entries.filter(({ path }) => path.startsWith("kinds/")).map(({ path, name }) => [path.slice(6), name]));
    const [section, id] = split(this.entry.value);
    const made = chosen ? fieldsOf(section, chosen.entry, names, (path, value) => this.change([section, id, ...path], value)) : [];
    this.fields.replaceChildren(...made);
    if (chosen) this.fields.append(button("link", () => this.change([section, id], null), t("Take this entry away")));
  }

  /** Writes a value into the patch, or takes it out again. @param {string[]} path @param {unknown} value undefined where it is as it was */
  change(path, value) {
    const patch = this.read();
    const last = /** @type {string} */ (path.at(-1));
    let into = patch;
    for (const key of path.slice(0, -1)) into = into[key] = into[key] && typeof into[key] === "object" ? into[key] : {};
    if (value === undefined) delete into[last];
    else into[last] = value;
    this.write(patch);
  }

  /** The patch as it stands; an empty one where it cannot be read. @returns {Record<string, any>} */
  read() {
    try {
      return JSON.parse(this.patch.value || "{}");
    } catch {
      return {};
    }
  }

  /** @param {Record<string, any>} patch */
  write(patch) {
    const left = pruned(patch);
    this.patch.value = Object.keys(left).length ? JSON.stringify(left, null, 1) : "";
    this.renew();
  }

  /** What was found of another patch no longer counts, nor what is on its way. */
  renew() {
    this.rest();
    this.found.replaceChildren();
    this.plot.destroy();
    this.force.checked = false;
    this.insist.hidden = true;
  }

  /** Has the law drafted; what is written by hand meanwhile stays. */
  drafted() {
    return this.wait(this.draft, t("Drafting …"), async (isLatest) => {
      const found = /** @type {Answer} */ (await api.draftLaw(this.run, this.words.value, this.settles ? "residents" : ""));
      if (!isLatest()) return;
      this.write(JSON.parse(found.patch ?? "{}"));
      this.json.open = true;
      if (found.at) this.time(found.at);
      this.tell(found);
      this.report(t("Drafted: look at it, and try it."), false);
    });
  }

  /** Tries the law, and draws what comes of it. */
  tried() {
    this.renew();
    return this.wait(this.try, t("A copy of the town is trying it …"), (isLatest) =>
      api.tryLaw(this.run, this.patch.value, (line) => isLatest() && this.tell(line)),
    );
  }

  /** Waits for what is asked for, unless the patch is changed meanwhile. @param {HTMLButtonElement} control @param {string} words said meanwhile @param {(isLatest: () => boolean) => Promise<void>} act */
  async wait(control, words, act) {
    this.rest();
    const isLatest = this.requests.begin();
    this.waits = control.disabled = true;
    this.report(words, false);
    let problem = "";
    try {
      await act(isLatest);
    } catch (error) {
      problem = complaint(error);
    }
    if (!isLatest()) return;
    this.rest();
    if (problem) this.report(problem, true);
  }

  /** Waits for nothing any more. */
  rest() {
    this.requests.begin();
    if (this.waits) this.report("", false);
    this.waits = this.draft.disabled = false;
    this.try.disabled = !this.patch.value.trim();
    this.meter.hidden = true;
  }

  /** One line of an answer: what differs, a day that was lived, or what came of it. @param {Answer} line */
  tell(line) {
    const { changes = [], faults = [], breaches = [] } = line;
    this.found.append(...changes.map((text) => make("li", "law-change", text)), ...[...faults, ...breaches].map((text) => make("li", "bad", text)));
    if (line.says) this.says.placeholder = line.says;
    if (line.day) Object.assign(this.meter, { hidden: false, max: line.days, value: line.day });
    if (line.harmless === undefined) return;
    if (line.harmless) this.found.append(make("li", "good", t(this.society ? N_("Nothing breaks, nor will it in the long run.") : N_("That can be."))));
    this.insist.hidden = line.harmless;
    if (this.society) this.plot.fill(/** @type {any} */ (line));
  }

  /** Enters the law. @param {string} at */
  async enter(at) {
    await api.enactLaw(this.run, { patch: this.patch.value, say: this.says.value.trim(), at, force: this.force.checked });
    this.entries = [];
    this.clear();
    if (this.settles) return;
    await this.list();
    this.choose();
  }

  clear() {
    for (const control of [this.words, this.patch, this.says]) control.value = "";
    this.says.placeholder = "";
    this.json.open = false;
    this.renew();
  }
}

/** Section and id of an entry. @param {string} path @returns {[string, string]} */
function split(path) {
  const at = path.indexOf("/");
  return [path.slice(0, at), path.slice(at + 1)];
}

/** A patch without objects that say nothing. @param {Record<string, any>} patch @returns {Record<string, any>} */
function pruned(patch) {
  const kept = Object.entries(patch).map(([key, value]) => [key, value && typeof value === "object" && !Array.isArray(value) ? pruned(value) : value]);
  return Object.fromEntries(kept.filter(([, value]) => !(value && typeof value === "object" && !Array.isArray(value) && !Object.keys(value).length)));
}
