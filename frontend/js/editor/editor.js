/** The page on which worlds are copied and their residents edited: what is typed is checked as one types, and written on request. */

import * as api from "../data/api.js";
import { N_, complaint, t } from "../data/i18n.js";
import { Refused } from "../data/refusals.js";
import { Requests } from "../data/requests.js";
import { button, byId, face, make, setText } from "../dom.js";
import { sections } from "./form.js";
import { Painter } from "./painter.js";
import { TownDesk } from "./town.js";
import { offerUndo, readAgain, showUndo, takeBack } from "./undo.js";
import { CHANGED, blank, called, check, copy, invent, list, live, newId, portrait, put, read, remove, rooms } from "./world.js";

/** @type {Record<string, string>} */
const LEVELS = {
  error: N_("Error:"),
  warning: N_("Warning:"),
};

/** @typedef {import("./world.js").Problem} Problem */

const MORNING = 6; // hours that a world is tried for
const PAUSE = 500; // milliseconds without a change after which the world is checked
const lang = document.documentElement.lang;
const allowed = "mayChange" in document.body.dataset;

class Editor {
  /** @param {import("./world.js").World} world */
  constructor(world) {
    this.world = world;
    this.fixed = !world.own || !allowed;
    this.who = "";
    this.isNew = false;
    /** @type {any} */
    this.content = null;
    this.timer = 0; // of the check, while one is typing
    this.settled = ""; // the content before that
    /** @type {string[]} */
    this.steps = []; // contents before the unsaved changes
    this.checks = new Requests();
    this.page = /** @type {HTMLElement} */ (document.querySelector("main")); // inert while it is being changed
    window.addEventListener("beforeunload", (event) => this.unsaved && event.preventDefault());
    byId("resident").addEventListener("submit", (/** @type {Event} */ event) => (event.preventDefault(), void this.save()));
    this.choose(Object.keys(world.residents)[0] ?? "");
    this.complain(world.problems);
  }

  get unsaved() {
    return Boolean(this.content) && JSON.stringify(this.content) !== this.saved;
  }

  people() {
    const entries = Object.entries(this.world.residents).map(([who, { name }]) => {
      const entry = button(
        "quiet",
        () => this.leave(() => this.choose(who)),
        face({ name: called(name, who), portrait: portrait(this.world, who) }, 36),
        make("span", "", called(name, who)),
      );
      if (who === this.who) entry.setAttribute("aria-current", "true");
      return make("li", "", entry);
    });
    const add = button("", () => this.leave(() => void this.invent()), t("New resident"));
    byId("people").replaceChildren(...entries, ...(this.fixed ? [] : [make("li", "", add)]));
  }

  /** Does something else; what is not saved is only given up on request. @param {() => void} then */
  leave(then) {
    if (!this.unsaved || confirm(t("There are unsaved changes to this resident. Leave them?"))) then();
  }

  /** @param {string} who */
  choose(who) {
    this.isNew = false;
    this.show(who, structuredClone(this.world.residents[who] ?? null));
  }

  /** Shows somebody invented, who moves in once they are saved. */
  async invent() {
    try {
      const content = await invent(this.world.id);
      this.isNew = true;
      this.show("", content);
      void this.check();
    } catch (error) {
      this.say(complaint(error));
    }
  }

  /** @param {string} who @param {any} content */
  show(who, content) {
    this.who = who;
    this.content = content;
    this.steps = [];
    this.render();
    this.saved = this.isNew ? "" : this.settled;
    this.people();
  }

  /** Shows the form, with the sections open that were. */
  render() {
    const form = byId("resident");
    const opened = [...form.querySelectorAll(":scope > details")].map((section) => /** @type {HTMLDetailsElement} */ (section).open);
    const desk = { world: this.world, changed: () => this.changed(), fixed: this.fixed };
    const all = this.content ? sections(desk, this.who, this.content) : [];
    opened.forEach((open, at) => all[at] && (all[at].open = open));
    form.replaceChildren(...all, this.buttons());
    this.settled = JSON.stringify(this.content); // the form fills in what was left out
    showUndo(this.world, Boolean(this.steps.length));
  }

  buttons() {
    if (this.fixed)
      return make(
        "p",
        "acts",
        allowed
          ? t("The world “{name}” comes with Hometown and stays as it is: copy it to change it.", { name: this.world.id })
          : t("You are not signed in: open the address that the terminal printed, or enter the password."),
      );
    if (!this.content) return make("p", "acts", make("span", "said", t("Nobody lives here yet.")));
    const save = button("primary", () => {}, t("Save"));
    save.type = "submit";
    const gone = button("", () => void this.remove(), t("Remove this resident"));
    const found = /** @type {HTMLAnchorElement} */ (make("a", "found"));
    found.href = "#problems";
    return make("p", "acts", found, make("span", "said"), !this.isNew && gone, save);
  }

  changed() {
    if (!this.timer) this.steps.push(this.settled);
    clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      this.settle();
      this.settled = JSON.stringify(this.content);
      void this.check();
    }, PAUSE);
    showUndo(this.world, true);
  }

  /** Ends what is being typed. */
  settle() {
    clearTimeout(this.timer);
    this.timer = 0;
  }

  /** Takes the last change back: one that is not saved, or else the last one of the world. */
  takeBack() {
    if (this.page.inert) return;
    this.settle();
    const before = this.steps.pop();
    if (before === undefined) return void this.undo();
    this.content = JSON.parse(before);
    this.render();
    void this.check();
  }

  async undo() {
    const { versions } = this.world;
    const changed = () => Object.keys(this.world.versions).find((who) => versions[who] !== this.world.versions[who]) ?? this.who;
    await this.carryOut(() => takeBack(this.world), changed, t("As it was before."));
  }

  /** Shows the residents as they are now, if another editor has changed them. */
  async refresh() {
    const before = JSON.stringify(this.world.versions);
    if (this.unsaved) return;
    await readAgain(this.world);
    if (JSON.stringify(this.world.versions) !== before && !this.unsaved) this.showChosen(this.who);
  }

  async check() {
    const isLatest = this.checks.begin();
    try {
      const { problems } = await check(this.world.id, this.who || newId(this.content, this.world.residents), this.content);
      if (isLatest()) this.complain(problems);
    } catch (error) {
      if (isLatest()) this.say(complaint(error));
    }
  }

  async save() {
    const who = this.who || newId(this.content, this.world.residents);
    await this.carryOut(
      () => put(this.world, who, this.content),
      () => who,
      t("Saved."),
    );
  }

  async remove() {
    const said = t("{name} no longer lives here.", { name: called(this.content.name, this.who) });
    await this.carryOut(
      () => remove(this.world, this.who),
      () => "",
      said,
    );
  }

  /**
   * Changes the world and shows it as it is then; until then nothing else can be changed.
   * @param {() => Promise<import("./world.js").People>} change @param {() => string} who is shown then @param {string} said
   */
  async carryOut(change, who, said) {
    if (this.page.inert) return;
    this.settle();
    this.checks.begin();
    const focused = /** @type {HTMLElement | null} */ (document.activeElement);
    this.page.inert = true;
    try {
      const { residents, versions, problems, undo } = await change();
      Object.assign(this.world, { residents, versions, undo });
      this.showChosen(who());
      this.complain(problems);
      this.say(said);
    } catch (error) {
      if (error instanceof Refused && error.status === CHANGED) await this.giveWay();
      else this.say(complaint(error));
    } finally {
      this.page.inert = false;
      focused?.focus();
    }
  }

  /** Shows a resident, or the first where there is none of that id. @param {string} who */
  showChosen(who) {
    this.choose(who in this.world.residents ? who : Object.keys(this.world.residents)[0]);
  }

  /** Lets the user choose between what they wrote and what another editor has saved meanwhile. */
  async giveWay() {
    await readAgain(this.world);
    this.people();
    showUndo(this.world, Boolean(this.steps.length));
    const said = t("Another person or program has changed this meanwhile. Save again to keep your version, or show theirs.");
    this.say(
      said,
      button("", () => this.showChosen(this.who), t("Show theirs")),
    );
  }

  /** @param {string} text @param {Node | null} [more] */
  say(text, more = null) {
    document.querySelector("#resident .said")?.replaceChildren(make("span", "", text), more ?? "");
  }

  /** @param {Problem[]} problems */
  complain(problems) {
    const headline = complain(this.world.id, problems, `residents/${this.who || newId(this.content ?? {}, this.world.residents)}.json: `);
    document.querySelector("#resident .found")?.replaceChildren(headline);
  }
}

/** Shows what is wrong, what concerns the place that is shown first, and gives the headline. @param {string} world @param {Problem[]} problems @param {string} here how what is said of that place begins */
function complain(world, problems, here) {
  const ours = problems.filter(({ line }) => here && line.includes(here));
  const items = [...ours, ...problems.filter((problem) => !ours.includes(problem))].map(({ level, line }) =>
    make("li", level, make("b", "", t(LEVELS[level])), " ", line.replace(`${world}/`, "").replace(here, "")),
  );
  const headline = problems.length ? t("Problems: {count}", { count: problems.length }) : t("No problems");
  byId("problems").replaceChildren(make("h2", "", headline), make("ul", "", ...items));
  return headline;
}

/** The worlds, to be edited or copied. */
async function chooser() {
  const cards = (await list()).map(({ id, own, names }) => {
    const name = called(names, id);
    const open = /** @type {HTMLAnchorElement} */ (make("a", "quiet", t(own ? N_("Edit") : N_("Look"))));
    open.href = `edit?world=${encodeURIComponent(id)}&lang=${lang}`;
    const copying = button("", () => askForName(id), t("Copy"));
    const acts = make("div", "acts", open, allowed && copying);
    const picture = Object.assign(new Image(), { src: `${api.API}/worlds/${encodeURIComponent(id)}/picture`, alt: "", className: "picture" });
    picture.addEventListener("error", () => picture.classList.add("none"));
    return make("li", "", make("article", "card", picture, make("h2", "", name), make("p", "world", own ? id : `${id} · ${t("comes with Hometown")}`), acts));
  });
  if (allowed) byId("new-world").onclick = () => newWorld();
  byId("new-world").hidden = !allowed;
  byId("worlds").replaceChildren(...cards);
  byId("worlds").hidden = false;
}

/** @param {string} world */
function askForName(world) {
  ask(byId("copy"), `${world}-2`, "", (name) => copy(world, name));
}

function newWorld() {
  const dialog = byId("blank");
  const field = (/** @type {string} */ name) => dialog.querySelector(`[name=${name}]`).value;
  ask(dialog, "", "&town=1", (name) => blank(name, field("langs").split(" "), field("size").split(" ").map(Number)));
}

/** Asks for the name of a new world, and opens that. @param {any} dialog @param {string} name @param {string} desk @param {(name: string) => Promise<{id: string}>} create */
function ask(dialog, name, desk, create) {
  const failure = dialog.querySelector(".failure");
  setText(failure, "");
  dialog.querySelector("[name=name]").value = name;
  dialog.querySelector("form").onsubmit = async (/** @type {Event} */ event) => {
    event.preventDefault();
    try {
      const { id } = await create(dialog.querySelector("[name=name]").value.trim());
      location.href = `edit?world=${encodeURIComponent(id)}&lang=${lang}${desk}`;
    } catch (error) {
      setText(failure, complaint(error));
    }
  };
  dialog.showModal();
  dialog.querySelector("[name=name]").select();
}

/** Lives a morning of the world by rules, in a window beside this one. @param {import("./world.js").World} world */
async function tryOut(world) {
  const failure = byId("failure");
  setText(failure, Object.keys(world.residents).length ? "" : t("Nobody lives here yet."));
  if (failure.textContent) return;
  const beside = window.open("about:blank", "hometown-try");
  beside?.document.body.replaceChildren(t("Loading …"));
  try {
    const name = await live(world.id, world.langs.includes(lang) ? lang : world.langs[0], MORNING);
    const address = `./?name=${encodeURIComponent(name)}&lang=${lang}&step=1`;
    if (beside) beside.location.href = new URL(address, location.href).href;
    else location.href = address;
  } catch (error) {
    beside?.close();
    setText(failure, complaint(error));
  }
}

async function start() {
  await api.words(lang);
  document.addEventListener("click", (event) => /** @type {HTMLElement} */ (event.target).closest(".close")?.closest("dialog")?.close());
  const id = document.body.dataset.world;
  if (!id) return chooser();
  const world = await read(id);
  setText(byId("title"), called(world.names, id));
  document.title = `${called(world.names, id)} · ${document.title}`;
  byId("editor").hidden = false;
  byId("desks").hidden = false;
  byId("try").hidden = !allowed;
  byId("try").onclick = () => void tryOut(world);
  const asked = new URL(location.href).searchParams;
  const desk = asked.has("town") ? "town" : asked.has("rooms") ? "rooms" : "people";
  for (const link of document.querySelectorAll("[data-desk]")) {
    const { dataset } = /** @type {HTMLElement} */ (link);
    if (dataset.desk === desk) link.setAttribute("aria-current", "page");
    /** @type {HTMLElement} */ (link).hidden = dataset.desk === (world.planned ? "rooms" : "town");
  }
  const opened = desk === "people" ? new Editor(world) : await openMap(world, desk === "town");
  window.addEventListener("focus", () => void opened.refresh());
  if (world.own && allowed) offerUndo(() => opened.takeBack());
  showUndo(world);
}

/** Opens the desk for a map. @param {import("./world.js").World} world @param {boolean} whole whether the whole map is to be drawn on */
async function openMap(world, whole) {
  byId("editor").classList.add("painting", whole ? "town" : "rooms");
  byId("painter").hidden = false;
  complain(world.id, world.problems, "");
  const [known, fixed] = [await rooms(world.id), !world.own || !allowed];
  const told = (/** @type {Problem[]} */ problems) => void complain(world.id, problems, "");
  return whole && known.town ? new TownDesk(world, known, known.town, fixed, told) : new Painter(world, known, fixed, told);
}

start().catch((error) => setText(byId("failure"), complaint(error)));
