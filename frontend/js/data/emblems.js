/** Which of our pixel icons stands for an emoji: activities, happenings and our own signs are told by emoji, and drawn by us. */

export const COLUMNS = 12; // of the sheet
export const SIZE = 16; // pixels of an icon

/** The icons in the order of the sheet, and the emoji that each stands for. */
const MEANT = {
  coffee: "☕",
  tea: "🍵🫖🧋🥤",
  plate: "🍽🍴🥢🍱🍛🍝",
  bowl: "🥣🍲🥘🍜🍚",
  pan: "🍳🧑‍🍳👨‍🍳👩‍🍳🔪",
  salad: "🥗🥬🥕🥦🍅",
  dumpling: "🥟🥠🍙",
  bread: "🍞🥖🥐🥨🥪🍕🍔",
  cake: "🧁🎂🍰🍪🍩🍦🍫",
  apple: "🍎🍏🍐🍓🍇🍌🍊",
  cold: "🧊",
  water: "💧🚰💦🌊",
  sleep: "💤😴",
  bed: "🛌🛏",
  shower: "🚿🛁",
  soap: "🧼🫧🧽",
  toothbrush: "🪥🪒",
  clothes: "👕👗🧥👖👚👔",
  broom: "🧹🗑",
  basket: "🧺🛒",
  sofa: "🛋🪑",
  lamp: "💡🔦🕯",
  mirror: "🪞💄💇",
  toilet: "🚻🚽🧻",
  bell: "🛎🔔🚨",
  list: "🧾📋📜📄",
  laptop: "💻⌨🖥🖱",
  phone: "📱☎📞",
  mail: "📧✉📬📦",
  case: "💼👜🎒",
  folder: "🗂📎📁📂",
  printer: "🖨📠",
  tool: "🔧🛠🔨⚙🪛",
  pencil: "📝✏✍🖊🖋",
  pin: "📌📍",
  calendar: "🗓📅⏰",
  shopping: "🛍",
  money: "💰💵🪙💳",
  book: "📖👓📰",
  books: "📚📕📗📘",
  school: "🏫🏠🏡🏢🏪",
  learning: "🎓",
  teaching: "🧑‍🏫👩‍🏫👨‍🏫📊📈",
  science: "🔬🧪⚛⚗",
  sums: "🧮📐📏",
  search: "🔎🔍",
  stars: "🔭⭐🌟✨🌌",
  paint: "🎨🖌🖍🧑‍🎨",
  music: "🎵🎶🎼",
  piano: "🎹",
  guitar: "🎸🎻",
  singing: "🎤",
  listening: "🎧👂",
  camera: "📷📸🎥",
  dance: "💃🕺🎭",
  screen: "📺🎬",
  chess: "♟",
  game: "🎲🧩🎮🃏",
  flower: "🌷🌼💐🌸🌹🌻🌺",
  plant: "🪴🌱🌿🧤☘🌾",
  tree: "🌳🍃🏞🌲🌴🍂🍁",
  fountain: "⛲",
  bird: "🐦🪶🦆🦉🐔",
  fish: "🐟🎣🐠",
  bug: "🐛🐝🦋🐞",
  night: "🌙🌛🌃",
  sun: "☀🌞🌤🌅🌄",
  cat: "🐈🐱",
  dog: "🐕🐶🐾",
  talk: "💬🗣🗨",
  thought: "💭🤔",
  meeting: "🤝",
  company: "👥👫👪👋🫂",
  love: "❤💕💖💌🥰🤗",
  content: "🙂😌😊😀😄😃☺",
  hurt: "🤕🤒🩹😷🤧💊🩺",
  watching: "👀👁👃",
  walking: "🚶",
  running: "🏃⏩🚴",
  stretching: "🤸🧘🏋",
  journey: "🧳✈🚌🚗",
  waiting: "⏳⌛🕰",
  fire: "🔥🚒",
  storm: "🌧⛈☔🌦",
  snow: "❄☃🌨",
  lightning: "⚡🌩",
  rainbow: "🌈",
  balloon: "🎈",
  fireworks: "🎆🎇",
  party: "🎉🎊🥳🎁🥂",
  crash: "💥",
  alert: "❗❕⚠🆘",
};

/** Where no icon is meant, the one for its kind: the blocks of Unicode keep kinds together. @type {[number, number, string][]} first, last, icon */
const KINDS = [
  [0x1f300, 0x1f32c, "sun"],
  [0x1f330, 0x1f344, "plant"],
  [0x1f345, 0x1f37f, "plate"],
  [0x1f380, 0x1f39f, "party"],
  [0x1f3a0, 0x1f3d3, "game"],
  [0x1f3d4, 0x1f3df, "tree"],
  [0x1f3e0, 0x1f3f0, "school"],
  [0x1f400, 0x1f43f, "dog"],
  [0x1f440, 0x1f487, "company"],
  [0x1f488, 0x1f4a2, "love"],
  [0x1f4b0, 0x1f4b9, "money"],
  [0x1f4ba, 0x1f4ff, "folder"],
  [0x1f500, 0x1f5ff, "tool"],
  [0x1f600, 0x1f64f, "content"],
  [0x1f680, 0x1f6ff, "journey"],
  [0x1f900, 0x1f90f, "company"],
  [0x1f910, 0x1f93a, "content"],
  [0x1f93b, 0x1f94f, "game"],
  [0x1f950, 0x1f96f, "plate"],
  [0x1f970, 0x1f97a, "content"],
  [0x1f980, 0x1f9af, "dog"],
  [0x1f9b0, 0x1f9df, "company"],
];
const ELSE = "thought";

const MODIFIERS = /[\u{fe0f}\u{1f3fb}-\u{1f3ff}]/gu; // how an emoji is to be painted, which we know ourselves
const JOINED = /\p{Extended_Pictographic}(?:\u200d\p{Extended_Pictographic})*/gu;
const LEADING = /^(?:[\p{Extended_Pictographic}\u{fe0f}\u{200d}\u{1f3fb}-\u{1f3ff}]+)\s*/u;

export const NAMES = Object.keys(MEANT);
const BY_EMOJI = new Map(Object.entries(MEANT).flatMap(([name, emoji]) => (emoji.match(JOINED) ?? []).map((one) => [one, name])));

/** The icon for what is told by emoji, of which the first counts. @param {string} emoji @returns {string} one of `NAMES` */
export function emblemOf(emoji) {
  const [whole] = emoji.replace(MODIFIERS, "").match(JOINED) ?? [""];
  const first = [...whole][0] ?? "";
  const point = first.codePointAt(0) ?? 0;
  return BY_EMOJI.get(whole) ?? BY_EMOJI.get(first) ?? KINDS.find(([from, to]) => from <= point && point <= to)?.[2] ?? ELSE;
}

/** A text and the icon for the emoji that it begins with, "" for none. @param {string} text @returns {[string, string]} icon, text */
export function apart(text) {
  const [sign] = LEADING.exec(text) ?? [""];
  return [sign && emblemOf(sign), text.slice(sign.length)];
}

/** Where an icon is in the sheet, in pixels. @param {string} name @returns {[number, number]} */
export function placeOf(name) {
  const at = NAMES.indexOf(name);
  return [(at % COLUMNS) * SIZE, Math.floor(at / COLUMNS) * SIZE];
}
