/** Our pixel icons within words. */

import { apart, placeOf } from "../data/emblems.js";
import { make } from "../dom.js";

/** An icon, hidden from screen readers. @param {string} name as `data/emblems.js` has it */
export function emblem(name) {
  const element = make("span", "emblem");
  const [x, y] = placeOf(name);
  element.dataset.emblem = name;
  element.style.backgroundPosition = `${-x}px ${-y}px`;
  element.setAttribute("aria-hidden", "true");
  return element;
}

/** A text, the emoji that it begins with drawn as an icon. @param {string} text @returns {(Node | string)[]} */
export function signed(text) {
  const [name, words] = apart(text);
  return name ? [emblem(name), " ", words] : [words];
}

/** Sets such a text if it has changed. @param {HTMLElement} element @param {string} text */
export function setSigned(element, text) {
  if (element.dataset.signed === text) return;
  element.dataset.signed = text;
  element.replaceChildren(...signed(text));
}
