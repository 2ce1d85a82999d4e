/** Pictures of words and of icons, as they lie over the town. */

import { placeOf, SIZE } from "../data/emblems.js";

/** @typedef {{picture: HTMLCanvasElement, width: number, height: number}} Word */

export const HIGH = 18; // pixels of a name
const DOT = 8; // pixels of a building's colour
const FONT = '"Nunito Sans", "Noto Sans CJK SC", system-ui, -apple-system, "PingFang SC", "Microsoft YaHei", sans-serif';

/** @param {number} width @param {number} height @param {number} ratio @returns {{picture: HTMLCanvasElement, context: CanvasRenderingContext2D}} */
function sheet(width, height, ratio) {
  const picture = document.createElement("canvas");
  picture.width = Math.ceil(width * ratio);
  picture.height = Math.ceil(height * ratio);
  const context = /** @type {CanvasRenderingContext2D} */ (picture.getContext("2d"));
  context.scale(ratio, ratio);
  context.textAlign = "center";
  context.textBaseline = "middle";
  return { picture, context };
}

export const PILLS = {
  name: { back: "rgb(22 26 24 / 74%)", ink: "#ffffff", font: `600 12px ${FONT}`, high: HIGH },
  followed: { back: "#ffd166", ink: "#2a2107", font: `600 12px ${FONT}`, high: HIGH },
  thing: { back: "rgb(255 254 250 / 90%)", ink: "#5b3f22", font: `600 11px ${FONT}`, high: 16 },
  event: { back: "#fff1cc", ink: "#6b2a12", font: `600 12px ${FONT}`, high: HIGH },
  place: { back: "rgb(255 253 246 / 78%)", ink: "#39432f", font: `600 12px ${FONT}`, high: HIGH },
  ghost: { back: "rgb(232 234 240 / 86%)", ink: "#4a5266", font: `italic 600 11px ${FONT}`, high: 16 },
  more: { back: "#fffdf6", ink: "#22271f", font: `700 10px ${FONT}`, high: 14 },
};

/** @param {string} text @param {keyof PILLS} style @param {number} ratio @param {number} scale @param {string} [hue] of a dot before it @returns {Word} */
export function pill(text, style, ratio, scale, hue = "") {
  const { back, ink, font, high } = PILLS[style];
  const ruler = sheet(1, 1, 1).context;
  ruler.font = font;
  const before = hue ? DOT + 4 : 0;
  const width = Math.ceil(ruler.measureText(text).width) + 12 + before;
  const { picture, context } = sheet(width, high, ratio * scale);
  context.font = font;
  context.fillStyle = back;
  context.beginPath();
  context.roundRect(0, 0, width, high, high / 2);
  context.fill();
  context.fillStyle = ink;
  context.fillText(text, (width + before) / 2, high / 2 + 0.5);
  if (hue) {
    context.fillStyle = hue;
    context.beginPath();
    context.arc(6 + DOT / 2, high / 2, DOT / 2, 0, 2 * Math.PI);
    context.fill();
  }
  return { picture, width: width * scale, height: high * scale };
}

export const BALLOONS = { emblem: "rgb(255 254 250 / 96%)", alarm: "#ffd166" };

/** @param {string} name of an icon @param {keyof BALLOONS} style @param {HTMLImageElement | null} emblems their sheet @param {number} ratio @returns {Word} */
export function balloon(name, style, emblems, ratio) {
  const { picture, context } = sheet(30, 30, ratio);
  context.shadowColor = "rgb(0 0 0 / 30%)";
  context.shadowBlur = 2 * ratio;
  context.shadowOffsetY = ratio;
  context.fillStyle = BALLOONS[style];
  context.beginPath();
  context.roundRect(2, 1, 26, 22, 10);
  context.moveTo(11, 22.5);
  context.lineTo(15, 28);
  context.lineTo(19, 22.5);
  context.fill();
  context.shadowColor = "transparent";
  context.imageSmoothingEnabled = false;
  if (emblems) context.drawImage(emblems, ...placeOf(name), SIZE, SIZE, 7, 4, SIZE, SIZE);
  return { picture, width: 30, height: 30 };
}
