/** Who lives in a run, also those who have come since the page was opened: its list of residents grows. */

import { shortNames } from "./names.js";

/** @typedef {import("./shapes.js").RunView} Run */
/** @typedef {{residents: Map<string, import("./shapes.js").ResidentView>, short: Map<string, string>}} Cast both by id */

/** @type {WeakMap<Run, Cast>} */
const casts = new WeakMap();

/** The residents of a run by id, and their short names. @param {Run} run @returns {Cast} */
export function castOf(run) {
  const { residents } = run;
  let cast = casts.get(run);
  if (cast?.residents.size === residents.length) return cast;
  const short = shortNames(residents.map(({ name }) => name));
  cast = { residents: new Map(residents.map((one) => [one.id, one])), short: new Map(residents.map(({ id }, at) => [id, short[at]])) };
  casts.set(run, cast);
  return cast;
}

/** The name of a resident; the id of one who is unknown. @param {Run} run @param {string} id */
export function nameIn(run, id) {
  return castOf(run).residents.get(id)?.name ?? id;
}

/** The short name of a resident; the id of one who is unknown. @param {Run} run @param {string} id */
export function shortNameIn(run, id) {
  return castOf(run).short.get(id) ?? id;
}

/** Counts the residents of a run, and those who have visited it. @param {Run} run */
export function countPeople({ residents }) {
  const visitors = residents.filter(({ visitor }) => visitor).length;
  return { residents: residents.length - visitors, visitors };
}
