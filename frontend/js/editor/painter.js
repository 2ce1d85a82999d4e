/** The painter of a world's map: a room, its name, floor and walls, and the things in it; each change is checked and written at once, and can be undone. */

import * as api from "../data/api.js";
import { N_, P_, complaint, t } from "../data/i18n.js";
import { Refused } from "../data/refusals.js";
import { button, byId, make, setText } from "../dom.js";
import { named } from "./fields.js";
import { FLOORS, nameFields } from "./names.js";
import { readAgain, showUndo, takeBack } from "./undo.js";
import { CHANGED, called, rooms, stroke } from "./world.js";

/** @type {Record<string, {label: string, hint: string}>} */
const TOOLS = {
  move: { label: N_("Move"), hint: N_("Choose a thing, then the tile for its upper left corner.") },
  put: { label: N_("Put"), hint: N_("Choose the tile for its upper left corner.") },
  remove: { label: P_("tool", "Remove"), hint: N_("Choose the thing that is to go.") },
  wall: { label: N_("Wall"), hint: N_("Choose a tile: a piece of wall is built there, or one built here is taken away.") },
};

const PAUSE = 400; // milliseconds without a key after which a name is checked
const TILE = 48; // pixels of a tile on the page, where there is room
const EDGE = 1; // tiles that are seen around a room
const lang = document.documentElement.lang;

/** @typedef {import("./world.js").Problem} Problem */
/** @typedef {[number, number, number, number]} Box column, row, width and height, in tiles */
/** @typedef {{id: string, names: Record<string, string>, box: Box, kind: string}} Thing */
/** @typedef {{id: string, names: Record<string, string>, box: Box, things: Thing[]}} Room */
/** @typedef {{id: string, names: Record<string, string>, size: [number, number]}} Kind */
/** @typedef {{id: string, names: Record<string, string>}} Named */
/**
 * @typedef {{rooms: Room[], painted: boolean, town: import("./town.js").Town | null, kinds: Kind[], decorations: {id: string, size: [number, number]}[], floors: string[],
 *   grounds: string[], places: Named[], buildings: Kind[], version: string}} Rooms
 */
/** @typedef {{rooms: Room[], town: import("./town.js").Town | null, problems: Problem[], undo: string, version: string}} Painted */

export class Painter {
  /** @param {import("./world.js").World} world @param {Rooms} known @param {boolean} fixed whether it is only looked at @param {(problems: Problem[]) => void} complain */
  constructor(world, known, fixed, complain) {
    this.world = world;
    this.rooms = known.rooms;
    this.fixed = fixed;
    this.painted = known.painted; // more can be changed than names
    this.complain = complain;
    this.tool = "move";
    this.taken = ""; // the thing that is to be moved
    this.map = known.version; // for which changes are made
    /** @type {Promise<void>} */
    this.busy = Promise.resolve();
    this.timer = 0;
    this.room = known.rooms[0]?.id ?? "";
    this.said = make("p", "said");
    this.said.setAttribute("role", "status");
    this.choice = select(named(world, known.rooms));
    this.choice.addEventListener("change", () => ((this.room = this.choice.value), (this.taken = ""), this.show()));
    this.kind = select(known.kinds.map((kind) => [kind.id, called(kind.names, kind.id)]));
    this.kind.addEventListener("change", () => (this.use("put"), this.sample()));
    this.floor = select([["", t("as it is")], ...known.floors.map((kind) => /** @type {[string, string]} */ ([kind, t(FLOORS[kind])]))]);
    this.floor.addEventListener("change", () => this.floor.value && void this.change({ act: "floor", room: this.room, kind: this.floor.value }));
    this.names = make("div", "sides");
    this.picture = new Image();
    this.seen = Object.assign(new Image(), { alt: "", className: "sample" });
    this.board = make("div", "board");
    this.board.setAttribute("role", "group");
    this.board.ariaLabel = t("The room, tile by tile");
    this.board.addEventListener("keydown", (event) => this.walk(event));
    this.tools = make("div", "tools");
    byId("painter").replaceChildren(...this.parts());
    this.sample();
    if (this.painted) this.use("move");
    this.show();
  }

  parts() {
    const field = (/** @type {string} */ label, /** @type {Node[]} */ ...inside) => make("label", "field", make("span", "", label), ...inside);
    const acts = Object.entries(TOOLS).map(([tool, { label }]) => {
      const one = button("choice", () => this.use(tool), t(label));
      one.dataset.tool = tool;
      return one;
    });
    this.tools.setAttribute("role", "group");
    this.tools.append(...acts);
    const desk = this.fixed
      ? [make("p", "quietly", t("The world “{name}” comes with Hometown and stays as it is: copy it to change it.", { name: this.world.id }))]
      : this.painted
        ? [field(t("Floor"), this.floor), this.tools, field(t("Thing to put there"), this.kind), this.seen]
        : [make("p", "quietly", t("This map was drawn elsewhere: name its rooms here, and change the rest in Tiled."))];
    const form = [field(t("Room"), this.choice), ...(this.fixed ? [] : [this.names]), ...desk, this.said];
    return [make("div", "form", ...form), this.board];
  }

  /** The room that is shown. @returns {Room} */
  get shown() {
    return this.rooms.find(({ id }) => id === this.room) ?? this.rooms[0];
  }

  show() {
    const { names, box } = this.shown;
    const [left, top, width, height] = [Math.max(0, box[0] - EDGE), Math.max(0, box[1] - EDGE), box[2] + 2 * EDGE, box[3] + 2 * EDGE];
    this.picture.src = `${api.API}/worlds/${encodeURIComponent(this.world.id)}/part/${left}/${top}/${width}/${height}?${this.map}`;
    this.picture.alt = called(names, this.room);
    Object.assign(this.board.style, { width: `${width * TILE}px`, aspectRatio: `${width} / ${height}` });
    const tiles = Array.from({ length: this.painted ? box[2] * box[3] : 0 }, (_, at) =>
      this.tile(box[0] + (at % box[2]), box[1] + Math.floor(at / box[2]), [left, top, width, height]),
    );
    this.board.replaceChildren(this.picture, ...tiles);
    if (tiles[0]) tiles[0].tabIndex = 0;
    this.floor.value = "";
    const asked = (/** @type {Record<string, string>} */ named) => ({ act: "name", room: this.room, names: named });
    const changed = (/** @type {Record<string, string>} */ named) => (clearTimeout(this.timer), void this.change(asked(named)));
    const typed = (/** @type {Record<string, string>} */ named) => {
      clearTimeout(this.timer);
      this.timer = setTimeout(() => void this.check(asked(named)), PAUSE);
    };
    this.names.replaceChildren(...nameFields(this.world.langs, names, changed, typed));
  }

  /** @param {number} column @param {number} row @param {Box} whole */
  tile(column, row, [left, top, width, height]) {
    const thing = this.shown.things.find(({ box: [x, y, wide, high] }) => column >= x && column < x + wide && row >= y && row < y + high);
    const tile = button("tile", () => void this.touch(column, row, thing), "");
    const where = t("column {column}, row {row}", { column: column - this.shown.box[0] + 1, row: row - this.shown.box[1] + 1 });
    tile.ariaLabel = thing ? `${called(thing.names, thing.id)}, ${where}` : where;
    tile.title = thing ? called(thing.names, thing.id) : "";
    tile.tabIndex = -1;
    tile.disabled = this.fixed;
    tile.classList.toggle("thing", Boolean(thing));
    tile.classList.toggle("taken", Boolean(thing) && thing?.id === this.taken);
    Object.assign(tile.style, {
      left: `${((column - left) / width) * 100}%`,
      top: `${((row - top) / height) * 100}%`,
      width: `${100 / width}%`,
      height: `${100 / height}%`,
    });
    return tile;
  }

  /** The arrow keys lead from tile to tile. @param {KeyboardEvent} event */
  walk(event) {
    const tiles = /** @type {HTMLElement[]} */ ([...this.board.querySelectorAll(".tile")]);
    const wide = this.shown.box[2];
    const by = /** @type {Record<string, number>} */ ({ ArrowLeft: -1, ArrowRight: 1, ArrowUp: -wide, ArrowDown: wide })[event.key];
    const next = by && tiles[tiles.indexOf(/** @type {HTMLElement} */ (document.activeElement)) + by];
    if (!next) return;
    event.preventDefault();
    next.focus();
  }

  /** @param {string} tool */
  use(tool) {
    this.tool = tool;
    this.taken = "";
    for (const one of this.tools.children)
      if (one instanceof HTMLElement && one.dataset.tool) one.setAttribute("aria-pressed", String(one.dataset.tool === tool));
    this.say(t(TOOLS[tool].hint));
  }

  sample() {
    this.seen.src = `${api.API}/kinds/${encodeURIComponent(this.kind.value)}`;
  }

  /** @param {number} column @param {number} row @param {Thing | undefined} thing that is there */
  async touch(column, row, thing) {
    const at = [column, row];
    const { tool, room, taken } = this;
    if (tool === "put") await this.change({ act: "put", room, kind: this.kind.value, at });
    else if (tool === "wall") await this.change({ act: "wall", room, at });
    else if (tool === "remove" && thing) await this.change({ act: "remove", thing: thing.id });
    else if (tool === "move" && thing && thing.id !== taken)
      ((this.taken = thing.id), this.show(), this.say(t("{name}: choose where it goes.", { name: called(thing.names, thing.id) })));
    else if (tool === "move" && taken) ((this.taken = ""), await this.change({ act: "move", thing: taken, at }));
    const index = (row - this.shown.box[1]) * this.shown.box[2] + column - this.shown.box[0];
    /** @type {HTMLElement | undefined} */ (this.board.querySelectorAll(".tile")[index])?.focus();
  }

  /** What would be wrong then. @param {any} asked */
  async check(asked) {
    try {
      this.complain((await stroke.check(this.world.id, asked)).problems);
      this.say("");
    } catch (error) {
      this.say(complaint(error));
    }
  }

  /** @param {any} asked */
  change(asked) {
    return this.carryOut(() => stroke.make(this.world.id, asked, this.map));
  }

  /** Shows the map as it is now. @param {{rooms: Room[], version: string}} known */
  take(known) {
    this.rooms = known.rooms;
    this.map = known.version;
    this.show();
  }

  /** @param {() => Promise<Painted>} act @param {string} [said] */
  carryOut(act, said) {
    return changeMap(this, act, (problem) => (this.show(), this.say(problem)), said);
  }

  takeBack() {
    void this.carryOut(() => undoOnMap(this.world), t("As it was before."));
  }

  refresh() {
    void refreshMap(this);
  }

  /** @param {string} text */
  say(text) {
    setText(this.said, text);
  }
}

/**
 * A desk at which a map is changed.
 * @typedef {object} MapDesk
 * @property {import("./world.js").World} world
 * @property {string} map its version, for which changes are made
 * @property {Promise<void>} busy what is being done to it
 * @property {(known: any) => void} take shows another map
 * @property {(problems: any[]) => void} complain
 * @property {(text: string) => void} say
 */

/** Does something to a map after what is being done to it. @param {MapDesk} desk @param {() => Promise<void>} act */
function queue(desk, act) {
  return (desk.busy = desk.busy.then(act).catch((error) => desk.say(complaint(error))));
}

/**
 * Changes a map after the changes before, and shows it as it is then. A map that another editor has changed meanwhile is read again.
 * @param {MapDesk} desk @param {() => Promise<Painted>} act @param {(problem: string) => void} refuse tells why the change was not made @param {string} [said] tells that it was
 */
export function changeMap(desk, act, refuse, said = t("Saved.")) {
  return queue(desk, async () => {
    try {
      const painted = await act();
      desk.world.undo = painted.undo;
      showUndo(desk.world);
      desk.take(painted);
      desk.complain(painted.problems);
      desk.say(said);
    } catch (error) {
      const isOutdated = error instanceof Refused && error.status === CHANGED;
      if (isOutdated) await showAgain(desk, await rooms(desk.world.id));
      refuse(isOutdated ? t("Another person or program has changed the map meanwhile. It is shown as it is now: repeat your change.") : complaint(error));
    }
  });
}

/** Takes the last change of a world back. @param {import("./world.js").World} world @returns {Promise<Painted>} */
export async function undoOnMap(world) {
  const { problems, undo } = await takeBack(world);
  return { ...(await rooms(world.id)), problems, undo };
}

/** Shows a map as it is now, if another editor has changed it. @param {MapDesk} desk */
export function refreshMap(desk) {
  return queue(desk, async () => {
    const known = await rooms(desk.world.id);
    if (known.version === desk.map) return;
    await showAgain(desk, known);
    desk.say(t("Another person or program has changed the map meanwhile. It is shown as it is now."));
  });
}

/** @param {MapDesk} desk @param {Rooms} known */
async function showAgain(desk, known) {
  const { problems } = await readAgain(desk.world);
  desk.take(known);
  desk.complain(problems);
}

/** @param {[string, string][]} options values and their labels */
function select(options) {
  const element = /** @type {HTMLSelectElement} */ (make("select"));
  const sorted = options.map(([value, label]) => new Option(label, value));
  element.append(...sorted);
  element.lang = lang;
  return element;
}
