/** The controls of the editor's form. Each changes its part of a resident's content, and says so. */

import { N_, t } from "../data/i18n.js";
import { button, make } from "../dom.js";
import { called } from "./world.js";

/** @typedef {import("./world.js").World} World */
/** @typedef {import("./world.js").Place} Place */

/**
 * What every control needs: the world, and whom to tell of a change.
 * @typedef {{world: World, changed: () => void, fixed: boolean}} Desk
 */

/** @param {string} title @param {...(Node | string)} controls */
export function labelled(title, ...controls) {
  const label = make("label", "field", make("span", "", title), ...controls);
  return label;
}

/** @param {string} lang */
export const language = (lang) => t(/** @type {Record<string, string>} */ ({ en: N_("English"), zh: N_("Chinese") })[lang]);

/** @param {any} control @param {Desk} desk @param {(value: string) => void} set */
function wired(control, desk, set) {
  control.disabled = desk.fixed;
  control.addEventListener("input", () => (set(control.value), desk.changed()));
  return control;
}

/** A line of text. @param {Desk} desk @param {Record<string, any>} holder @param {string} key @param {Record<string, any>} [more] */
export function line(desk, holder, key, more = {}) {
  const input = Object.assign(/** @type {HTMLInputElement} */ (make("input")), { value: holder[key] ?? "" }, more);
  return wired(input, desk, (value) => (holder[key] = input.type === "number" || input.type === "range" ? Number(value) : value));
}

/** A text in each of the world's languages, side by side. @param {Desk} desk @param {Record<string, any>} holder @param {string} key @param {string} title @param {number} [rows] */
export function texts(desk, holder, key, title, rows = 1) {
  return inLanguages(desk, title, (lang) => {
    const area = Object.assign(/** @type {HTMLTextAreaElement} */ (make("textarea")), { rows, value: holder[key]?.[lang] ?? "" });
    return wired(area, desk, (value) => ((holder[key] ??= {})[lang] = value.replace(/\n/g, " ")));
  });
}

/** A text in each language that may be left out. @param {Desk} desk @param {Record<string, any>} holder @param {string} key @param {string} title */
export function optionalTexts(desk, holder, key, title) {
  const field = texts(desk, holder, key, title);
  field.addEventListener("input", () => Object.values(holder[key]).some((/** @type {string} */ text) => text.trim()) || delete holder[key]);
  return field;
}

/** A list of texts in each language, a line for each. @param {Desk} desk @param {Record<string, any>} holder @param {string} key @param {string} title @param {number} [rows] */
export function lists(desk, holder, key, title, rows = 3) {
  return inLanguages(desk, title, (lang) => {
    const area = Object.assign(/** @type {HTMLTextAreaElement} */ (make("textarea")), { rows, value: (holder[key]?.[lang] ?? []).join("\n") });
    return wired(area, desk, (value) => ((holder[key] ??= {})[lang] = value.split("\n").filter((one) => one.trim())));
  });
}

/** @param {Desk} desk @param {string} title @param {(lang: string) => HTMLTextAreaElement} control */
function inLanguages(desk, title, control) {
  const several = desk.world.langs.length > 1;
  const here = document.documentElement.lang;
  const controls = [...desk.world.langs]
    .sort((one, two) => Number(two === here) - Number(one === here))
    .map((lang) => {
      const area = control(lang);
      area.lang = lang;
      area.setAttribute("aria-label", several ? `${title} (${language(lang)})` : title);
      return area;
    });
  return make("div", "field", make("span", "", title), make("div", "sides", ...controls));
}

/**
 * One of some values, by what they are called; the others are listed once it is opened, as three hundred places for each of twenty habits take long.
 * @param {Desk} desk @param {string} value @param {[string, string][]} options @param {(value: string) => void} set
 */
export function choice(desk, value, options, set) {
  const select = /** @type {HTMLSelectElement} */ (make("select"));
  const known = new Map(options);
  select.replaceChildren(new Option(known.get(value) ?? value, value));
  const fill = () => select.append(...options.filter(([id]) => id !== value).map(([id, name]) => new Option(name, id)));
  const once = () => (select.options.length > 1 ? undefined : fill());
  for (const event of ["focus", "pointerdown"]) select.addEventListener(event, once);
  return wired(select, desk, set);
}

/** Places by what they are called, building and room first. @param {World} world @param {Place[]} places @returns {[string, string][]} */
export function named(world, places) {
  const names = new Map([...world.sectors, ...world.arenas].map(({ id, names }) => [id, called(names, id)]));
  return places.map(({ id, names: own }) => {
    const parts = id.split("/");
    const above = parts.slice(0, -1).map((_, at) => names.get(parts.slice(0, at + 1).join("/")) ?? "");
    return [id, [...new Set([...above, called(own, id)])].join(" · ")];
  });
}

/** Rows that can be added and taken away. @param {Desk} desk @param {string} add @param {any[]} items @param {(item: any) => HTMLElement} row @param {() => any} fresh */
export function rows(desk, add, items, row, fresh) {
  const list = make("ol", "rows");
  /** @param {any} item */
  const put = (item) => {
    const element = row(item);
    if (!desk.fixed) element.append(button("quiet drop", () => (items.splice(items.indexOf(item), 1), element.remove(), desk.changed()), t("Remove")));
    list.append(element);
    return element;
  };
  items.forEach(put);
  const more = () => {
    const item = fresh();
    items.push(item);
    /** @type {HTMLElement | null} */ (put(item).querySelector("input, textarea, select"))?.focus();
    desk.changed();
  };
  return make("div", "", list, !desk.fixed && button("", more, add));
}
