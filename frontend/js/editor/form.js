/** The form of one resident: who it is, where it lives, its usual day, what it thinks of others, and what it remembers. */

import { N_, P_, t } from "../data/i18n.js";
import { make } from "../dom.js";
import { choice, labelled, line, lists, named, optionalTexts, rows, texts } from "./fields.js";
import { looks } from "./look.js";
import { called, portrait } from "./world.js";

const CHARACTER = {
  innate: N_("Character"),
  learned: N_("History and skills"),
  lifestyle: N_("Habits, in a sentence"),
  daily_plan: N_("A usual day, in a sentence"),
  currently: N_("Current concerns"),
};

/** @typedef {import("./fields.js").Desk} Desk */

const PRONOUNS = {
  she: { en: ["she", "her", "her"], zh: ["她"] },
  he: { en: ["he", "him", "his"], zh: ["他"] },
  they: { en: ["they", "them", "their"], zh: ["他"] },
};
const DAYS = {
  mon: N_("Mon"),
  tue: N_("Tue"),
  wed: N_("Wed"),
  thu: N_("Thu"),
  fri: N_("Fri"),
  sat: N_("Sat"),
  sun: N_("Sun"),
};
const TIME = { type: "time", required: true };

/** All sections. @param {Desk} desk @param {string} who @param {any} content */
export function sections(desk, who, content) {
  return [
    section(N_("Who this is"), true, looks(desk, content, who && portrait(desk.world, who)), ...person(desk, content)),
    section(N_("Home, times and interests"), true, ...home(desk, content)),
    section(N_("The usual day"), false, ...day(desk, content)),
    section(N_("What others are to this resident"), false, ...others(desk, who, content)),
    section(N_("Memories to begin with"), false, ...memories(desk, content)),
  ];
}

/** @param {string} title @param {boolean} open @param {...HTMLElement} fields */
function section(title, open, ...fields) {
  const element = /** @type {HTMLDetailsElement} */ (make("details", "", make("summary", "", t(title)), ...fields));
  element.open = open;
  return element;
}

/** @param {Desk} desk @param {any} content */
function person(desk, content) {
  const short = make("div", "short", labelled(t("Age"), line(desk, content, "age", { type: "number", min: "0", max: "120" })), pronouns(desk, content));
  /** @type {HTMLElement[]} */
  const long = Object.entries(CHARACTER).map(([key, label]) => texts(desk, content, key, t(label), key === "learned" ? 4 : 2));
  const candour = line(desk, content, "candour", { type: "range", min: "0", max: "10", value: content.candour ?? 5 });
  long.splice(1, 0, labelled(t("Candour, from keeping the peace to speaking plainly"), candour));
  return [texts(desk, content, "name", t(P_("of a resident", "Name"))), short, texts(desk, content, "occupation", t("Occupation")), ...long];
}

/** @param {Desk} desk @param {any} content */
function pronouns(desk, content) {
  const known = Object.entries(PRONOUNS);
  const now =
    known.find(([, { en, zh }]) => (content.pronouns?.en?.[0] ?? "") === en[0] || (!content.pronouns?.en && content.pronouns?.zh?.[0] === zh[0]))?.[0] ??
    "they";
  const options = known.map(([key, { en, zh }]) => /** @type {[string, string]} */ ([key, desk.world.langs.includes("en") ? en.join(" / ") : zh[0]]));
  const set = (/** @type {string} */ key) => {
    const all = /** @type {Record<string, any>} */ (PRONOUNS)[key];
    content.pronouns = Object.fromEntries(desk.world.langs.map((lang) => [lang, all[lang]]));
  };
  return labelled(t("Pronouns"), choice(desk, now, options, set));
}

/** @param {Desk} desk @param {any} content */
function home(desk, content) {
  const { world } = desk;
  const beds = named(
    world,
    world.things.filter((thing) => thing.bed),
  );
  const sleeps = choice(desk, content.sleeps, beds, (bed) => Object.assign(content, { sleeps: bed, home: bed.split("/").slice(0, 2).join("/") }));
  const times = make(
    "div",
    "short",
    labelled(t("Gets up at"), line(desk, content, "wake", TIME)),
    labelled(t("Goes to bed at"), line(desk, content, "bed", TIME)),
  );
  return [labelled(t("Bed"), sleeps), times, lists(desk, content, "interests", t("Interests, one per line"), 4), knows(desk, content)];
}

/** Which buildings a resident knows. @param {Desk} desk @param {any} content */
function knows(desk, content) {
  const known = (/** @type {string} */ id) => (content.knows ?? []).some((/** @type {string} */ at) => at === id || at.startsWith(`${id}/`));
  const inhabited = desk.world.sectors.filter(({ id }) => desk.world.arenas.some((arena) => arena.id.startsWith(`${id}/`)));
  const boxes = inhabited.map(({ id, names }) => {
    const box = Object.assign(/** @type {HTMLInputElement} */ (make("input")), { type: "checkbox", checked: known(id), disabled: desk.fixed });
    box.addEventListener("change", () => {
      const rest = (content.knows ?? []).filter((/** @type {string} */ at) => at !== id && !at.startsWith(`${id}/`));
      content.knows = box.checked ? [...rest, id] : rest;
      desk.changed();
    });
    return make("label", "check", box, called(names, id));
  });
  return make("fieldset", "", make("legend", "", t("Buildings and places known from the start")), make("div", "people", ...boxes));
}

/** @param {Desk} desk @param {any} content */
function day(desk, content) {
  const { world } = desk;
  const places = named(world, [...world.arenas, ...world.things]);
  const habits = (content.habits ??= []);
  const row = (/** @type {any} */ habit) => {
    const when = [labelled(t("From"), line(desk, habit, "start", TIME)), labelled(t("To"), line(desk, habit, "end", TIME))];
    const where = labelled(
      t("Place"),
      choice(desk, habit.place, places, (place) => (habit.place = place)),
    );
    const more = make("details", "", make("summary", "", t("Days and tasks")), weekdays(desk, habit), lists(desk, habit, "tasks", t("Tasks, one per line"), 4));
    return make("li", "", make("div", "habit", ...when, where), texts(desk, habit, "activity", t("Activity")), more);
  };
  const fresh = () => ({ start: habits.at(-1)?.end ?? "08:00", end: content.bed, place: content.home, activity: {} });
  return [rows(desk, t("Add to the day"), habits, row, fresh)];
}

/** @param {Desk} desk @param {any} habit */
function weekdays(desk, habit) {
  const boxes = Object.entries(DAYS).map(([day, label]) => {
    const box = Object.assign(/** @type {HTMLInputElement} */ (make("input")), {
      type: "checkbox",
      checked: !habit.days?.length || habit.days.includes(day),
      disabled: desk.fixed,
    });
    box.addEventListener("change", () => {
      const days = Object.keys(DAYS).filter((_, at) => /** @type {HTMLInputElement} */ (boxes[at].firstChild).checked);
      if (days.length % boxes.length) habit.days = days;
      else delete habit.days;
      desk.changed();
    });
    return make("label", "check", box, t(label));
  });
  return make("fieldset", "days", make("legend", "", t("Days")), ...boxes);
}

/** @param {Desk} desk @param {string} who @param {any} content */
function others(desk, who, content) {
  const relations = (content.relations ??= {});
  const people = Object.entries(desk.world.residents).filter(([id]) => id !== who);
  return people.map(([id, other]) => {
    const box = Object.assign(/** @type {HTMLInputElement} */ (make("input")), { type: "checkbox", checked: id in relations, disabled: desk.fixed });
    const holder = make("div", "relation");
    const show = () => holder.replaceChildren(...(id in relations ? relation(desk, relations[id]) : []));
    box.addEventListener("change", () => {
      if (box.checked) relations[id] = { text: {}, closeness: 3 };
      else delete relations[id];
      show();
      desk.changed();
    });
    show();
    return make("div", "known", make("label", "check", box, called(other.name, id)), holder);
  });
}

/** @param {Desk} desk @param {any} relation */
function relation(desk, relation) {
  const close = line(desk, relation, "closeness", { type: "range", min: "0", max: "10", value: relation.closeness });
  return [
    labelled(t("Closeness, from stranger to closest"), close),
    texts(desk, relation, "text", t("What this resident would say of them"), 2),
    optionalTexts(desk, relation, "at_odds", t("What divides the two, if anything: say it with both of them")),
  ];
}

/** @param {Desk} desk @param {any} content */
function memories(desk, content) {
  const row = (/** @type {any} */ seed) => {
    const weight = line(desk, seed, "poignancy", { type: "number", min: "1", max: "10", value: seed.poignancy ?? 5 });
    const triple = make(
      "div",
      "",
      texts(desk, seed, "predicate", t("Verb of the memory in brief")),
      texts(desk, seed, "object", t("Object of the memory in brief")),
    );
    return make("li", "", texts(desk, seed, "text", t("Memory"), 2), labelled(t("Poignancy, 1 to 10"), weight), triple);
  };
  const seeds = (content.seeds ??= []);
  return [rows(desk, t("Add a memory"), seeds, row, () => ({ text: {}, predicate: {}, object: {}, poignancy: 5 }))];
}
