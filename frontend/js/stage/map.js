/** A Tiled map (JSON): its tiles, its layers above and below the residents, and the whole of it in small. */

import { noteAfter } from "../data/changes.js";
import { ABOVE, GID, Ground, LIGHTS, LOOSE, STANDS } from "./ground.js";

const UNSEEN = "collision"; // the layer that says what blocks the way

/** @typedef {{first: number, last: number, columns: number, image: HTMLImageElement, size: number, margin: number, spacing: number}} Tileset */
/** @typedef {{name: string, opacity: number, cells: ArrayLike<number>}} Layer */

/** @param {string} src @returns {Promise<HTMLImageElement>} */
export function loadImage(src) {
  const image = new Image();
  image.src = src;
  return noteAfter(image.decode().then(() => image));
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
    /** @type {{bare: Set<number>, picture: OffscreenCanvas} | undefined} the overview, and what was bare when it was drawn */
    this.small = undefined;
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

  /** The map in small, without what is `bare`: a pixel for a tile, of the tile's mean colour; drawn anew only where something has been cleared. */
  overview() {
    if (this.small?.bare !== this.bare) this.small = { bare: this.bare, picture: this.shrunk() };
    return this.small.picture;
  }

  shrunk() {
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
