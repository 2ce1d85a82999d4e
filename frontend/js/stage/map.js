/** A Tiled map (JSON), drawn once in chunks and then copied to the stage. */

import { clamp } from "../data/clamp.js";

const CHUNK = 8; // tiles: 256 × 256 pixels, so that little is drawn that is not seen
const HALVED_AT_MOST = 2; // times that chunks are halved to be seen from afar
const UNSEEN = "collision"; // the layer that says what blocks the way
const LIGHTS = "lights"; // the layer that glows at night: windows, lamps
const ABOVE = "foreground"; // the layer that hides residents: the tops of trees
const STANDS = "furniture"; // the layer of what stands on the ground
const LOOSE = [STANDS, ABOVE, LIGHTS]; // the layers that hold parts of things
const GID = 0x1fffffff; // the lower bits of a cell; the upper ones say how it is turned
const FLIP_X = 0x80000000;
const FLIP_Y = 0x40000000;
const FLIP_DIAGONALLY = 0x20000000; // columns and rows change places, before the other two

/** @typedef {{first: number, last: number, columns: number, image: HTMLImageElement, size: number, margin: number, spacing: number}} Tileset */
/** @typedef {{name: string, opacity: number, cells: ArrayLike<number>}} Layer */

/** @param {string} src @returns {Promise<HTMLImageElement>} */
export function loadImage(src) {
  const image = new Image();
  image.src = src;
  return image.decode().then(() => image);
}

export class TiledMap {
  /**
   * @param {any} data        the map in the form of `page_map.py`: a flat list of layers, their cells as numbers
   * @param {Tileset[]} sets
   */
  constructor(data, sets) {
    this.tile = data.tilewidth;
    this.columns = data.width;
    this.rows = data.height;
    this.sets = sets;
    /** @type {Map<Tileset, Uint8ClampedArray> | undefined} the tiles' mean colours, once they have been worked out */
    this.colours = undefined;
    const drawn = data.layers
      .filter((/** @type {any} */ layer) => layer.type === "tilelayer" && layer.visible !== false && layer.name !== UNSEEN && layer.name !== LIGHTS)
      .map((/** @type {any} */ layer) => ({ name: layer.name, opacity: layer.opacity ?? 1, cells: layer.data }));
    this.below = new Ground(
      this,
      drawn.filter((/** @type {Layer} */ layer) => layer.name !== ABOVE),
    );
    this.above = new Ground(
      this,
      drawn.filter((/** @type {Layer} */ layer) => layer.name === ABOVE),
    );
    const lit = data.layers.filter((/** @type {any} */ layer) => layer.type === "tilelayer" && layer.name === LIGHTS);
    this.lights = new Ground(
      this,
      lit.map((/** @type {any} */ layer) => ({ name: LIGHTS, opacity: 1, cells: layer.data })),
    );
    /** @type {Set<number>} cells that nothing stands on any more */
    this.bare = new Set();
    /** @type {[number, number][]} the tiles that light is shed from */
    this.lamps = this.lights.layers.flatMap((layer) =>
      Array.from(layer.cells).flatMap((cell, at) => (cell ? [/** @type {[number, number]} */ ([at % this.columns, Math.floor(at / this.columns)])] : [])),
    );
  }

  get width() {
    return this.columns * this.tile;
  }

  get height() {
    return this.rows * this.tile;
  }

  /** @param {any} data the map file @param {string} folder address of its images */
  static async load(data, folder) {
    const sets = data.tilesets.map(async (/** @type {any} */ set) => ({
      first: set.firstgid,
      last: set.firstgid + set.tilecount - 1,
      columns: set.columns,
      size: set.tilewidth,
      margin: set.margin ?? 0,
      spacing: set.spacing ?? 0,
      image: await loadImage(set.image.startsWith("data:") ? set.image : folder + set.image.split("/").map(encodeURIComponent).join("/")),
    }));
    return new TiledMap(data, await Promise.all(sets));
  }

  /**
   * The cells of a layer whose mean colour fits, with that colour.
   * @param {string} name @param {(red: number, green: number, blue: number) => boolean} fits @returns {{at: [number, number], colour: string}[]}
   */
  cellsLike(name, fits) {
    const colours = (this.colours ??= new Map(this.sets.map((set) => [set, meanColours(set)])));
    const cells = [...this.below.layers, ...this.above.layers].find((layer) => layer.name === name)?.cells ?? [];
    return Array.from(cells).flatMap((cell, at) => {
      const set = this.setOf(cell & GID);
      const from = set ? 4 * ((cell & GID) - set.first) : 0;
      const [red, green, blue] = set ? (colours.get(set)?.slice(from, from + 3) ?? []) : [];
      if (red === undefined || !fits(red, green, blue)) return [];
      return [{ at: /** @type {[number, number]} */ ([at % this.columns, Math.floor(at / this.columns)]), colour: `rgb(${red} ${green} ${blue})` }];
    });
  }

  /** The map in small, without what is `bare`: a pixel for a tile, of the tile's mean colour. */
  overview() {
    const colours = (this.colours ??= new Map(this.sets.map((set) => [set, meanColours(set)])));
    const seen = new ImageData(this.columns, this.rows);
    for (const layer of [...this.below.layers, ...this.above.layers]) {
      const loose = LOOSE.includes(layer.name);
      for (let at = 0; at < this.columns * this.rows; at++) {
        if (loose && this.bare.has(at)) continue;
        const gid = layer.cells[at] & GID;
        const set = gid ? this.setOf(gid) : undefined;
        if (set) lay(seen.data, at, /** @type {Uint8ClampedArray} */ (colours.get(set)), gid - set.first, layer.opacity);
      }
    }
    const picture = new OffscreenCanvas(this.columns, this.rows);
    picture.getContext("2d")?.putImageData(seen, 0, 0);
    return picture;
  }

  /**
   * Leaves out what stands on some tiles, and from now on nothing else. A picture may be wider than the thing that it shows: what
   * stands right beside goes, too, unless it counts as another thing.
   * @param {[number, number][]} tiles @param {(column: number, row: number) => boolean} counts
   */
  clear(tiles, counts) {
    const standing = this.below.layers.find((layer) => layer.name === STANDS);
    const cell = (/** @type {number} */ column, /** @type {number} */ row) => row * this.columns + column;
    const beside = tiles.flatMap(([column, row]) =>
      [column - 1, column + 1].filter((near) => standing?.cells[cell(near, row)] && !counts(near, row)).map((near) => cell(near, row)),
    );
    this.bare = new Set([...tiles.map(([column, row]) => cell(column, row)), ...beside]);
    for (const ground of [this.below, this.above, this.lights]) ground.forget();
  }

  /** @param {number} gid @returns {Tileset | undefined} */
  setOf(gid) {
    return this.sets.find((set) => set.first <= gid && gid <= set.last);
  }
}

/** Lays a pixel over another. @param {Uint8ClampedArray} under @param {number} to @param {Uint8ClampedArray} over @param {number} from @param {number} opacity */
function lay(under, to, over, from, opacity) {
  const covers = (over[4 * from + 3] / 255) * opacity;
  const shines = (under[4 * to + 3] / 255) * (1 - covers);
  for (let part = 0; part < 3; part++) under[4 * to + part] = (over[4 * from + part] * covers + under[4 * to + part] * shines) / (covers + shines || 1);
  under[4 * to + 3] = 255 * (covers + shines);
}

/** The tiles of a set, a pixel for each: red, green, blue, alpha. @param {Tileset} set */
function meanColours({ image, size, margin, spacing, columns }) {
  const pitch = size + spacing;
  const rows = Math.floor((image.height - margin + spacing) / pitch);
  const picture = new OffscreenCanvas(columns, rows);
  const context = /** @type {OffscreenCanvasRenderingContext2D} */ (picture.getContext("2d"));
  context.imageSmoothingQuality = "high";
  context.drawImage(image, margin, margin, columns * pitch, rows * pitch, 0, 0, columns, rows);
  return context.getImageData(0, 0, columns, rows).data;
}

/** @param {number} width @param {number} height */
function blank(width, height) {
  const canvas = document.createElement("canvas");
  canvas.width = width;
  canvas.height = height;
  return { canvas, context: /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d")) };
}

/** A picture at half its size. @param {HTMLCanvasElement | null} picture */
function half(picture) {
  if (!picture) return null;
  const { canvas, context } = blank(picture.width / 2, picture.height / 2);
  context.imageSmoothingQuality = "high";
  context.drawImage(picture, 0, 0, canvas.width, canvas.height);
  return canvas;
}

/**
 * Some layers of a map, in chunks that are drawn when first seen. Seen from afar, they are copied from chunks of half the size, or
 * of a quarter; while the camera rests, all that it sees is one picture.
 */
class Ground {
  /** @param {TiledMap} map @param {Layer[]} layers */
  constructor(map, layers) {
    this.map = map;
    this.layers = layers;
    /** @type {Map<number, HTMLCanvasElement | null>} null: nothing is there to be drawn */
    this.chunks = new Map();
    this.view = "";
    /** @type {HTMLCanvasElement | null} what was seen in the frame before, if the camera rests */
    this.still = null;
  }

  /** Forgets what has been drawn. */
  forget() {
    this.chunks.clear();
    this.view = "";
  }

  /**
   * Copies what `camera` sees.
   * @param {CanvasRenderingContext2D} context
   * @param {import("./camera.js").Camera} camera
   */
  draw(context, camera) {
    if (!this.layers.length) return;
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
    if (known !== undefined) return known;
    const canvas = halved ? half(this.chunk(column, row, halved - 1)) : this.drawn(column * CHUNK, row * CHUNK);
    this.chunks.set(key, canvas);
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
