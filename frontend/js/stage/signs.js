/** The sign of an event that the user has let happen, by the words that tell of it. */

/** Words, in English from where a word begins, and the sign that fits them; the first that is found counts. @type {[RegExp, string][]} */
const SIGNS = [
  [/\bfirework|烟花|焰火/iu, "🎆"],
  [/\bballoon|气球/iu, "🎈"],
  [/\b(fire|burn|flame|smoke)|火灾|着火|起火|冒烟/iu, "🔥"],
  [/\b(thunder|lightning)|雷|闪电/iu, "⚡"],
  [/\b(rain|storm|flood)|下雨|暴雨|大雨|积水/iu, "🌧️"],
  [/\bsnow|下雪|大雪/iu, "❄️"],
  [/\brainbow|彩虹/iu, "🌈"],
  [/\b(music|song|sing|band|concert|play(s|ing) the)|音乐|唱歌|歌声|乐队/iu, "🎵"],
  [/\b(party|celebrat|birthday)|派对|聚会|庆祝|生日/iu, "🎉"],
  [/\b(cat|kitten)\b|猫/iu, "🐈"],
  [/\b(dog|puppy)\b|狗/iu, "🐕"],
  [/\bbird|\bowl\b|鸟/iu, "🐦"],
  [/\b(break|broke|shatter|crash|collapse)|碎|打破|倒塌|坏了/iu, "💥"],
  [/\b(letter|note|parcel)\b|信|包裹/iu, "✉️"],
  [/\b(smell|scent)|香味|气味/iu, "👃"],
  [/\b(knock|bell|ring|alarm|siren)|敲门|铃|警报/iu, "🔔"],
];
const ANY = "❗";

/** @param {string} text */
export function signOf(text) {
  return SIGNS.find(([words]) => words.test(text))?.[1] ?? ANY;
}
