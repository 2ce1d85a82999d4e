/** Some layers of a map, drawn once in chunks and then copied to the stage. */

import { clamp } from "../data/clamp.js";

const CHUNK = 8; // tiles: 256 × 256 pixels, so that little is drawn that is not seen
const FAR = 0.1; // zoom below which the overview is drawn: a tile is smaller than three pixels
const PIXELS_KEPT = 32e6; // of chunks of some layers at most: 128 MB
const HALVED_AT_MOST = 2; // times that chunks are halved to be seen from afar
const FLIP_X = 0x80000000;
const FLIP_Y = 0x40000000;
const FLIP_DIAGONALLY = 0x20000000; // columns and rows change places, before the other two
export const LIGHTS = "lights"; // the layer that glows at night: windows, lamps
export const ABOVE = "foreground"; // the layer that hides residents: the tops of trees
export const STANDS = "furniture"; // the layer of what stands on the ground
export const LOOSE = [STANDS, ABOVE, LIGHTS]; // the layers that hold parts of things
export const GID = 0x1fffffff; // the lower bits of a cell; the upper ones say how it is turned

/** @typedef {import("./map.js").TiledMap} TiledMap */
/** @typedef {import("./map.js").Layer} Layer */

/**
 * Some layers of a map, in chunks that are drawn when first seen. Seen from afar, they are copied from chunks of half the size, or
 * of a quarter; while the camera rests, all that it sees is one picture.
 */
export class Ground {
  /** @param {TiledMap} map @param {Layer[]} layers */
  constructor(map, layers) {
    this.map = map;
    this.layers = layers;
    /** @type {Map<number, HTMLCanvasElement | null>} null: nothing is there to be drawn */
    this.chunks = new Map();
    this.pixels = 0;
    this.view = "";
    /** @type {HTMLCanvasElement | null} what was seen in the frame before, if the camera rests */
    this.still = null;
  }

  /** Forgets what has been drawn. */
  forget() {
    this.chunks.clear();
    this.pixels = 0;
    this.view = "";
  }

  /**
   * Copies what `camera` sees.
   * @param {CanvasRenderingContext2D} context
   * @param {import("./camera.js").Camera} camera
   */
  draw(context, camera) {
    if (!this.layers.length) return;
    if (camera.zoom < FAR) return this === this.map.below ? this.fromAfar(context, camera) : undefined;
    const { canvas } = context;
    const view = [camera.view, canvas.width, canvas.height].join();
    if (view !== this.view) {
      this.view = view;
      this.still = null;
      this.copy(context, camera, canvas.width / camera.width);
      return;
    }
    const still = (this.still ??= this.seen(camera, canvas));
    context.drawImage(still, 0, 0, camera.width, camera.height);
  }

  /** The whole map, so far away that a tile is a dot. @param {CanvasRenderingContext2D} context @param {import("./camera.js").Camera} camera */
  fromAfar(context, camera) {
    const [[left, top], [right, bottom]] = [camera.toScreen(0, 0), camera.toScreen(...camera.world)];
    context.imageSmoothingEnabled = true;
    context.drawImage(this.map.overview(), left, top, right - left, bottom - top);
  }

  /** @param {import("./camera.js").Camera} camera @param {HTMLCanvasElement} like a canvas of the size that is wanted */
  seen(camera, { width, height }) {
    const picture = blank(width, height);
    const ratio = width / camera.width;
    picture.context.scale(ratio, ratio);
    picture.context.imageSmoothingEnabled = camera.zoom < 1;
    this.copy(picture.context, camera, ratio);
    return picture.canvas;
  }

  /** Edges are rounded to whole pixels, so that no seams show. @param {CanvasRenderingContext2D} context @param {import("./camera.js").Camera} camera @param {number} ratio device pixels to a pixel */
  copy(context, camera, ratio) {
    const step = CHUNK * this.map.tile;
    const halved = clamp(Math.floor(-Math.log2(camera.zoom * ratio)), 0, HALVED_AT_MOST);
    const [left, top] = camera.toWorld(0, 0);
    const [right, bottom] = camera.toWorld(camera.width, camera.height);
    const lastColumn = Math.min(Math.ceil(this.map.columns / CHUNK) - 1, Math.floor(right / step));
    const lastRow = Math.min(Math.ceil(this.map.rows / CHUNK) - 1, Math.floor(bottom / step));
    for (let row = Math.max(0, Math.floor(top / step)); row <= lastRow; row++) {
      for (let column = Math.max(0, Math.floor(left / step)); column <= lastColumn; column++) {
        const chunk = this.chunk(column, row, halved);
        if (!chunk) continue;
        const [x, y] = camera.toScreen(column * step, row * step).map(Math.round);
        const [x2, y2] = camera.toScreen((column + 1) * step, (row + 1) * step).map(Math.round);
        context.drawImage(chunk, x, y, x2 - x, y2 - y);
      }
    }
  }

  /** @param {number} column @param {number} row in chunks @param {number} halved how many times @returns {HTMLCanvasElement | null} */
  chunk(column, row, halved) {
    const key = (halved * 4096 + row) * 4096 + column;
    const known = this.chunks.get(key);
    if (known !== undefined) {
      this.chunks.delete(key);
      this.chunks.set(key, known); // used last
      return known;
    }
    const canvas = halved ? half(this.chunk(column, row, halved - 1)) : this.drawn(column * CHUNK, row * CHUNK);
    this.chunks.set(key, canvas);
    this.pixels += area(canvas);
    for (const [oldest, picture] of this.pixels > PIXELS_KEPT ? this.chunks : []) {
      if (this.pixels <= PIXELS_KEPT) break;
      this.chunks.delete(oldest);
      this.pixels -= area(picture);
    }
    return canvas;
  }

  /** @param {number} left @param {number} top in tiles @returns {HTMLCanvasElement | null} */
  drawn(left, top) {
    const { tile, columns, rows, bare } = this.map;
    let cells = 0;
    const { canvas, context } = blank(CHUNK * tile, CHUNK * tile);
    for (const layer of this.layers) {
      context.globalAlpha = layer.opacity;
      const loose = LOOSE.includes(layer.name);
      for (let y = top; y < Math.min(rows, top + CHUNK); y++) {
        for (let x = left; x < Math.min(columns, left + CHUNK); x++) {
          const cell = layer.cells[y * columns + x];
          if (!cell || (loose && bare.has(y * columns + x))) continue;
          this.cell(context, cell, (x - left) * tile, (y - top) * tile);
          cells++;
        }
      }
    }
    return cells ? canvas : null;
  }

  /** @param {CanvasRenderingContext2D} context @param {number} cell @param {number} x @param {number} y */
  cell(context, cell, x, y) {
    const gid = cell & GID;
    const set = gid ? this.map.setOf(gid) : undefined;
    if (!set) return;
    const index = gid - set.first;
    const pitch = set.size + set.spacing;
    const sx = set.margin + (index % set.columns) * pitch;
    const sy = set.margin + Math.floor(index / set.columns) * pitch;
    const { tile } = this.map;
    if (!(cell & (FLIP_X | FLIP_Y | FLIP_DIAGONALLY))) {
      context.drawImage(set.image, sx, sy, set.size, set.size, x, y, tile, tile);
      return;
    }
    context.save();
    context.translate(x + tile / 2, y + tile / 2);
    context.scale(cell & FLIP_X ? -1 : 1, cell & FLIP_Y ? -1 : 1);
    if (cell & FLIP_DIAGONALLY) context.transform(0, 1, 1, 0, 0, 0);
    context.drawImage(set.image, sx, sy, set.size, set.size, -tile / 2, -tile / 2, tile, tile);
    context.restore();
  }
}

/** @param {number} width @param {number} height */
function blank(width, height) {
  const canvas = document.createElement("canvas");
  canvas.width = width;
  canvas.height = height;
  return { canvas, context: /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d")) };
}

/** How many pixels a picture has. @param {HTMLCanvasElement | null} picture */
function area(picture) {
  return picture ? picture.width * picture.height : 0;
}

/** A picture at half its size. @param {HTMLCanvasElement | null} picture */
function half(picture) {
  if (!picture) return null;
  const { canvas, context } = blank(picture.width / 2, picture.height / 2);
  context.imageSmoothingQuality = "high";
  context.drawImage(picture, 0, 0, canvas.width, canvas.height);
  return canvas;
}
