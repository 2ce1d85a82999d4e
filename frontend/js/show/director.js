/** The director: while nobody touches anything, the camera goes to what is most worth seeing, and says why. */

import { shortNameIn } from "../data/cast.js";
import { nextScene } from "../data/scenes.js";
import { N_, t } from "../data/i18n.js";

const CROWD = 1.5; // times as much is seen of many
const REMEMBERED = 4; // scenes seen last, whose people and news wait

/** @typedef {import("../data/scenes.js").Scene} Scene */

export class Director {
  /** @param {import("../data/shapes.js").RunView} run @param {import("../data/gametime.js").GameTime} time @param {() => Scene[]} scenes @param {() => void} left */
  constructor(run, time, scenes, left) {
    this.run = run;
    this.time = time;
    this.scenes = scenes;
    this.left = left;
    this.jumps = false;
    /** @type {Scene[]} */
    this.before = [];
  }

  /** @param {number} tick @returns {import("./show.js").Stop | undefined} */
  next(tick) {
    const scene = nextScene(this.scenes(), tick, this.before);
    if (!scene) return undefined;
    this.before = [...this.before, scene].slice(-REMEMBERED);
    const { who, address, conversation } = scene;
    return {
      tick: scene.tick,
      who,
      address,
      conversation,
      title: `${this.people(who)} · ${this.time.clock(scene.tick)}`,
      text: this.reason(scene),
      hold: hold(scene),
      wide: scene.kind === "gathering" ? CROWD : 1,
    };
  }

  /** @param {string[]} who */
  people(who) {
    return new Intl.ListFormat(document.documentElement.lang).format(who.slice(0, 3).map((id) => shortNameIn(this.run, id)));
  }

  /** @param {Scene} scene */
  reason({ kind, news, weight, who }) {
    if (kind === "gathering") return t("They have come together, {count} of them.", { count: who.length });
    if (kind === "reflection") return t("Comes to a conclusion.");
    if (news.length) return t("Word gets around: {story}", { story: news[0] });
    return t(weight >= 8 ? N_("This they will remember: {weight} of 10.") : N_("They meet and talk."), { weight: Math.min(10, weight) });
  }
}

/** Seconds that a scene lasts; a conversation lasts until its end. @param {Scene} scene */
function hold({ kind }) {
  return { conversation: undefined, reflection: 5, gathering: 24 }[kind];
}
