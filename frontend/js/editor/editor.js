/** The page on which worlds are copied and their residents edited: what is typed is checked as one types, and written on request. */

import * as api from "../data/api.js";
import { N_, complaint, t } from "../data/i18n.js";
import { button, byId, face, make, setText } from "../dom.js";
import { sections } from "./form.js";
import { Painter } from "./painter.js";
import { called, check, copy, list, newId, put, read, remove, rooms, somebody } from "./world.js";

/** @type {Record<string, string>} */
const LEVELS = {
  error: N_("Error:"),
  warning: N_("Warning:"),
};

/** @typedef {import("./world.js").Problem} Problem */

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
    const { id, residents } = this.world;
    const entries = Object.entries(residents).map(([who, { name }]) => {
      const portrait = `${api.API}/worlds/${encodeURIComponent(id)}/portraits/${encodeURIComponent(who)}.png`;
      const entry = button(
        "quiet",
        () => this.leave(() => this.choose(who)),
        face({ name: called(name, who), portrait }, 36),
        make("span", "", called(name, who)),
      );
      if (who === this.who) entry.setAttribute("aria-current", "true");
      return make("li", "", entry);
    });
    const add = button("", () => this.leave(() => this.invent()), t("New resident"));
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

  invent() {
    this.isNew = true;
    this.show("", somebody(this.world));
    void this.check();
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
  byId("worlds").replaceChildren(...cards);
  byId("worlds").hidden = false;
}

/** @param {string} world */
function askForName(world) {
  const dialog = byId("copy");
  const failure = dialog.querySelector(".failure");
  setText(failure, "");
  dialog.querySelector("input").value = `${world}-2`;
  dialog.querySelector("form").onsubmit = async (/** @type {Event} */ event) => {
    event.preventDefault();
    try {
      const { id } = await copy(world, dialog.querySelector("input").value.trim());
      location.href = `edit?world=${encodeURIComponent(id)}&lang=${lang}`;
    } catch (error) {
      setText(failure, complaint(error));
    }
  };
  dialog.showModal();
  dialog.querySelector("input").select();
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
  const painting = new URL(location.href).searchParams.has("rooms");
  document.querySelector(`#desks [data-desk=${painting ? "rooms" : "people"}]`)?.setAttribute("aria-current", "page");
  if (!painting) return void new Editor(world);
  byId("editor").classList.add("painting");
  byId("painter").hidden = false;
  complain(world.id, world.problems, "");
  new Painter(world, await rooms(id), !world.own || !allowed, (problems) => complain(id, problems, ""));
}

start().catch((error) => setText(byId("failure"), complaint(error)));
