/** Follows a sentence: the camera rides it from mouth to mouth, its new words are marked, and whoever has not heard it pales. */

import { changes } from "../data/rumour.js";
import { t } from "../data/i18n.js";
import { make } from "../dom.js";

const WHOLE = 90; // seconds that all of it takes, at most
const HOLD = [5, 9]; // seconds of one telling, at least and at most
const BEFORE = 6; // ticks before the words

/** @typedef {import("../data/rumour.js").Rumour} Rumour */
/** @typedef {import("../data/rumour.js").Telling} Telling */
/** @typedef {import("./show.js").Stop} Stop */

/** @param {Rumour} rumour @param {{run: import("../data/shapes.js").RunView, time: import("../data/gametime.js").GameTime, name: (id: string) => string}} guide @returns {Stop[]} */
export function rumourOf({ tellings, knew }, guide) {
  const hold = Math.min(HOLD[1], Math.max(HOLD[0], WHOLE / Math.max(1, tellings.length)));
  const stops = tellings.map((telling) => told(telling, guide, hold));
  const [first] = tellings;
  if (!first || !knew.includes(first.from)) return stops;
  const title = t("{name} knows it first", { name: guide.name(first.from) });
  const begun = {
    ...stops[0],
    who: [first.from],
    title,
    text: first.before,
    conversation: undefined,
    tick: Math.max(0, stops[0].tick - BEFORE),
    hold: HOLD[0],
  };
  return [begun, ...stops];
}

/** @param {Telling} telling @param {{run: import("../data/shapes.js").RunView, time: import("../data/gametime.js").GameTime, name: (id: string) => string}} guide @param {number} hold @returns {Stop} */
function told({ who, from, tick, conversation, address, said, before }, { run, time, name }, hold) {
  const parts = changes(before, said).map((part, at) => (at % 2 ? make("mark", "", part) : document.createTextNode(part)));
  return {
    tick: Math.max(0, tick - BEFORE),
    who: [from, who],
    address,
    conversation,
    title: t("{from} → {who} · {time}", { from: name(from), who: name(who), time: time.stamp(tick) }),
    text: parts,
    lang: run.lang,
    hold,
  };
}
