/** Helpers for elements. Text is set as text nodes, so that nothing that a resident says is parsed as HTML. */

/** @param {string} id @returns {any} */
export const byId = (id) => document.getElementById(id);

/** Sets a text if it has changed, to avoid needless layout. @param {HTMLElement} element @param {string} text */
export function setText(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

/** Sets the language of a text if it has changed. @param {HTMLElement} element @param {string} lang */
export function setLang(element, lang) {
  if (element.lang !== lang) element.lang = lang;
}

/** Hide or show an element if that changes it: to set the attribute again restyles the page. @param {HTMLElement} element @param {boolean} hidden */
export function setHidden(element, hidden) {
  if (element.hidden !== hidden) element.hidden = hidden;
}

/** Mark a button as pressed or not if that changes it. @param {HTMLElement} element @param {boolean} pressed */
export function setPressed(element, pressed) {
  const value = String(pressed);
  if (element.getAttribute("aria-pressed") !== value) element.setAttribute("aria-pressed", value);
}

/** @typedef {Node | string | null | undefined | false} Child */

/**
 * An element with classes and children; children that are nothing are left out.
 * @param {string} tag
 * @param {string} [classes]
 * @param {...Child} children
 * @returns {HTMLElement}
 */
export function make(tag, classes = "", ...children) {
  const element = document.createElement(tag);
  if (classes) element.className = classes;
  element.append(.../** @type {(Node | string)[]} */ (children.filter((child) => child)));
  return element;
}

/** Gives an element these children. Those it has already keep their place in the document, so that a click on one of them arrives. @param {HTMLElement} element @param {Node[]} children */
export function setChildren(element, children) {
  const kept = new Set(children);
  for (const child of [...element.childNodes]) if (!kept.has(child)) child.remove();
  for (const [place, child] of children.entries()) if (element.childNodes[place] !== child) element.insertBefore(child, element.childNodes[place] ?? null);
}

/** Gives an element these children, but keeps each of its own that looks the same as one of them. @param {HTMLElement} element @param {HTMLElement[]} children */
export function renewChildren(element, children) {
  const there = new Map([...element.children].map((child) => [child.outerHTML, child]));
  setChildren(
    element,
    children.map((child) => there.get(child.outerHTML) ?? child),
  );
}

/**
 * @param {string} classes
 * @param {() => void} clicked
 * @param {...Child} children
 * @returns {HTMLButtonElement}
 */
export function button(classes, clicked, ...children) {
  const element = /** @type {HTMLButtonElement} */ (make("button", classes, ...children));
  element.type = "button";
  element.addEventListener("click", clicked);
  return element;
}

/** A symbol of icons.svg, hidden from screen readers. @param {string} name */
export function icon(name) {
  const space = "http://www.w3.org/2000/svg";
  const svg = document.createElementNS(space, "svg");
  const use = document.createElementNS(space, "use");
  svg.setAttribute("aria-hidden", "true");
  use.setAttribute("href", `frontend/icons.svg#${name}`);
  svg.append(use);
  return svg;
}

/** A resident's portrait, or the first letter of its name. @param {{name: string, portrait: string | null}} resident @param {number} size in pixels */
export function face(resident, size) {
  const element = resident.portrait ? new Image(size, size) : make("span", "", [...resident.name][0] ?? "");
  element.className = "face";
  if (element instanceof HTMLImageElement) {
    element.src = /** @type {string} */ (resident.portrait);
    element.alt = "";
  } else element.setAttribute("aria-hidden", "true");
  return element;
}
