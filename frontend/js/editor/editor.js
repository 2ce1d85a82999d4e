/** The page on which worlds are copied and their residents edited: what is typed is checked as one types, and written on request. */

import * as api from "../data/api.js";
import { N_, complaint, t } from "../data/i18n.js";
import { button, byId, face, make, setText } from "../dom.js";
import { Painter } from "./painter.js";
import { sections } from "./form.js";
import { TownDesk } from "./town.js";
import { blank, called, check, copy, invent, list, live, newId, portrait, put, read, remove, rooms } from "./world.js";

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
    /** @type {() => void} what puts back the last change */
    this.undo = () => {};
    this.timer = 0;
    this.checks = 0;
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
    const desk = { world: this.world, changed: () => this.changed(), fixed: this.fixed };
    const form = content ? sections(desk, who, content) : [];
    byId("resident").replaceChildren(...form, this.buttons());
    this.saved = this.isNew ? "" : JSON.stringify(content); // the form fills in what was left out
    this.people();
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
    clearTimeout(this.timer);
    this.timer = setTimeout(() => void this.check(), PAUSE);
  }

  async check() {
    const number = ++this.checks;
    try {
      const { problems } = await check(this.world.id, this.who || newId(this.content, this.world.residents), this.content);
      if (number === this.checks) this.complain(problems);
    } catch (error) {
      this.say(complaint(error));
    }
  }

  async save() {
    const who = this.who || newId(this.content, this.world.residents);
    const before = this.world.residents[who];
    const undo = () => (before ? put(this.world, who, before) : remove(this.world, who));
    await this.carryOut(() => put(this.world, who, this.content), who, undo, t("Saved."));
  }

  async remove() {
    const [who, before] = [this.who, this.world.residents];
    const undo = async () => {
      let answer = await put(this.world, who, before[who]);
      for (const [other, content] of Object.entries(before))
        if (other !== who && who in (content.relations ?? {})) answer = await put({ ...this.world, versions: answer.versions }, other, content);
      return answer;
    };
    await this.carryOut(() => remove(this.world, who), "", undo, t("{name} no longer lives here.", { name: called(before[who].name, who) }));
  }

  /**
   * Changes the world and shows it as it is then.
   * @param {() => Promise<import("./world.js").People>} change @param {string} who is shown then @param {(() => Promise<any>) | null} undo @param {string} said
   */
  async carryOut(change, who, undo, said) {
    clearTimeout(this.timer);
    this.checks++;
    try {
      const { residents, versions, problems } = await change();
      Object.assign(this.world, { residents, versions });
      this.choose(who in residents ? who : Object.keys(residents)[0]);
      this.complain(problems);
      this.say(said, undo && button("", () => void this.carryOut(undo, this.who, null, t("As it was before.")), t("Undo")));
    } catch (error) {
      this.say(complaint(error));
    }
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
  setText(failure, "");
  const beside = window.open("about:blank", "hometown-try");
  try {
    const name = await live(world.id, world.langs.includes(lang) ? lang : world.langs[0], MORNING);
    const address = `./?name=${encodeURIComponent(name)}&lang=${lang}`;
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
  if (desk === "people") return void new Editor(world);
  byId("editor").classList.add("painting", desk);
  byId("painter").hidden = false;
  complain(id, world.problems, "");
  const [known, fixed] = [await rooms(id), !world.own || !allowed];
  const told = (/** @type {Problem[]} */ problems) => void complain(id, problems, "");
  if (desk === "town" && known.town) new TownDesk(world, known, known.town, fixed, told);
  else new Painter(world, known, fixed, told);
}

start().catch((error) => setText(byId("failure"), complaint(error)));
