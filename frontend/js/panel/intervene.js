/** The tab of interventions: an inner voice, an event, the state of an object, an object placed or removed, somebody who leaves, arrives or moves in, or a law. */

import * as api from "../data/api.js";
import { N_, complaint, t } from "../data/i18n.js";
import { Requests } from "../data/requests.js";
import { button, make, setText } from "../dom.js";
import { field, input, options, select } from "./form.js";
import { LawForm } from "./law.js";
import { RunBar } from "./run_bar.js";

const NEWS = 4000; // milliseconds between two requests for the inbox
const LONGEST = 500; // characters of an intervention's text

/** @typedef {"tell" | "set" | "event" | "place" | "remove" | "leave" | "arrive" | "settle" | "law"} Kind what can be entered on the page; `settle` is a law about who lives in town */
/** @typedef {{kind: Kind | "learn" | "visit" | "walk" | "say" | "give", target: string, text: string, memory: string, step: number, number: number, waiting: boolean, done: number}} Request `done` is the step that carried it out, 0 while it waits */
/** @typedef {import("./form.js").Group} Group */

/** Kinds that need no text beside their target. */
const WORDLESS = new Set(["remove", "leave", "arrive"]);

/** Kinds that are about a resident. */
const PERSONAL = new Set(["tell", "leave", "arrive", "learn", "visit", "walk", "say", "give"]);

/** Kinds that are tried first. */
const TRIED = new Set(["settle", "law"]);

export class InterveneTab {
  /** @param {import("../data/shapes.js").RunView} run @param {import("./tabs.js").Tabs} tabs @param {import("../data/live.js").Live} live @param {import("../plots/trial.js").TrialPlot} trial draws what would come of a law */
  constructor(run, tabs, live, trial) {
    this.id = "speak";
    this.label = t("Step in");
    this.icon = "speak";
    this.run = run;
    this.tabs = tabs;
    this.bar = new RunBar(live);
    this.refreshed = -Infinity;
    this.requests = new Requests(); // for the interventions
    this.resident = "";
    this.shown = "";
    this.kind = select([["", kinds().filter(([kind]) => kind !== "law" || run.society)]]);
    this.target = select([]);
    this.text = input("text", LONGEST);
    this.at = input("text", 14);
    this.at.placeholder = t("14:30, 20250214-05:00, or a step number");
    this.status = make("p", "speak-status");
    this.status.setAttribute("role", "status");
    this.list = make("ol", "speak-list");
    this.about = make("p", "speak-about");
    this.law = new LawForm(
      run,
      trial,
      (text, bad) => this.report(text, bad),
      (at) => (this.at.value = at),
    );
    this.send = button("primary wide", () => this.form.requestSubmit(), t("Add intervention"));
    this.textField = field(t("Text"), this.text);
    this.targetField = field(t("Resident, place or object"), this.target);
    this.form = /** @type {HTMLFormElement} */ (
      make(
        "form",
        "speak-form",
        field(t("Intervention"), this.kind),
        this.about,
        this.targetField,
        this.textField,
        field(t("Time (empty: next step)"), this.at),
        this.send,
      )
    );
    this.form.addEventListener("submit", (event) => (event.preventDefault(), void this.submit()));
    this.kind.addEventListener("change", () => this.choose());
    this.element = make("section", "speak", this.bar.element, this.form, this.status, make("h2", "", t("Interventions")), this.list);
    this.choose();
  }

  /** Offers the targets that fit the chosen kind. */
  choose() {
    const kind = /** @type {Kind} */ (this.kind.value);
    const before = this.target.value;
    const law = TRIED.has(kind);
    this.targetField.hidden = law;
    if (law) {
      this.textField.after(this.law.element);
      this.law.open(kind === "settle");
    } else this.law.element.remove();
    this.target.replaceChildren(...options(this.groups(kind)));
    if ([...this.target.options].some((option) => option.value === before)) this.target.value = before;
    this.textField.hidden = law || WORDLESS.has(kind);
    this.text.required = !law && !WORDLESS.has(kind) && kind !== "set";
    setText(this.about, hints()[kind]);
  }

  /** Fills in what was chosen on the map, to be sent or changed. @param {Kind} kind @param {string} target @param {string} text */
  prepare(kind, target, text) {
    this.kind.value = kind;
    this.choose();
    this.target.value = target;
    this.text.value = text;
    (this.text.required && !text ? this.text : this.send).focus();
  }

  /** @param {Kind} kind @returns {Group[]} */
  groups(kind) {
    if (TRIED.has(kind)) return [];
    if (PERSONAL.has(kind)) return [["", this.run.residents.map((resident) => [resident.id, resident.name])]];
    if (kind === "place") return [["", Object.entries(this.run.places)]];
    const own = /** @type {Group[]} */ (
      Object.entries(this.run.places).map(([arena, name]) => {
        const things = Object.entries(this.run.things).filter(([address, thing]) => address.startsWith(`${arena}/`) && thing.until === undefined);
        return [name, [...(kind === "event" ? [[arena, name]] : []), ...things.map(([address, thing]) => [address, thing.name])]];
      })
    );
    return own.filter(([, items]) => items.length > 0);
  }

  /** @param {import("./tabs.js").Context} context */
  show(context) {
    const { resident } = context;
    this.bar.show(context);
    if (resident && resident !== this.resident && this.kind.value === "tell") this.target.value = resident;
    this.resident = resident;
    const now = performance.now();
    if (now - this.refreshed < NEWS) return;
    this.refreshed = now;
    void this.refresh();
  }

  /** Shows the interventions, unless they are asked for again meanwhile: an older answer may come later. */
  async refresh() {
    const isLatest = this.requests.begin();
    try {
      const requests = await api.interventions(this.run.name);
      if (isLatest()) this.fill(requests);
    } catch (error) {
      if (!isLatest()) return;
      this.shown = "";
      this.list.replaceChildren(make("li", "speak-none", complaint(error)));
    }
  }

  /** @param {Request[]} requests */
  fill(requests) {
    const shown = JSON.stringify([requests, this.tabs.parts.frames.finished]);
    if (shown === this.shown) return;
    this.shown = shown;
    this.list.replaceChildren(...requests.map((item) => this.row(item)));
    if (!requests.length) this.list.append(make("li", "speak-none", t("No interventions yet.")));
  }

  /** @param {Request} request */
  row(request) {
    const name = this.tabs.residents.get(request.target)?.name ?? this.run.things[request.target]?.name ?? this.run.places[request.target] ?? request.target;
    const kind = Object.fromEntries([...kinds(), ...entered()])[request.kind === "law" && request.text.includes('"residents"') ? "settle" : request.kind];
    const item = make("li", request.waiting ? "waiting" : "", make("b", "", name ? `${kind} · ${name}` : kind), make("span", "", this.words(request)));
    item.append(request.waiting ? this.waiting(request) : this.done(request));
    return item;
  }

  /** What is shown of the words of an intervention. @param {Request} request */
  words({ kind, text, memory }) {
    if (kind === "law") return memory;
    if (kind === "visit") return "";
    return kind === "walk" ? (this.run.places[text] ?? text) : text;
  }

  /** What an intervention waits for, and how it is taken back. @param {Request} request */
  waiting({ number, step }) {
    const { time, frames } = this.tabs.parts;
    const when = { time: time.stamp((step - 1) * this.run.ticks) };
    const words = !step
      ? t("waiting for the next step")
      : t(frames.finished || step > this.run.planned ? N_("waiting for {time}, after the run’s end") : N_("waiting for {time}"), when);
    const take = async () => {
      try {
        await api.withdraw(this.run.name, number);
        this.report(t("withdrawn"), false);
      } catch (error) {
        this.report(complaint(error), true);
      }
      await this.refresh();
    };
    return make(
      "small",
      "",
      words,
      " ",
      button("link", () => void take(), t("Withdraw")),
    );
  }

  /** That an intervention has happened, which leads to its moment and place. @param {Request} request */
  done({ done, kind, target }) {
    const { time, navigation } = this.tabs.parts;
    if (!done) return make("small", "", t("took effect"));
    const tick = (done - 1) * this.run.ticks;
    if (kind === "law")
      return make(
        "small",
        "",
        t("took effect"),
        " ",
        button("moment", () => navigation.seek(tick), time.stamp(tick)),
      );
    const go = () => (navigation.seek(tick), PERSONAL.has(kind) ? navigation.show(target) : navigation.visit(target));
    return make("small", "", t("took effect"), " ", button("moment", go, time.stamp(tick)));
  }

  async submit() {
    if (TRIED.has(this.kind.value)) return this.enter(() => this.law.enter(this.at.value.trim()));
    const words = this.text.value;
    const text = WORDLESS.has(this.kind.value) ? this.target.value : `${this.target.value}: ${words}`;
    return this.enter(async () => {
      await api.intervene(this.run.name, { kind: this.kind.value, text, at: this.at.value.trim() });
      if (this.text.value === words) this.text.value = ""; // or it is the next one
    });
  }

  /** Sends something to the town, and tells what came of it. @param {() => Promise<void>} sending */
  async enter(sending) {
    this.send.disabled = true;
    try {
      await sending();
      this.report(
        t(
          this.bar.doing === "running"
            ? N_("Added: it takes effect when the run reaches its step.")
            : N_("Added. The run rests: let it go on, so that it happens."),
        ),
        false,
      );
      await this.refresh();
    } catch (error) {
      this.report(complaint(error), true);
    } finally {
      this.send.disabled = false;
    }
  }

  /** @param {string} text @param {boolean} bad */
  report(text, bad) {
    setText(this.status, text);
    this.status.classList.toggle("bad", bad);
    this.status.scrollIntoView({ block: "nearest" });
  }
}

/** @returns {[string, string][]} */
function kinds() {
  return [
    ["tell", t("Inner voice")],
    ["event", t("Event")],
    ["set", t("State of an object")],
    ["place", t("New object")],
    ["remove", t("Remove an object")],
    ["leave", t("Somebody leaves town")],
    ["arrive", t("Somebody comes back")],
    ["settle", t("Somebody moves in")],
    ["law", t("Change the rules")],
  ];
}

/** What is entered on the command line: files to learn, and what visitors do. @returns {[string, string][]} */
function entered() {
  return [
    ["learn", t("Learn a file")],
    ["visit", t("Enters the town")],
    ["walk", t("Walks")],
    ["say", t("Says")],
    ["give", t("Hands over")],
  ];
}

/** @returns {Record<Kind, string>} */
function hints() {
  return {
    tell: t("Becomes a memory of this resident, who then reconsiders the plan for the day. Nobody else hears it."),
    event: t("Everyone who can see the place perceives it."),
    set: t("Residents nearby see it, and so do those who come to use the object. An empty text restores its normal state."),
    place: t("The text is the object’s name."),
    remove: t("Residents who knew it notice that it is gone."),
    leave: t("Is nowhere in town from then on; whoever agreed to meet waits in vain."),
    arrive: t("Comes back where it left, and goes home."),
    settle: t("A new resident, for good: with a home, a bed of its own there, and a life. It is there in the same step, and everybody hears of it."),
    law: t("Recipes, goods, shops, needs, and what people see to. A copy of the town as it is now tries it for two weeks before you decide."),
  };
}
