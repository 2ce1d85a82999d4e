/** A picture of what is seen: the town, its bubbles, and a line below that says what this is and where to find it. */

import { wrap } from "../data/wrap.js";

const FOOT = 46; // pixels of the line below
const PAD = { x: 11, y: 7 }; // of a bubble
const LINE = 1.4; // height of a line, in letters
const CHIP = { size: 20, gap: 6 }; // the portrait before a name
const ROUND = 12;
const TAIL = 7;
const [PAPER, INK, SOFT, BUBBLE] = ["#fffdf8", "#22271f", "#5c6357", "#fffdf6"];

/** @typedef {{x: number, y: number, width: number, height: number, tail: number, name: string, text: string, face?: HTMLImageElement | null}} Said a bubble, in pixels of the stage */
/** @typedef {{title: string, text: string, link: string}} Words below the picture */

/** The height of a picture of a stage. @param {number} height */
export function tall(height) {
  return height + FOOT;
}

/**
 * @param {CanvasRenderingContext2D} context of a canvas that is `ratio` times as large as the picture
 * @param {HTMLCanvasElement} town @param {{width: number, height: number}} size of the stage @param {number} ratio @param {Said[]} said @param {Words} words
 */
export function paint(context, town, { width, height }, ratio, said, words) {
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  context.fillStyle = PAPER;
  context.fillRect(0, 0, width, tall(height));
  context.drawImage(town, 0, 0, width, height);
  for (const bubble of said) paintBubble(context, bubble);
  paintWords(context, width, height, words);
}

/** @param {number} size @param {string} [weight] */
function font(size, weight = "400") {
  return `${weight} ${size}px ${getComputedStyle(document.documentElement).fontFamily}`;
}

/** @param {CanvasRenderingContext2D} context @param {Said} bubble */
function paintBubble(context, { x, y, width, height, tail, name, text, face }) {
  context.save();
  context.shadowColor = "rgb(0 0 0 / 30%)";
  context.shadowBlur = 8;
  context.fillStyle = BUBBLE;
  context.beginPath();
  context.roundRect(x, y, width, height, ROUND);
  context.moveTo(x + tail - TAIL, y + height);
  context.lineTo(x + tail, y + height + TAIL);
  context.lineTo(x + tail + TAIL, y + height);
  context.fill();
  context.restore();
  context.textBaseline = "middle";
  context.textAlign = "left";
  context.fillStyle = SOFT;
  context.font = font(12, "600");
  if (face?.complete && face.naturalWidth) context.drawImage(face, x + PAD.x - 3, y + PAD.y, CHIP.size, CHIP.size);
  context.fillText(name, x + PAD.x + (face ? CHIP.size + CHIP.gap - 3 : 0), y + PAD.y + (face ? CHIP.size / 2 : (12 * LINE) / 2));
  context.fillStyle = INK;
  context.font = font(14);
  const lines = wrap(text, width - 2 * PAD.x + 1, (part) => context.measureText(part).width);
  lines.forEach((line, at) => context.fillText(line, x + PAD.x, y + height - PAD.y - (lines.length - at - 0.5) * 14 * LINE));
}

/** @param {CanvasRenderingContext2D} context @param {number} width @param {number} top @param {Words} words */
function paintWords(context, width, top, { title, text, link }) {
  context.textBaseline = "middle";
  context.fillStyle = INK;
  context.font = font(14, "600");
  context.textAlign = "left";
  context.fillText(title, 14, top + 15, width - 28);
  context.fillStyle = SOFT;
  context.font = font(12);
  const room = width - 42 - context.measureText(link).width;
  context.fillText(wrap(text, Math.max(120, room), (part) => context.measureText(part).width)[0] ?? "", 14, top + 34, Math.max(40, room));
  context.textAlign = "right";
  context.fillText(link, width - 14, top + 34, width / 2);
}
