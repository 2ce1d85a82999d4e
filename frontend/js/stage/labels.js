/**
 * Names below the figures and, above them, what they do. Where there is no room for all, those that matter most come first; where
 * somebody stands in the way, they are put beside their figure. Only those who stand make others' words give way, so that nothing
 * hops about as people go by.
 */

import { clamp } from "../data/clamp.js";
import { emblemOf } from "../data/emblems.js";
import { shortNameIn } from "../data/cast.js";
import { BoxIndex } from "./boxes.js";
import { balloon, BALLOONS, pill, PILLS } from "./words.js";

const ROW = 19; // pixels from one name to the next below it
const EDGE = 2; // pixels between a name and the edge of the screen
const FAR = 0.35; // zoom below which only those who matter are named, and of everybody awake the face is seen
const FACE = 18; // its width, pixels
const NEAR = 110; // pixels within which somebody without a place for its name is counted with another
const NAMES_AT_MOST = 90;
const KEPT = 3000; // pictures of words kept

/** @typedef {import("./stage.js").Figure} Figure */
/** @typedef {import("./words.js").Word} Word */
/** @typedef {import("./boxes.js").Box} Box */
/** @typedef {{figure: Figure, word: Word, box: Box, more: number, faint: boolean}} Tag */
/** @typedef {{followed: string, hovered: string, talking: Set<string>, speaking: Set<string>}} Attention */

export class Labels {
  /** @param {CanvasRenderingContext2D} context @param {import("../data/shapes.js").RunView} run @param {import("./sprites.js").Sprites} sprites */
  constructor(context, run, sprites) {
    this.context = context;
    this.sprites = sprites;
    /** @type {Map<string, Word>} */
    this.words = new Map();
    this.scale = 1; // how large names are written
    this.run = run;
    /** @type {Set<string>} who was named in the frame before: names do not come and go for little */
    this.named = new Set();
  }

  /** @param {Figure[]} figures @param {Attention} attention @param {import("./camera.js").Camera} camera @param {Box[]} taken where there are other words already */
  draw(figures, attention, camera, taken) {
    const ranks = new Map(figures.map((figure) => [figure, this.rank(figure, attention)]));
    const order = [...figures].sort((a, b) => /** @type {number} */ (ranks.get(a)) - /** @type {number} */ (ranks.get(b)));
    const shown = camera.zoom >= FAR ? order : order.filter((figure) => /** @type {number} */ (ranks.get(figure)) <= 1);
    const standing = camera.zoom >= FAR ? figures.filter((figure) => !figure.pose.walking) : [];
    if (camera.zoom < FAR) this.faces(figures.filter((figure) => !figure.asleep));
    const balloons = this.emblems(shown, attention, new BoxIndex(taken), faces(standing));
    const tags = this.tags(shown, attention, camera.width, new BoxIndex(taken), bodies(standing, balloons));
    for (const tag of tags) this.tag(tag);
    this.named = new Set(tags.map((tag) => tag.figure.id));
  }

  /** Faces that mark residents seen from afar. @param {Figure[]} figures */
  faces(figures) {
    for (const { id, x, size, head } of figures) this.sprites.face(this.context, id, Math.round(x + size / 2), Math.round(head - FACE / 2), FACE);
  }

  /** The priority of a figure's name: lower comes first. @param {Figure} figure @param {Attention} attention */
  rank({ id, asleep }, { followed, hovered, talking }) {
    if (id === followed) return 0;
    if (id === hovered) return 1;
    if (talking.has(id)) return 2;
    return (this.named.has(id) ? 3 : 4) + (asleep ? 2 : 0);
  }

  /**
   * Finds each name a place, in the order given; whoever finds none is counted with a name near by.
   * @param {Figure[]} order @param {Attention} attention @param {number} width of the screen
   * @param {BoxIndex} words that no name may lie on @param {BoxIndex} people on whom it had better not
   */
  tags(order, { followed, hovered }, width, words, people) {
    /** @type {Tag[]} */
    const tags = [];
    for (const figure of order) {
      const full = figure.id === followed || figure.id === hovered;
      const name = full ? figure.name : shortNameIn(this.run, figure.id);
      const word = this.word(name, figure.id === followed ? "followed" : "name");
      const rows = below(figure, word, width, full ? 4 : 2).filter((box) => words.free(box));
      const beside = figure.pose.walking ? [] : besides(figure, word).filter((box) => box.left >= 0 && box.right <= width && words.free(box));
      const box =
        tags.length < NAMES_AT_MOST ? ([...rows.slice(0, 1), ...beside, ...rows.slice(1)].find((row) => people.free(row, figure.id)) ?? rows[0]) : undefined;
      if (!box) {
        nearest(figure, tags).more++;
        continue;
      }
      words.add(box);
      tags.push({ figure, word, box, more: 0, faint: figure.asleep && !full });
    }
    return tags;
  }

  /** @param {Tag} tag */
  tag({ word, box, more, faint }) {
    const { context } = this;
    context.globalAlpha = faint ? 0.7 : 1;
    context.drawImage(word.picture, box.left, box.top, word.width, word.height);
    context.globalAlpha = 1;
    if (!more) return;
    const count = this.word(`+${more}`, "more");
    context.drawImage(count.picture, box.right - 7, box.top - 7, count.width, count.height);
  }

  /**
   * Icons of what people do; whoever speaks has a bubble instead.
   * @param {Figure[]} order @param {Attention} attention @param {BoxIndex} words @param {BoxIndex} people
   * @returns {Map<string, Box>} where it is, by resident
   */
  emblems(order, { talking, speaking }, words, people) {
    /** @type {Map<string, Box>} */
    const drawn = new Map();
    for (const figure of order) {
      const emoji = talking.has(figure.id) ? "💬" : figure.action?.emoji;
      if (!emoji || speaking.has(figure.id)) continue;
      const free = above(figure).filter((box) => words.free(box));
      const box = free.find((box) => people.free(box, figure.id)) ?? free[0];
      if (!box) continue;
      words.add(box);
      drawn.set(figure.id, box);
      const word = this.word(emblemOf(emoji), "emblem");
      this.context.drawImage(word.picture, box.left - 5, box.top - 4, word.width, word.height);
    }
    return drawn;
  }

  /** Names are written so many times as large. @param {number} scale */
  enlarge(scale) {
    this.scale = scale;
    this.words.clear();
  }

  /** The picture of a word, or of an icon in a balloon; drawn once, as drawing text is slow. @param {string} text the word, or the name of the icon @param {keyof PILLS | keyof BALLOONS} style @param {string} [hue] of a dot before the word @returns {Word} */
  word(text, style, hue = "") {
    const ratio = window.devicePixelRatio || 1;
    const key = `${style}|${ratio}|${hue}|${text}`;
    let word = this.words.get(key);
    if (!word) {
      if (this.words.size > KEPT) this.words.clear();
      word = isBalloon(style) ? balloon(text, style, this.sprites.emblems, ratio) : pill(text, style, ratio, this.scale, hue);
      this.words.set(key, word);
    }
    return word;
  }
}

/** Places for a name below the feet, row by row, as far as can be on the screen. @param {Figure} figure @param {Word} word @param {number} screen its width @param {number} rows @returns {Box[]} */
function below({ x, y, size }, { width, height }, screen, rows) {
  const middle = Math.round(x + size / 2 - width / 2);
  const left = x + size > 0 && x < screen ? clamp(middle, EDGE, Math.max(EDGE, screen - width - EDGE)) : middle;
  const first = Math.round(y + size + 2);
  return Array.from({ length: rows }, (_, row) => ({
    left,
    top: first + row * Math.max(ROW, height),
    right: left + width,
    bottom: first + row * Math.max(ROW, height) + height,
  }));
}

/** Places for a name beside the feet. @param {Figure} figure @param {Word} word @returns {Box[]} */
function besides({ x, y, size }, { width, height }) {
  const top = Math.round(y + size * 0.4);
  return [Math.round(x + size * 0.84), Math.round(x + size * 0.16 - width)].map((left) => ({ left, top, right: left + width, bottom: top + height }));
}

/** Places for the icon of somebody: over the head, or to the right or left of it. @param {Figure} figure @returns {Box[]} */
function above({ x, size, head, pose }) {
  const aside = pose.walking ? [0] : [0, 0.4 * size + 13, -0.4 * size - 13];
  const top = Math.round(head - size * 0.06 - 25);
  return aside
    .map((by) => Math.round(x + size / 2 - 10 + by))
    .map((left, at) => ({ left, top: at ? top + 9 : top, right: left + 20, bottom: (at ? top + 9 : top) + 24 }));
}

/** The faces of people. @param {Figure[]} figures */
function faces(figures) {
  const room = new BoxIndex();
  for (const { id, x, size, head } of figures) room.add({ left: x + size * 0.2, top: head + size * 0.1, right: x + size * 0.8, bottom: head + size * 0.7 }, id);
  return room;
}

/** People from head to foot, and the balloons over them. @param {Figure[]} figures @param {Map<string, Box>} balloons */
function bodies(figures, balloons) {
  const room = new BoxIndex(balloons.values());
  for (const { id, x, y, size, head } of figures) room.add({ left: x + size * 0.2, top: head, right: x + size * 0.8, bottom: y + size * 0.9 }, id);
  return room;
}

/** @param {Figure} figure @param {Tag[]} tags @returns {{more: number}} */
function nearest({ x, y, size }, tags) {
  const away = (/** @type {Tag} */ tag) => Math.hypot((tag.box.left + tag.box.right) / 2 - x - size / 2, tag.box.top - y - size);
  let best = { more: 0 };
  let least = NEAR;
  for (const tag of tags) {
    const far = away(tag);
    if (far < least) [best, least] = [tag, far];
  }
  return best;
}

/** @param {keyof PILLS | keyof BALLOONS} style @returns {style is keyof BALLOONS} */
function isBalloon(style) {
  return style in BALLOONS;
}
