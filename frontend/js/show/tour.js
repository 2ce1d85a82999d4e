/** The guided opening: a talk, why it was said, the news, the night, the party. It is offered once; from the help it can be had again. */

import { countPeople } from "../data/cast.js";
import { nt, t } from "../data/i18n.js";
import { inWords } from "../data/words.js";

const TOURED = "hometown-toured"; // where it is noted that somebody has seen it
const EVENING = 21.25; // hour at which the lamps are lit and most are still awake

/** @typedef {import("./show.js").Stop} Stop */
/** @typedef {import("../data/scenes.js").Scene} Scene */

/**
 * What the tour's words tell of, and what it opens beside the town.
 * @typedef {object} Guide
 * @property {import("../data/shapes.js").RunView} run
 * @property {import("../data/gametime.js").GameTime} time
 * @property {number} end                       the last tick
 * @property {(id: string) => string} name      of a resident
 * @property {(address: string) => string} place
 * @property {(reference: Record<string, string | number>) => void} why
 * @property {(title: string) => void} spread   shows how a storyline spread
 * @property {() => void} town                  shows the tab of the town
 */

/** Whether somebody has seen it here; where nothing can be noted, it is not shown either. */
export function toured() {
  try {
    return localStorage.getItem(TOURED) !== null;
  } catch {
    return true;
  }
}

/** Notes that it has been seen. */
export function noteTour() {
  try {
    localStorage.setItem(TOURED, "1");
  } catch {
    // Where nothing can be kept, nothing is shown twice either.
  }
}

/** The stops, of those that this run has. @param {Guide} guide @param {Scene[]} scenes @returns {Stop[]} */
export function tourOf(guide, scenes) {
  const talk = scenes.find(({ conversation }) => conversation === guide.run.opening?.id);
  return [...(talk ? opening(guide, talk) : []), ...news(guide, scenes), ...night(guide, scenes), ...party(guide, scenes)];
}

/** @param {Guide} guide @param {Scene} talk @returns {Stop[]} */
function opening(guide, { tick, who, address, conversation }) {
  const [first, second] = who.map(guide.name);
  const values = { count: countPeople(guide.run).residents, first, second, place: guide.place(address) };
  const seen = { who, address, conversation };
  return [
    {
      ...seen,
      tick,
      title: t("A town that lives by itself"),
      text: t("{count} residents plan their days, remember, and talk when they meet. Here {first} and {second} have met: {place}.", values),
      hold: 12,
      enter: guide.town,
    },
    {
      ...seen,
      tick: tick + 6,
      title: t("Why did they say that?"),
      text: t("Every line and every deed can be asked why: what came to mind, and what it goes back to. Press “Why?” anywhere."),
      hold: 13,
      enter: () => guide.why({ conversation, line: 0 }),
    },
  ];
}

/** The storyline that most often passes from mouth to mouth, where it is told. @param {Guide} guide @param {Scene[]} scenes @returns {Stop[]} */
function news(guide, scenes) {
  const { run } = guide;
  const counts = new Map();
  for (const title of scenes.flatMap((scene) => scene.news)) counts.set(title, (counts.get(title) ?? 0) + 1);
  const [story] = [...counts].sort((one, other) => other[1] - one[1])[0] ?? [];
  const told = scenes.filter((scene) => scene.news.includes(story));
  const scene = told[Math.floor(told.length / 3)];
  if (!scene) return [];
  const { tick, who, address, conversation } = scene;
  return [
    {
      tick,
      who,
      address,
      conversation,
      title: t("News goes from mouth to mouth"),
      text: t("“{story}”: nobody knows what nobody told them. Rings mark who has heard.", { story: inWords(run, story) }),
      hold: 13,
      enter: () => guide.spread(story),
    },
  ];
}

/** The evening from above, about those who have talked last. @param {Guide} guide @param {Scene[]} scenes @returns {Stop[]} */
function night({ time, end, town }, scenes) {
  const hours = (EVENING - time.hour(0) + 24) % 24;
  const tick = Math.round(hours * 360);
  const last = scenes.findLast((scene) => scene.tick <= tick);
  if (tick >= end || !last) return [];
  return [
    {
      tick,
      who: [],
      address: last.address,
      wide: 2.2,
      title: t("Evenings and nights"),
      text: t("Lamps are lit, people go home. Hours in which nearly all sleep pass quickly."),
      hold: 9,
      enter: town,
    },
  ];
}

/** The gathering, or else the weightiest scene. @param {Guide} guide @param {Scene[]} scenes @returns {Stop[]} */
function party(guide, scenes) {
  const best = scenes.reduce((most, scene) => (scene.weight > most.weight ? scene : most), scenes[0]);
  if (!best || best.kind !== "gathering") return [];
  const text = nt(
    "{count} person is here because somebody told them: {place}. Now watch by yourself, or leave the camera to the town.",
    "{count} people are here because somebody told them: {place}. Now watch by yourself, or leave the camera to the town.",
    best.who.length,
    { place: guide.place(best.address) },
  );
  return [{ ...best, tick: best.tick + 60, wide: 1.5, title: t("And then they come"), text, hold: 13, enter: guide.town }];
}
