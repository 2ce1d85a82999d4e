/** The colours of plots and of buildings, which are those of the page. */

const CATEGORIES = 8; // colours of categories in insight.css
const GOLDEN = 137.5; // degrees between two hues of which no two come close

/** A colour of the page by its name in the style sheet. @param {string} name */
export function colour(name) {
  const value = getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();
  if (!value) throw new Error(`No style sheet has a colour --${name}: define it in base.css.`); // a canvas would go on with its last one
  return value;
}

/** @type {WeakMap<object, Map<string, number>>} the numbers of the buildings of a run, by address */
const numbers = new WeakMap();

/** The colour of a building, the same on the map, on its card and in plots. @param {import("./shapes.js").RunView} run @param {string} address of the building or of anything in it */
export function hueOf({ buildings }, address) {
  let known = numbers.get(buildings);
  if (!known) numbers.set(buildings, (known = new Map(Object.keys(buildings).map((building, at) => [building, at]))));
  return category(known.get(address.split("/")[0]) ?? -1);
}

/** The colour of the n-th category, from 0, and of what belongs to none, -1; beyond those of the style sheet, hues that lie as far apart as can be, in three brightnesses by turns. @param {number} index */
export function category(index) {
  if (index < 0) return colour("plot-rest");
  return index < CATEGORIES ? colour(`plot-${index + 1}`) : `hsl(${Math.round(index * GOLDEN) % 360} 42% ${36 + (index % 3) * 16}%)`;
}
