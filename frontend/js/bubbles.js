/** Speech bubbles: elements over the stage, one for each conversation, so that the browser lays out the words. */

import { clamp } from "./camera.js";
import { lineAt } from "./timeline.js";

const LONGEST = 140; // letters in a bubble; the panel has the whole line
const EDGE = 8;

export class Bubbles {
  /** @param {HTMLElement} layer @param {import("./stage.js").Stage} stage */
  constructor(layer, stage) {
    this.layer = layer;
    this.stage = stage;
    /** @type {Map<string, {element: HTMLElement, line: number, width: number, height: number}>} by talk */
    this.shown = new Map();
  }

  /** @param {number} tick */
  draw(tick) {
    const talks = this.stage.timeline.talks(tick);
    const ids = new Set(talks.map((talk) => talk.id));
    for (const [id, { element }] of this.shown) {
      if (ids.has(id)) continue;
      element.remove();
      this.shown.delete(id);
    }
    for (const talk of talks) this.place(talk, Math.max(0, lineAt(talk, tick)));
  }

  /** @param {import("./types.js").Talk} talk @param {number} line */
  place(talk, line) {
    const spoken = talk.lines[line];
    const figure = this.stage.figures.find((one) => one.id === spoken?.speaker);
    const bubble = this.bubble(talk, line);
    bubble.element.hidden = !figure;
    if (!figure) return;
    if (!bubble.width) [bubble.width, bubble.height] = [bubble.element.offsetWidth, bubble.element.offsetHeight];
    const { camera } = this.stage;
    const middle = figure.x + figure.size / 2;
    const left = clamp(middle - bubble.width / 2, EDGE, Math.max(EDGE, camera.width - bubble.width - EDGE));
    const top = figure.head - bubble.height - 10;
    bubble.element.style.transform = `translate(${Math.round(left)}px, ${Math.round(top)}px)`;
    bubble.element.style.setProperty("--tail", `${Math.round(clamp(middle - left, 14, bubble.width - 14))}px`);
  }

  /** @param {import("./types.js").Talk} talk @param {number} line */
  bubble(talk, line) {
    let bubble = this.shown.get(talk.id);
    if (!bubble) {
      const element = document.createElement("div");
      element.className = "bubble";
      this.layer.append(element);
      bubble = { element, line: -1, width: 0, height: 0 };
      this.shown.set(talk.id, bubble);
    }
    if (bubble.line !== line) {
      const { text } = talk.lines[line] ?? { text: "" };
      const letters = [...text];
      bubble.element.textContent = letters.length > LONGEST ? `${letters.slice(0, LONGEST).join("")}…` : text;
      Object.assign(bubble, { line, width: 0 });
    }
    return bubble;
  }
}
