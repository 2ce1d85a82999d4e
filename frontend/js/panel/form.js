/** The controls of forms in the panel: fields with labels, and choices in groups. */

import { make } from "../dom.js";

/** @typedef {[group: string, items: [value: string, name: string][]]} Group */

/** @param {Group[]} groups */
export function select(groups) {
  const element = /** @type {HTMLSelectElement} */ (document.createElement("select"));
  element.append(...options(groups));
  return element;
}

/** @param {Group[]} groups @returns {HTMLElement[]} */
export function options(groups) {
  return groups.flatMap(([group, items]) => {
    const made = items.map(([value, name]) => new Option(name, value));
    if (!group) return made;
    const element = document.createElement("optgroup");
    element.label = group;
    element.append(...made);
    return [element];
  });
}

/** @param {string} type @param {number} longest */
export function input(type, longest) {
  const element = document.createElement("input");
  element.type = type;
  element.maxLength = longest;
  element.autocomplete = "off";
  return element;
}

/** @param {string} label @param {HTMLElement} control */
export function field(label, control) {
  return make("label", "speak-field", make("span", "", label), control);
}
