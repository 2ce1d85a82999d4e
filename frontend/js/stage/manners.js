/** How people show what is between them: they wave as they meet and part, and laugh at what is funny. */

const GREETING =
  /\b(hello|hi|hey|welcome|good (morning|afternoon|evening|day|night)|(good)?bye|see you|take care)\b|你好|您好|早上好|早安|早啊|欢迎|再见|回头见|晚安|拜拜/iu;
const FUNNY = /\b(ha(ha)+|hehe|laugh|laughs|laughed|laughing|funny|hilarious|joke|jokes|joking)\b|😂|🤣|哈哈|嘻嘻|笑话|好笑|逗/iu;
const [SHAKE, SWING] = [9, 7]; // of shoulders and of a hand, in radians a second
const [NOD, SPEAK] = [2.2, 6]; // of the heads of listeners and of speakers

/** @typedef {{speaker: string, text: string, at: number}} Spoken a line that is in sight, and its number */
/** @typedef {"" | "waves" | "laughs"} Manner */

/** What somebody does while a line is said: who meets waves, who is greeted later does not wave again. @param {Spoken} line @param {string} who @returns {Manner} */
export function mannerOf({ speaker, text, at }, who) {
  if (FUNNY.test(text)) return "laughs";
  return at === 0 || (speaker === who && GREETING.test(text)) ? "waves" : "";
}

/** How far the heads of those who talk go down, in shares of a tile: the one who speaks is livelier. @param {boolean} speaks @param {number} seconds @param {number} phase */
export function nod(speaks, seconds, phase) {
  return 0.035 * Math.max(0, Math.sin(seconds * (speaks ? SPEAK : NOD) + phase * 5));
}

/** What those who talk do meanwhile; until time goes on, nothing. @param {import("./stage.js").Figure[]} figures @param {string[]} people @param {Spoken | undefined} line in sight @param {number} seconds */
export function liven(figures, people, line, seconds) {
  for (const [phase, figure] of figures.entries()) {
    if (!seconds || !people.includes(figure.id)) continue;
    figure.manner = line && !figure.pose.walking ? mannerOf(line, figure.id) : "";
    const shaking = -0.03 * Math.abs(Math.sin(seconds * SHAKE + phase * 5));
    figure.nods = figure.manner === "laughs" ? shaking : nod(line?.speaker === figure.id, seconds, phase);
  }
}

/** How far a hand that waves is from its middle, −1 to 1. @param {number} seconds @param {number} phase */
export function swing(seconds, phase) {
  return Math.sin(seconds * SWING + phase * 3);
}
