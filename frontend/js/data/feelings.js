/**
 * What a resident feels at any moment, worked out from what it felt when something last stirred it, as `modules/hometown/agent/mind/mood.py` does.
 *
 * @typedef {import("./shapes.js").MoodView} Feel
 * @typedef {import("./shapes.js").FeelingView} Feeling
 * @typedef {{mood: string, pleasure: number, arousal: number, dominance: number, feelings: Feeling[]}} FeelNow   feelings with their strength now, the strongest first
 */

const [TICKS_PER_MINUTE, SIXTIETHS] = [6, 60];
const EVEN = 15; // points of pleasure and arousal below which a mood is none to speak of

/** @param {Feel} feel @param {number} tick @param {Record<string, string>} moods by the signs of a mood, "" for none to speak of @returns {FeelNow} */
export function feltAt(feel, tick, moods) {
  const calmed = feel.calms * minutes(feel.tick, tick);
  const [pleasure, arousal, dominance] = feel.mood.map((level, at) => Math.trunc(towards(feel.nature[at] * SIXTIETHS, level, calmed) / SIXTIETHS));
  const marked = Math.max(Math.abs(pleasure), Math.abs(arousal)) >= EVEN;
  const signs = marked ? [pleasure, arousal, dominance].map((points) => (points >= 0 ? "+" : "-")).join("") : "";
  const feelings = feel.feelings
    .map((feeling) => ({ ...feeling, strength: feeling.strength - Math.floor((feeling.fades * minutes(feeling.tick, tick)) / SIXTIETHS) }))
    .filter(({ strength }) => strength > 0)
    .sort((feeling, other) => other.strength - feeling.strength);
  return { mood: moods[signs], pleasure, arousal, dominance, feelings };
}

/** @param {number} base @param {number} level @param {number} by */
function towards(base, level, by) {
  return level > base ? Math.max(base, level - by) : Math.min(base, level + by);
}

/** @param {number} since @param {number} tick */
function minutes(since, tick) {
  return Math.max(0, Math.floor((tick - since) / TICKS_PER_MINUTE));
}
