/** The desk on which a whole town is drawn: buildings, rooms, ground, plants and things; each change is checked and written at once, and can be undone. */

import * as api from "../data/api.js";
import { N_, P_, t } from "../data/i18n.js";
import { button, byId, make, setPressed, setText } from "../dom.js";
import { Board, place } from "./board.js";
import { DECORATIONS, FLOORS, GROUNDS, nameFields } from "./names.js";
import { changeMap, refreshMap, undoOnMap } from "./painter.js";
import { called, portrait, stroke } from "./world.js";

/** @typedef {import("./world.js").Problem} Problem */
/** @typedef {import("./painter.js").Rooms} Rooms */
/** @typedef {import("./painter.js").Box} Box */
/** @typedef {import("./board.js").Tile} Tile */
/** @typedef {{id: string, names: Record<string, string>, box: Box}} Place */
/** @typedef {{ground: string[], sectors: Place[], decor: {kind: string, at: Tile}[]}} Town */
/** @typedef {{id: string, label: string, picture: string}} Option what a tool can draw */

/** @type {Record<string, {label: string, hint: string}>} */
const TOOLS = {
  select: { label: N_("Choose"), hint: N_("Choose a room or a thing to name, move or demolish it.") },
  build: { label: P_("tool", "Building"), hint: N_("Choose a building, then its place on the map.") },
  room: { label: P_("tool", "Room"), hint: N_("Draw a rectangle from corner to corner. A room that shares a wall with a building becomes a part of it.") },
  ground: { label: P_("tool", "Ground"), hint: N_("Choose a ground or a plant, and draw it on the map.") },
  put: { label: P_("tool", "Thing"), hint: N_("Choose a thing, then its place in a room, a park or a square.") },
  wall: { label: P_("tool", "Wall"), hint: N_("Choose a tile of a room: a piece of wall is built there, or taken away.") },
  door: { label: P_("tool", "Door"), hint: N_("Choose a piece of wall, fence or hedge for a door, or a door to close it.") },
  clear: { label: P_("tool", "Remove"), hint: N_("Choose a thing, a plant or a decoration that is to go.") },
};

const AREAS = ["garden", "field", "wheat", "water", "paving"]; // drawn as rectangles
const MOST = 3000; // tiles of one change

export class TownDesk {
  /** @param {import("./world.js").World} world @param {Rooms} known @param {Town} town @param {boolean} fixed @param {(problems: Problem[]) => void} complain */
  constructor(world, known, town, fixed, complain) {
    this.world = world;
    this.known = known;
    this.town = town;
    this.fixed = fixed;
    this.complain = complain;
    this.tool = "select";
    /** @type {Record<string, string>} */
    this.chosen = { build: known.buildings[0].id, room: known.places[0].id, ground: "path", put: known.kinds[0].id }; // by tool
    this.moved = ""; // the thing that is to be moved
    this.busy = Promise.resolve();
    this.said = make("p", "said");
    this.said.setAttribute("role", "status");
    this.tools = make("div", "tools");
    this.tools.setAttribute("role", "group");
    this.options = make("div", "options");
    this.board = new Board([town.ground[0].length, town.ground.length], this.drawer());
    this.people = make("div", "sleepers");
    this.board.sheet.append(this.people);
    const zoom = make(
      "div",
      "zoom",
      button("", () => this.board.enlarge(-1), "−"),
      button("", () => this.board.enlarge(1), "+"),
    );
    zoom.children[0].ariaLabel = t("Smaller");
    zoom.children[1].ariaLabel = t("Larger");
    for (const [tool, { label }] of Object.entries(TOOLS)) {
      const one = button("choice", () => this.use(tool), t(label));
      one.dataset.tool = tool;
      this.tools.append(one);
    }
    const bar = make("div", "bar", this.said, zoom);
    byId("painter").replaceChildren(make("div", "form", !fixed && this.tools, this.options), make("div", "map", bar, this.board.element));
    this.board.fit();
    this.use(fixed || town.sectors.length ? "select" : "build");
    this.redraw();
  }

  /** Shows the town as it is now. */
  redraw() {
    const [columns, rows] = this.board.size;
    this.board.show(`${api.API}/worlds/${encodeURIComponent(this.world.id)}/part/0/0/${columns}/${rows}?${this.known.version}`);
    const things = new Map(this.known.rooms.flatMap((room) => room.things).map((thing) => [thing.id, thing]));
    const faces = Object.entries(this.world.residents).flatMap(([who, { sleeps, name }]) => {
      const bed = things.get(sleeps);
      if (!bed) return [];
      const picture = portrait(this.world, who);
      const one = Object.assign(new Image(), { src: picture, alt: called(name, who), title: called(name, who) });
      place(one, [bed.box[0], bed.box[1], 1, 1]);
      return [one];
    });
    this.people.replaceChildren(...faces);
  }

  /** @param {string} tool */
  use(tool) {
    this.tool = tool;
    this.moved = "";
    for (const one of this.tools.children) setPressed(/** @type {HTMLElement} */ (one), /** @type {HTMLElement} */ (one).dataset.tool === tool);
    this.options.replaceChildren(...this.choices());
    this.say(t(TOOLS[tool].hint));
    this.arm();
  }

  arm() {
    this.board.tool = this.drawer();
    this.board.drop();
  }

  /** What can be chosen for the tool. @returns {Node[]} */
  choices() {
    const named = (/** @type {import("./painter.js").Named[]} */ items, /** @type {string} */ folder) =>
      items.map(({ id, names }) => ({ id, label: called(names, id), picture: folder && `${api.API}/${folder}/${encodeURIComponent(id)}` }));
    if (this.tool === "build") return [this.grid(named(this.known.buildings, "buildings"))];
    if (this.tool === "room") return [this.grid(named(this.known.places, ""))];
    if (this.tool === "ground") return [this.grid(this.known.grounds.map((id) => ({ id, label: t(GROUNDS[id]), picture: `${api.API}/grounds/${id}` })))];
    if (this.tool === "put") return this.things(named(this.known.kinds, "kinds"));
    return [];
  }

  /** @param {Option[]} options */
  grid(options) {
    const tiles = options.map(({ id, label, picture }) => {
      const image = picture && Object.assign(new Image(), { src: picture, alt: "", loading: "lazy" });
      const one = button("option", () => this.choose(id), image, make("span", "", label));
      one.dataset.id = id;
      setPressed(one, id === this.chosen[this.tool]);
      return one;
    });
    return make("div", "grid", ...tiles);
  }

  /** The things, of which a part can be searched for. @param {Option[]} options */
  things(options) {
    const decorations = Object.entries(DECORATIONS).map(([id, label]) => ({ id, label: t(label), picture: `${api.API}/kinds/${id}` }));
    const [things, small] = [this.grid(options), this.grid(decorations)];
    const search = /** @type {HTMLInputElement} */ (make("input"));
    Object.assign(search, { type: "search", placeholder: t("Search"), ariaLabel: t("Search for a thing") });
    search.addEventListener("input", () => {
      const sought = search.value.trim().toLowerCase();
      for (const one of [...things.children, ...small.children]) /** @type {HTMLElement} */ (one).hidden = !one.textContent?.toLowerCase().includes(sought);
    });
    return [search, things, make("h3", "", t("Decorations")), small];
  }

  /** @param {string} id */
  choose(id) {
    this.chosen[this.tool] = id;
    for (const one of this.options.querySelectorAll(".option"))
      setPressed(/** @type {HTMLElement} */ (one), /** @type {HTMLElement} */ (one).dataset.id === id);
    this.arm();
  }

  /** The tool as the board needs it. @returns {import("./board.js").Tool} */
  drawer() {
    const id = this.chosen[this.tool];
    const act = (/** @type {Tile[]} */ tiles) => void this.draw(tiles);
    if (this.tool === "build") return { way: "click", size: this.sizeOf(this.known.buildings, id), picture: `${api.API}/buildings/${id}`, act };
    if (this.tool === "put")
      return { way: "click", size: this.sizeOf([...this.known.kinds, ...this.known.decorations], id), picture: `${api.API}/kinds/${id}`, act };
    if (this.tool === "room") return { way: "area", size: [1, 1], picture: "", act };
    if (this.tool === "ground") return { way: AREAS.includes(id) ? "area" : "paint", size: [1, 1], picture: "", act };
    if (this.moved) return { way: "click", size: this.sizeOfThing(), picture: "", act };
    return { way: "click", size: [1, 1], picture: "", act };
  }

  /** @param {{id: string, size: Tile}[]} items @param {string} id @returns {Tile} */
  sizeOf(items, id) {
    return items.find((item) => item.id === id)?.size ?? [1, 1];
  }

  /** @returns {Tile} */
  sizeOfThing() {
    const { kind } = this.known.rooms.flatMap((room) => room.things).find(({ id }) => id === this.moved) ?? { kind: "" };
    return this.sizeOf(this.known.kinds, kind);
  }

  /** Carries the tool out. @param {Tile[]} tiles */
  draw(tiles) {
    const [at, to] = tiles;
    const chosen = this.chosen[this.tool];
    const asked = {
      build: { act: "build", building: chosen, at },
      room: { act: "room", kind: chosen, from: at, to },
      ground: { act: "ground", kind: chosen, tiles: AREAS.includes(chosen) ? filled(at, to ?? at) : tiles.slice(0, MOST) },
      put: { act: "put", kind: chosen, at },
      wall: { act: "wall", room: this.roomAt(at)?.id ?? "", at },
      door: { act: "door", at },
      clear: { act: "clear", at },
    }[this.tool];
    if (asked) return this.change(asked);
    if (this.moved) {
      const thing = this.moved;
      this.moved = "";
      this.arm();
      return this.change({ act: "move", thing, at });
    }
    this.inspect(at);
  }

  /** @param {Tile} at */
  roomAt([column, row]) {
    return this.known.rooms.find(({ box }) => within(box, column, row));
  }

  /** Shows what is on a tile, to be named, moved or taken away. @param {Tile} at */
  inspect([column, row]) {
    const room = this.roomAt([column, row]);
    const sector = this.town.sectors.find(({ id, box }) => (room ? room.id.startsWith(`${id}/`) : within(box, column, row)));
    const thing = room?.things.find(({ box }) => within(box, column, row));
    if (!sector) return this.options.replaceChildren(make("p", "quietly", t("Nothing is built here.")));
    if (this.fixed) return;
    const part = (/** @type {string} */ title, /** @type {Place} */ { id, names }, /** @type {Node[]} */ ...acts) =>
      make(
        "fieldset",
        "",
        make("legend", "", title),
        ...nameFields(this.world.langs, names, (named) => this.change({ act: "name", room: id, names: named })),
        ...acts,
      );
    const parts = [
      part(
        t("Building or open place"),
        sector,
        button("drop", () => this.demolish(sector), t("Demolish")),
      ),
    ];
    if (room) parts.push(part(t("Room"), room));
    if (room && this.known.floors.includes(this.town.ground[row][column])) parts.push(this.floors(room.id));
    if (thing)
      parts.push(
        make(
          "div",
          "acts",
          button("", () => this.lift(thing.id), t("Move: {name}", { name: called(thing.names, thing.id) })),
        ),
      );
    this.options.replaceChildren(...parts);
  }

  /** @param {string} room */
  floors(room) {
    const floors = this.known.floors.map((kind) => button("", () => this.change({ act: "floor", room, kind }), t(FLOORS[kind])));
    return make("fieldset", "", make("legend", "", t("Floor")), make("div", "tools", ...floors));
  }

  /** @param {string} thing */
  lift(thing) {
    this.moved = thing;
    this.arm();
    this.say(t("Choose where it goes."));
  }

  /** @param {Place} sector */
  demolish({ id }) {
    this.options.replaceChildren();
    this.change({ act: "demolish", sector: id });
  }

  /** @param {any} asked */
  change(asked) {
    this.carryOut(() => stroke.make(this.world.id, asked, this.known.version));
  }

  /** Changes the town, and shows it as it is then. @param {() => Promise<import("./painter.js").Painted>} act @param {string} [said] */
  carryOut(act, said) {
    this.say(t("Drawing …"));
    const refuse = (/** @type {string} */ problem) => {
      this.say(problem.split("\n")[0]); // what follows from the first is of no use
      this.board.marks.replaceChildren();
    };
    void changeMap(this, act, refuse, said);
  }

  takeBack() {
    this.carryOut(() => undoOnMap(this.world), t("As it was before."));
  }

  refresh() {
    void refreshMap(this);
  }

  get map() {
    return this.known.version;
  }

  /** @param {{rooms: import("./painter.js").Room[], town: Town | null, version: string}} known */
  take({ rooms, town, version }) {
    Object.assign(this.known, { rooms, version });
    if (town) this.town = town;
    this.redraw();
  }

  /** @param {string} text */
  say(text) {
    setText(this.said, text);
  }
}

/** @param {Box} box @param {number} column @param {number} row */
function within([left, top, width, height], column, row) {
  return column >= left && column < left + width && row >= top && row < top + height;
}

/** All tiles between two corners. @param {Tile} from @param {Tile} to @returns {Tile[]} */
function filled(from, to) {
  const [left, top] = [Math.min(from[0], to[0]), Math.min(from[1], to[1])];
  const [width, height] = [Math.abs(from[0] - to[0]) + 1, Math.abs(from[1] - to[1]) + 1];
  return Array.from({ length: Math.min(MOST, width * height) }, (_, n) => [left + (n % width), top + Math.floor(n / width)]);
}
