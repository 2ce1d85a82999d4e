/** The sign of an event that the user has let happen, by the words that tell of it. */

/** Words, in English from where a word begins, and the sign that fits them; the first that is found counts. @type {[RegExp, string][]} */
const SIGNS = [
  [/\bfirework|烟花|焰火/iu, "fireworks"],
  [/\bballoon|气球/iu, "balloon"],
  [/\b(fire|burn|flame|smoke)|火灾|着火|起火|冒烟/iu, "fire"],
  [/\b(thunder|lightning)|雷|闪电/iu, "lightning"],
  [/\b(rain|storm|flood)|下雨|暴雨|大雨|积水/iu, "storm"],
  [/\bsnow|下雪|大雪/iu, "snow"],
  [/\brainbow|彩虹/iu, "rainbow"],
  [/\b(music|song|sing|band|concert|play(s|ing) the)|音乐|唱歌|歌声|乐队/iu, "music"],
  [/\b(party|celebrat|birthday)|派对|聚会|庆祝|生日/iu, "party"],
  [/\b(cat|kitten)\b|猫/iu, "cat"],
  [/\b(dog|puppy)\b|狗/iu, "dog"],
  [/\bbird|\bowl\b|鸟/iu, "bird"],
  [/\b(break|broke|shatter|crash|collapse)|碎|打破|倒塌|坏了/iu, "crash"],
  [/\b(letter|note|parcel)\b|信|包裹/iu, "mail"],
  [/\b(smell|scent)|香味|气味/iu, "watching"],
  [/\b(knock|bell|ring|alarm|siren)|敲门|铃|警报/iu, "bell"],
];
const ANY = "alert";

/** @param {string} text @returns {string} the name of an icon */
export function signOf(text) {
  return SIGNS.find(([words]) => words.test(text))?.[1] ?? ANY;
}
