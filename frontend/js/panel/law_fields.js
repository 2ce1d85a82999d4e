/** The fields of one entry of a town's book: what can be changed of it without writing JSON. */

import { N_, P_, t } from "../data/i18n.js";
import { make } from "../dom.js";
import { field, input } from "./form.js";

/** @type {Record<string, string>} */
const KEYS = {
  minutes: N_("minutes"),
  take: N_("takes"),
  make: N_("makes"),
  nature: N_("nature"),
  body: N_("effect"),
  at: N_("at things with the tag"),
  skill: N_("skill"),
  season: N_("seasons"),
  after: N_("then by itself"),
  days: N_("days"),
  hours: N_("hours"),
  holds: N_("holds, in grams"),
  owner: N_("owner"),
  shop: N_("shop"),
  sells: N_("price"),
  opens: N_("opens"),
  closes: N_("closes"),
  cover: N_("days in stock"),
  closed_on: N_("No work on"),
  grams: N_("grams"),
  gives: N_("gives"),
  awake: N_("points an hour, awake"),
  asleep: N_("points an hour, asleep"),
  low: N_("low below"),
  urgent: N_("urgent below"),
  wakes: N_("wakes below"),
  satisfied: N_("satisfied from"),
  met_by: N_("met by"),
  at_zero: N_("at 0, an hour"),
  house: P_("of a resident", "house"),
  duties: N_("sees to"),
  home: N_("home"),
  weather: N_("weather"),
};

/** @typedef {Record<string, any>} Json */
/** @typedef {(path: string[], value: unknown) => void} Changed */

const DAYS = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"];
const WORDS = new Set(["name", "some", "says", "doing", "tags", "tool"]); // what is rarely changed, and stands in the JSON
const LONGEST = 400; // characters of a value
const MONDAY = Date.UTC(2024, 0, 1);

/**
 * Fields for all values of an entry; `changed` is told of each that differs, and of each that is as it was with undefined.
 * @param {string} section @param {Json} entry @param {Map<string, string>} names of goods, by id @param {Changed} changed @returns {HTMLElement[]}
 */
export function fieldsOf(section, entry, names, changed) {
  const made = [...leaves(entry, [])].map(([path, value]) => leaf(path, value, names, changed));
  if (section === "fixtures") made.push(weekdays(entry.closed_on ?? [], changed));
  return made;
}

/** @param {Json} entry @param {string[]} path @returns {Generator<[string[], unknown]>} */
function* leaves(entry, path) {
  for (const [key, value] of Object.entries(entry)) {
    const here = [...path, key];
    if ((!path.length && WORDS.has(key)) || key === "closed_on") continue;
    if (value && typeof value === "object" && !Array.isArray(value)) yield* leaves(value, here);
    else yield [here, value];
  }
}

/** @param {string[]} path @param {unknown} value @param {Map<string, string>} names @param {Changed} changed */
function leaf(path, value, names, changed) {
  const plain = typeof value === "string" || typeof value === "number";
  const control = input(typeof value === "number" ? "number" : "text", LONGEST);
  const was = plain ? String(value) : JSON.stringify(value);
  control.value = was;
  control.addEventListener("input", () => changed(path, control.value === was ? undefined : read(control.value, value)));
  return field(path.map((key) => names.get(key) ?? labelled(key)).join(" · "), control);
}

/** What a key of an entry means. @param {string} key */
function labelled(key) {
  return KEYS[key] ? t(KEYS[key]) : key;
}

/** A value of the kind that it had; what is no such value goes to the server as it is, which says what is wrong with it. @param {string} text @param {unknown} was */
function read(text, was) {
  if (typeof was === "string" || text === "") return text;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** On which days of the week nobody works there. @param {string[]} closed @param {Changed} changed */
function weekdays(closed, changed) {
  const name = new Intl.DateTimeFormat(document.documentElement.lang, { weekday: "short", timeZone: "UTC" });
  const boxes = DAYS.map((day, at) => {
    const box = input("checkbox", 0);
    box.checked = closed.includes(day);
    box.addEventListener("change", tell);
    return /** @type {const} */ ([day, box, name.format(MONDAY + at * 86_400_000)]);
  });
  function tell() {
    const now = boxes.filter(([, box]) => box.checked).map(([day]) => day);
    changed(["closed_on"], now.join() === closed.join() ? undefined : now);
  }
  const legend = make("legend", "", t("No work on"));
  return make("fieldset", "law-days", legend, ...boxes.map(([, box, label]) => make("label", "", box, label)));
}
