/** The playback page: puts the parts together and lets time pass. */

import { Address } from "./address.js";
import * as api from "./api.js";
import { Bubbles } from "./bubbles.js";
import { Camera, handle } from "./camera.js";
import { Controls } from "./controls.js";
import { byId, setText } from "./dom.js";
import { DiaryTab } from "./diary.js";
import { standalone } from "./embedded.js";
import { GameTime } from "./gametime.js";
import { load as loadWords, t } from "./i18n.js";
import { SpeakTab } from "./intervene.js";
import { InsightTab } from "./insight.js";
import { Live } from "./live.js";
import { TiledMap } from "./map.js";
import { Marks } from "./marks.js";
import { Minimap } from "./minimap.js";
import { Player } from "./player.js";
import { ResidentTab } from "./resident.js";
import { Sprites } from "./sprites.js";
import { Stage } from "./stage.js";
import { Strip } from "./strip.js";
import { Tabs } from "./tabs.js";
import { TalksTab } from "./talks.js";
import { Timeline } from "./timeline.js";
import { Tooltip } from "./tooltip.js";
import { TownTab } from "./town.js";
import { WhyTab } from "./why.js";

const FOLLOW = 6; // share of the way to where it should look that the camera makes in a second, roughly
const UNMAPPED = 40 * 32; // pixels of a town whose map is missing

const given = document.body.dataset;
const still = window.matchMedia("(prefers-reduced-motion: reduce)").matches;

/** @param {string} text */
function notice(text) {
  setText(byId("notice"), text);
  byId("notice").hidden = !text;
}

/** @param {Error} error */
function failed(error) {
  notice(t("failed", { reason: error.message }));
}

/** @param {import("./types.js").Run} run @returns {Promise<TiledMap | null>} */
async function loadMap(run) {
  if (!run.map) return null;
  const data = await api.document(run.map);
  return TiledMap.load(data, run.map.slice(0, run.map.lastIndexOf("/") + 1));
}

class Page {
  /** @param {import("./types.js").Run} run @param {Timeline} timeline @param {TiledMap | null} map @param {Sprites} sprites */
  constructor(run, timeline, map, sprites) {
    const { name } = run;
    this.run = run;
    this.time = new GameTime(run.start, document.documentElement.lang);
    this.timeline = timeline;
    this.timeline.failed = (error) => (this.problem = t("failed", { reason: error.message }));
    this.marks = new Marks(() => api.marks(name), (id) => api.marksOf(name, id), this.timeline.failed);
    this.player = new Player(timeline, { tick: firstTick(run), speed: Number(given.speed) });
    this.camera = new Camera(map?.width ?? UNMAPPED, map?.height ?? UNMAPPED, Number(given.zoom));
    this.stage = new Stage(byId("town"), { run, timeline, camera: this.camera, map, sprites, time: this.time });
    this.bubbles = new Bubbles(byId("bubbles"), this.stage, this.player);
    this.tooltip = new Tooltip(byId("tooltip"), run, this.stage);
    this.strip = new Strip({ canvas: byId("strip"), scrub: byId("scrub"), tip: byId("strip-tip") }, { run, timeline, time: this.time, marks: this.marks });
    this.map = map;
    /** @type {Minimap | undefined} */
    this.minimap = undefined;
    this.address = new Address(() => this.shown());
    this.tabs = this.sides();
    this.live = new Live(run, timeline, this.player, this.stage);
    this.controls = new Controls(this.hands(), this.time);
    this.before = performance.now();
    this.missing = map ? "" : t("no_map");
    this.problem = "";
    this.begun = false;
    this.marked = -1; // steps that the marks tell of
  }

  /** The tabs beside the stage, one line for each. */
  sides() {
    const { run, timeline, player, stage, time } = this;
    const tabs = new Tabs({ run, timeline, player, stage, time, follow: (id) => this.follow(id), changed: () => this.address.remember() });
    tabs.add(new TownTab(run, tabs));
    tabs.add(new ResidentTab());
    tabs.add(new TalksTab());
    tabs.add(new DiaryTab());
    tabs.add(new WhyTab());
    tabs.add(new InsightTab());
    if (run.residents.length && run.map && !standalone) tabs.add(new SpeakTab(run, tabs));
    return tabs;
  }

  /** @returns {import("./controls.js").Hands} */
  hands() {
    return {
      player: this.player,
      camera: this.camera,
      residents: this.run.residents.map((one) => one.id),
      follow: (id) => this.follow(id),
      followed: () => this.stage.followed,
      talk: (by) => this.toTalk(by),
      event: (by) => this.toEvent(by),
      changed: () => this.address.remember(),
    };
  }

  start() {
    new ResizeObserver(() => this.stage.resize()).observe(byId("stage"));
    this.stage.resize();
    handle(byId("town"), this.camera, {
      panned: () => this.follow(""),
      moved: () => (this.tooltip.pinned || this.tooltip.hide(), this.address.remember()),
      clicked: (x, y) => this.clicked(x, y),
      hovered: (x, y) => this.hovered(x, y),
      left: () => this.hovered(-1, -1),
    });
    this.follow(this.address.resident(this.run));
    this.player.playing = !still && !(this.player.atEnd && this.run.finished);
    requestAnimationFrame((now) => this.frame(now));
  }

  /** @param {number} x @param {number} y on the screen */
  clicked(x, y) {
    const hit = this.stage.hit(x, y) ?? "";
    this.tooltip.hide();
    if (hit) return this.tabs.visit(hit);
    this.follow("");
    this.tooltip.show(x, y, this.player.tick, true);
  }

  /** @param {number} x @param {number} y on the screen */
  hovered(x, y) {
    const hit = this.stage.hit(x, y) ?? "";
    this.stage.hovered = hit;
    byId("town").classList.toggle("over", Boolean(hit || this.stage.thingAt(x, y, this.player.tick)));
    if (hit && !this.tooltip.pinned) this.tooltip.hide();
    else this.tooltip.show(x, y, this.player.tick);
  }

  /** @param {number} now milliseconds */
  frame(now) {
    const seconds = Math.max(0, (now - this.before) / 1000);
    this.before = now;
    const { followed } = this.stage;
    this.player.listening = followed ? this.timeline.talks(this.player.tick).find((one) => one.opener === followed || one.partner === followed) : undefined;
    this.player.advance(seconds);
    this.live.advance(seconds);
    notice(this.player.waiting ? this.problem || t("loading") : this.missing);
    if (!this.player.waiting) this.draw(now, seconds);
    this.controls.draw();
    this.strip.draw(this.stage.followed);
    requestAnimationFrame((next) => this.frame(next));
  }

  /** @param {number} now milliseconds @param {number} seconds since the frame before */
  draw(now, seconds) {
    const { tick } = this.player;
    const { followed, tile } = this.stage;
    if (!this.begun) this.begin(tick);
    if (this.marked !== this.timeline.steps) this.mark();
    const pose = followed ? this.timeline.pose(followed, tick) : undefined;
    if (pose) this.camera.glideTo((pose.x + 0.5) * tile, (pose.y + 0.5) * tile);
    this.camera.glide(still ? 1 : Math.min(1, seconds * FOLLOW));
    this.stage.draw(tick, this.bubbles.speaking, this.bubbles.taken);
    this.bubbles.draw(tick, now);
    this.live.speak();
    this.tooltip.draw(tick);
    this.minimap?.draw(now, tick, followed);
    this.tabs.draw(now, tick, followed);
  }

  /** The first picture: of the place that the address gives, or else of where most people are. @param {number} tick */
  begin(tick) {
    this.begun = true;
    const place = this.address.place();
    if (place) this.camera.lookAt(place[0] * this.stage.tile, place[1] * this.stage.tile);
    else this.stage.centre(tick);
    requestAnimationFrame(() => this.settle());
  }

  /** What the first picture did not have to wait for. */
  settle() {
    performance.mark("first-frame");
    const { map, camera, timeline, run } = this;
    if (map) this.minimap = new Minimap(byId("minimap"), { map, camera, timeline, run }, () => (this.follow(""), this.address.remember()));
  }

  /** The timeline's marks; where the run has gone on, also what has come or gone in the town. */
  mark() {
    const first = this.marked < 0;
    this.marked = this.timeline.steps;
    void this.marks.load();
    if (!first) void this.furnish();
  }

  async furnish() {
    try {
      Object.assign(this.run.things, (await api.run(this.run.name)).things);
      this.stage.furnish();
    } catch (error) {
      this.timeline.failed(/** @type {Error} */ (error));
    }
  }

  /** @param {string} id a resident, or "" for nobody */
  follow(id) {
    if (id === this.stage.followed) return;
    this.stage.followed = id;
    this.camera.goal = null;
    this.marks.want(id);
    this.address.remember();
  }

  /** To the conversation that comes next or came last, of the one followed or of anybody. @param {1 | -1} by */
  toTalk(by) {
    const { followed } = this.stage;
    const talk = this.marks.talk(this.player.tick, by, followed);
    if (!talk) return;
    this.player.seek(talk.tick);
    if (!followed) this.show(talk.opener);
  }

  /** To what the one followed does next, or did last; of nobody followed, to the next resident's. @param {1 | -1} by */
  async toEvent(by) {
    const { followed } = this.stage;
    if (!followed) this.follow(this.run.residents[0].id);
    const event = await this.marks.event(this.stage.followed, this.player.tick, by);
    if (event) this.player.seek(event.tick);
    this.address.remember();
  }

  /** Brings somebody into sight as soon as it is known where that is. @param {string} id */
  show(id) {
    const pose = this.timeline.pose(id, this.player.tick);
    const { tile } = this.stage;
    if (pose) this.camera.glideTo((pose.x + 0.5) * tile, (pose.y + 0.5) * tile);
    else requestAnimationFrame(() => this.show(id));
  }

  /** What the address tells. @returns {import("./address.js").Shown} */
  shown() {
    const { player, camera, stage, run } = this;
    const [x, y] = [camera.x / stage.tile, camera.y / stage.tile];
    return { step: Math.floor(player.tick / run.ticks) + 1, speed: player.speed, zoom: camera.zoom, resident: stage.followed, x, y };
  }
}

/** @param {import("./types.js").Run} run */
function firstTick(run) {
  return Math.max(0, Math.min(run.steps, Number(given.step)) - 1) * run.ticks;
}

async function start() {
  const words = loadWords(document.documentElement.lang);
  const run = await api.run(given.name ?? "");
  const timeline = new Timeline(run, (from, to, signal) => api.frames(run.name, from, to, signal), failed);
  timeline.want(firstTick(run));
  const sprites = new Sprites();
  const [map] = await Promise.all([loadMap(run), sprites.load(run.residents), words]);
  setText(byId("world"), `${run.world_name} · `);
  setText(byId("model"), run.scripted ? t("scripted") : run.model);
  new Page(run, timeline, map, sprites).start();
}

start().catch(failed);
