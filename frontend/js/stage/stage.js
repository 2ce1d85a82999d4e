/** Draws a moment of the town. */

import { countChanges } from "../data/changes.js";
import { seatFacing } from "../data/facing.js";
import { clipTo, Background } from "./background.js";
import { light } from "./daylight.js";
import { present, InterventionLayer } from "./interventions.js";
import { Labels } from "./labels.js";
import { drawMist } from "./mist.js";
import { Night } from "./night.js";
import { drawPlaceNames } from "./place_names.js";
import { liven } from "./manners.js";
import { gather, hidden, inHand, sits, spread } from "./poses.js";
import { Scenery } from "./scenery.js";

const BARE = "#a9bf8a"; // the ground where the map is missing
const AWAKE = 3; // sleepers whom one who is awake outweighs when a place to look at is chosen
const FEW = 100; // residents up to whom redrawing their surroundings is cheaper than redrawing the town
const THROUGH = 0.55; // how much is seen of people below trees
const BADGED = 0.5; // zoom below which things in use are not marked
const IDLE = 2000; // milliseconds from picture to picture of a town in which nothing changes
const SETTLING = 3; // pictures until it does: names keep their places of the picture before, and the ground is kept from the second on

/**
 * Somebody in sight: (x, y) is the tile's corner on the screen, `head` where the figure ends at the top,
 * `asleep` whether only a head on a pillow is seen of it, `nods` how far it does, in tiles, `shown` how much is seen of it, 0 to 1.
 * @typedef {{id: string, name: string, x: number, y: number, size: number, head: number, asleep: boolean, sits: boolean, nods: number, manner: import("./manners.js").Manner, shown: number, pose: import("../data/frames.js").Pose, action?: import("../data/shapes.js").ActionView}} Figure
 */

export class Stage {
  /**
   * @param {HTMLCanvasElement} canvas
   * @param {{run: import("../data/shapes.js").RunView, frames: import("../data/frames.js").FrameBuffer, camera: import("./camera.js").Camera,
   *          map: import("./map.js").TiledMap | null, sprites: import("./sprites.js").Sprites, time: import("../data/gametime.js").GameTime}} parts
   */
  constructor(canvas, { run, frames, camera, map, sprites, time }) {
    this.canvas = canvas;
    this.context = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
    this.run = run;
    this.frames = frames;
    this.camera = camera;
    this.map = map;
    this.sprites = sprites;
    this.time = time;
    this.tile = map?.tile ?? 32;
    this.followed = "";
    this.hovered = ""; // a resident
    this.marked = ""; // a thing
    /** How much is seen of somebody at a moment, 0 to 1. @type {(id: string, tick: number) => number} */
    this.shows = () => 1;
    this.only = ""; // the conversation whose words alone are shown, as long as it is held
    this.labels = new Labels(this.context, run, sprites);
    this.interventions = new InterventionLayer(this);
    /** @type {Map<string, string>} tile → thing */
    this.things = new Map();
    this.updateThings();
    this.night = new Night(this);
    this.background = new Background();
    /** @type {Scenery | null} made once the first picture is there */
    this.scenery = null;
    this.seconds = 0; // for which what moves by itself has moved
    this.drawn = { looks: "", at: 0, times: 0 }; // the last picture, when it was drawn, and how often in a row
    /** @type {Figure[]} who was drawn last, from back to front */
    this.figures = [];
    /** @type {Set<(stage: Stage, tick: number) => void>} what tabs draw over the town, below the names */
    this.overlays = new Set();
  }

  /** Takes over which things have been placed or removed by now. */
  updateThings() {
    this.things = new Map(Object.entries(this.run.things).flatMap(([address, { tiles }]) => tiles.map((tile) => [String(tile), address])));
    this.interventions.updateThings();
  }

  /** Fits the canvas to its box. @param {number} [ratio] pixels of the canvas for one of the page */
  resize(ratio = window.devicePixelRatio || 1) {
    const { clientWidth, clientHeight } = this.canvas;
    this.canvas.width = Math.round(clientWidth * ratio);
    this.canvas.height = Math.round(clientHeight * ratio);
    this.context.setTransform(ratio, 0, 0, ratio, 0, 0);
    this.camera.resize(clientWidth, clientHeight);
    this.drawn.looks = ""; // a canvas of another size is empty
  }

  /** Looks at the resident around whom most others are in sight; who is awake counts for more. @param {number} tick */
  centre(tick) {
    const reach = [this.camera.width, this.camera.height].map((length) => length / 2 / this.camera.zoom / this.tile);
    const there = this.run.residents.flatMap(({ id }) => {
      const pose = this.frames.pose(id, tick);
      return pose ? [{ ...pose, weight: this.frames.action(id, tick)?.kind === "sleep" ? 1 : AWAKE }] : [];
    });
    const scores = there.map((person) => {
      const near = there.filter((other) => Math.abs(other.x - person.x) < reach[0] && Math.abs(other.y - person.y) < reach[1]);
      return near.reduce((sum, other) => sum + other.weight, 0);
    });
    const best = there[scores.indexOf(Math.max(...scores))];
    if (best) this.camera.lookAt((best.x + 0.5) * this.tile, (best.y + 0.5) * this.tile);
  }

  /**
   * Draw the town at once where it has moved, or where something has come or been done that may be seen in it. Otherwise let it rest, to save power.
   * @param {number} now milliseconds @param {number} tick
   * @param {Map<string, import("./manners.js").Spoken>} lines in sight, by conversation @param {import("./boxes.js").Box[]} covered what bubbles lie over
   */
  refresh(now, tick, lines, covered) {
    const looks = JSON.stringify([
      tick,
      this.seconds,
      this.camera.view,
      this.followed,
      this.hovered,
      this.marked,
      this.overlays.size,
      countChanges(),
      [...lines],
      covered,
    ]);
    const times = looks === this.drawn.looks ? this.drawn.times + 1 : 1;
    if (times > SETTLING && now - this.drawn.at < IDLE) return;
    this.drawn = { looks, at: now, times };
    this.draw(tick, lines, covered);
  }

  /** @param {number} tick @param {Map<string, import("./manners.js").Spoken>} lines in sight, by conversation @param {import("./boxes.js").Box[]} covered what bubbles lie over */
  draw(tick, lines, covered) {
    const { context, camera } = this;
    const conversations = this.frames.conversations(tick);
    this.figures = this.seen(tick, conversations);
    const talking = new Set(conversations.flatMap(({ people }) => people));
    const speaking = new Set([...lines.values()].map(({ speaker }) => speaker));
    for (const { id, people } of conversations) liven(this.figures, people, lines.get(id), this.seconds);
    context.imageSmoothingEnabled = camera.zoom < 1;
    this.town(tick);
    this.scenery?.draw(tick, this.seconds);
    this.night.people(this.time.hour(tick), this.figures);
    for (const overlay of this.overlays) overlay(this, tick);
    this.badges(tick);
    const taken = [...covered, ...this.interventions.words(tick)];
    this.labels.draw(this.figures, { followed: this.followed, hovered: this.hovered, talking, speaking }, camera, taken);
  }

  /** The town and its residents; where the town has not changed, only the surroundings of residents are redrawn. @param {number} tick */
  town(tick) {
    const { context, camera } = this;
    this.interventions.clear(tick);
    const looks = [
      camera.view,
      context.canvas.width,
      context.canvas.height,
      light(this.time.hour(tick)),
      this.interventions.gone,
      this.interventions.there(tick),
      this.interventions.loaded,
      this.marked,
    ].join();
    context.save();
    const drawn = this.figures.length <= FEW && this.background.draw(context, looks, () => this.paint(tick, []));
    this.paint(tick, this.figures, drawn ? clipTo(context, this.figures.map(around)) : undefined);
    context.restore();
  }

  /** Draws from the ground upwards. @param {number} tick @param {Figure[]} figures @param {import("./boxes.js").BoxIndex} [open] what is not clipped */
  paint(tick, figures, open) {
    const { context, camera } = this;
    context.clearRect(0, 0, camera.width, camera.height);
    this.ground();
    this.interventions.things(tick);
    drawPlaceNames(this);
    if (this.run.things[this.marked]) this.outline(this.marked);
    for (const figure of figures) this.figure(figure);
    this.map?.above.draw(context, camera);
    this.through(figures);
    this.night.draw(this.time.hour(tick), open);
    drawMist(this, this.time.hour(tick));
  }

  /** Begins to draw what moves by itself. */
  enliven() {
    this.scenery = new Scenery(this);
  }

  ground() {
    const { context, camera, map } = this;
    if (map) return map.below.draw(context, camera);
    context.fillStyle = BARE;
    context.fillRect(0, 0, camera.width, camera.height);
  }

  /** Whoever is in sight, from back to front; those who talk look at each other. @param {number} tick @param {import("../data/shapes.js").ConversationView[]} conversations @returns {Figure[]} */
  seen(tick, conversations) {
    const size = this.tile * this.camera.zoom;
    /** @type {Map<string, Figure>} */
    const figures = new Map();
    for (const { id, name } of this.run.residents) {
      const away = this.frames.action(id, tick)?.kind === "away";
      const shown = away ? 0 : this.shows(id, tick);
      const pose = shown ? this.frames.pose(id, tick) : undefined;
      if (!pose) continue;
      const [x, y] = this.camera.toScreen(pose.x * this.tile, pose.y * this.tile);
      if (x < -4 * size || y < -4 * size || x > this.camera.width + 3 * size || y > this.camera.height + 3 * size) continue;
      const action = this.frames.action(id, tick);
      if (action && !pose.walking) pose.facing = seatFacing(this.run.things[action.address], [pose.x, pose.y]) ?? pose.facing;
      const asleep = action?.kind === "sleep" && !pose.walking && this.sprites.lies(id);
      figures.set(id, {
        id,
        name,
        x,
        y,
        size,
        head: asleep ? y : y - size * this.sprites.rise(id),
        asleep,
        sits: sits(this.map, pose),
        nods: 0,
        manner: "",
        pose,
        action,
        shown,
      });
    }
    for (const { people } of conversations) gather(people.flatMap((who) => figures.get(who) ?? []));
    spread([...figures.values()]);
    return [...figures.values()].sort((a, b) => a.pose.y - b.pose.y || a.pose.x - b.pose.x);
  }

  /** @param {Figure} figure */
  figure(figure) {
    const { id, x, y, size, asleep, shown, pose } = figure;
    const { context } = this;
    context.globalAlpha = shown;
    if (!asleep && !figure.sits) {
      context.fillStyle = "rgb(0 0 0 / 22%)";
      context.beginPath();
      context.ellipse(x + size / 2, y + size * 0.94, size * 0.28, size * 0.1, 0, 0, 2 * Math.PI);
      context.fill();
    }
    if (id === this.followed) {
      context.strokeStyle = "#ffd166";
      context.lineWidth = Math.max(2, size * 0.07);
      context.beginPath();
      context.ellipse(x + size / 2, y + size * 0.92, size * 0.44, size * 0.2, 0, 0, 2 * Math.PI);
      context.stroke();
    }
    // Feet stand in the tile, a little above its lower edge.
    const top = Math.round(y - size * (0.06 - figure.nods));
    this.sprites.draw(context, id, pose, Math.round(x), top, Math.round(size), figure);
    if (figure.manner === "waves") this.sprites.wave(context, figure, top, this.seconds);
    else this.sprites.hold(context, inHand(figure), pose, Math.round(x), top, Math.round(size));
    if (figure.manner === "laughs") this.sprites.laugh(context, figure, top, this.seconds);
    context.globalAlpha = 1;
  }

  /** Trees do not hide people: whoever is below their tops shows through. @param {Figure[]} figures */
  through(figures) {
    for (const figure of figures) if (hidden(this.map, figure.pose)) this.figure({ ...figure, shown: THROUGH * figure.shown });
  }

  /** The thing at a point of the screen, or the place of the event whose sign is there; "" if there is none. @param {number} x @param {number} y @param {number} tick */
  thingAt(x, y, tick) {
    const [wx, wy] = this.camera.toWorld(x, y);
    const address = this.things.get(`${Math.floor(wx / this.tile)},${Math.floor(wy / this.tile)}`) ?? "";
    return this.interventions.at(x, y) || (address && present(this.run.things[address], tick) ? address : "");
  }

  /** Where a thing is on the screen, or the middle of an arena. @param {string} address @returns {import("./boxes.js").Box} */
  boxOf(address) {
    const tiles = this.run.things[address]?.tiles ?? [this.run.centres[address]];
    const [columns, rows] = [tiles.map(([column]) => column), tiles.map(([, row]) => row)];
    const [left, top] = this.camera.toScreen(Math.min(...columns) * this.tile, Math.min(...rows) * this.tile);
    const [right, bottom] = this.camera.toScreen((Math.max(...columns) + 1) * this.tile, (Math.max(...rows) + 1) * this.tile);
    return { left, top, right, bottom };
  }

  /** The middle of a thing or an arena, in tiles; undefined where the map has none of that address. @param {string} address @returns {[number, number] | undefined} */
  spotOf(address) {
    const { things, centres } = this.run;
    const tiles = things[address]?.tiles ?? [centres[address] ?? centres[address.split("/").slice(0, 2).join("/")]];
    const mean = (/** @type {0 | 1} */ axis) => tiles.reduce((sum, tile) => sum + tile[axis], 0) / tiles.length;
    return tiles[0] && [mean(0), mean(1)];
  }

  /** @param {string} address of a thing */
  outline(address) {
    const { left, top, right, bottom } = this.boxOf(address);
    const { context } = this;
    context.strokeStyle = "#ffd166";
    context.lineWidth = 2;
    context.beginPath();
    context.roundRect(left - 1, top - 1, right - left + 2, bottom - top + 2, 6);
    context.stroke();
  }

  /** A small light on things in use, but for beds, whose sleepers are seen. @param {number} tick */
  badges(tick) {
    const { context, camera, frames } = this;
    if (camera.zoom < BADGED) return;
    const radius = Math.min(5, 3.6 * camera.zoom + 0.6);
    for (const address of Object.keys(frames.at(tick)?.things ?? {})) {
      const users = this.run.things[address] ? frames.thingChange(address, tick)?.users : undefined;
      if (!users?.length || users.every((id) => frames.action(id, tick)?.kind === "sleep")) continue;
      const { right, top } = this.boxOf(address);
      if (right < 0 || top < 0 || right > camera.width || top > camera.height) continue;
      context.beginPath();
      context.arc(right - radius, top + radius, radius, 0, 2 * Math.PI);
      context.fillStyle = "#4fb3a5";
      context.fill();
      context.lineWidth = 1.5;
      context.strokeStyle = "#fffdf6";
      context.stroke();
    }
  }

  /** Who stands at a point of the screen; the one in front if there are several. @param {number} x @param {number} y */
  hit(x, y) {
    const slack = 8;
    return this.figures.findLast(
      (figure) => x > figure.x - slack && x < figure.x + figure.size + slack && y > figure.head - slack && y < figure.y + figure.size + slack,
    )?.id;
  }
}

/** A box that contains all that is drawn of a figure. @param {Figure} figure @returns {import("./boxes.js").Box} */
function around({ x, y, size, head }) {
  return { left: x - size * 0.1, top: head - size * 0.3, right: x + size * 1.1, bottom: y + size * 1.2 };
}
