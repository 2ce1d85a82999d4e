/** The playback page: puts the parts together and lets time pass. */

import * as api from "./api.js";
import { Bubbles } from "./bubbles.js";
import { Camera, handle } from "./camera.js";
import { Controls } from "./controls.js";
import { byId, setText } from "./dom.js";
import { standalone } from "./embedded.js";
import { DiaryTab } from "./diary.js";
import { standalone } from "./embedded.js";
import { GameTime } from "./gametime.js";
import { load as loadWords, t } from "./i18n.js";
import { InsightTab } from "./insight.js";
import { Live } from "./live.js";
import { TiledMap } from "./map.js";
import { Player } from "./player.js";
import { ResidentTab } from "./resident.js";
import { Sprites } from "./sprites.js";
import { Stage } from "./stage.js";
import { Tabs } from "./tabs.js";
import { TalksTab } from "./talks.js";
import { Timeline } from "./timeline.js";
import { Tooltip } from "./tooltip.js";
import { TownTab } from "./town.js";
import { WhyTab } from "./why.js";

const REST = 300; // milliseconds
const FOLLOW = 6; // share of the way to the one followed that the camera makes in a second, roughly
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
  /** @param {import("./types.js").Run} run @param {TiledMap | null} map @param {Sprites} sprites */
  constructor(run, map, sprites) {
    this.run = run;
    this.time = new GameTime(run.start, document.documentElement.lang);
    this.timeline = new Timeline(run, (from, to) => api.frames(run.name, from, to), (error) => (this.problem = t("failed", { reason: error.message })));
    this.player = new Player(this.timeline, { tick: Math.max(0, Number(given.step) - 1) * run.ticks, speed: Number(given.speed) });
    this.camera = new Camera(map?.width ?? UNMAPPED, map?.height ?? UNMAPPED, Number(given.zoom));
    this.stage = new Stage(byId("town"), { run, timeline: this.timeline, camera: this.camera, map, sprites, time: this.time });
    this.bubbles = new Bubbles(byId("bubbles"), this.stage);
    this.tooltip = new Tooltip(byId("tooltip"), run, this.stage);
    this.tabs = this.sides();
    this.live = new Live(run, this.timeline, this.player, this.stage);
    this.controls = new Controls(this.hands(), this.time);
    this.before = performance.now();
    this.missing = map ? "" : t("no_map");
    this.problem = "";
    this.begun = false;
    this.remembering = 0;
  }

  /** The tabs beside the stage, one line for each. */
  sides() {
    const { run, timeline, player, stage, time } = this;
    const tabs = new Tabs({ run, timeline, player, stage, time, follow: (id) => this.follow(id), changed: () => this.remember() });
    tabs.add(new TownTab(run, tabs));
    tabs.add(new ResidentTab());
    tabs.add(new TalksTab());
    tabs.add(new DiaryTab());
    if (standalone) return tabs; // what follows asks the server
    tabs.add(new WhyTab());
    if (!standalone) tabs.add(new InsightTab());
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
      changed: () => this.remember(),
    };
  }

  start() {
    new ResizeObserver(() => this.stage.resize()).observe(byId("stage"));
    this.stage.resize();
    const town = byId("town");
    handle(town, this.camera, {
      panned: () => this.follow(""),
      moved: () => (this.tooltip.hide(), this.remember()),
      clicked: (x, y) => this.clicked(x, y),
      hovered: (x, y) => (town.classList.toggle("over", Boolean(this.stage.hit(x, y))), this.tooltip.show(x, y, this.player.tick)),
      left: () => this.tooltip.hide(),
    });
    this.player.playing = !still && !(this.player.atEnd && this.run.finished);
    requestAnimationFrame((now) => this.frame(now));
  }

  /** @param {number} x @param {number} y on the screen */
  clicked(x, y) {
    const hit = this.stage.hit(x, y);
    if (hit) this.tabs.visit(hit);
    else this.follow("");
    this.tooltip.show(x, y, this.player.tick);
  }

  /** @param {number} now milliseconds */
  frame(now) {
    const seconds = (now - this.before) / 1000;
    this.before = now;
    this.player.advance(seconds);
    this.live.advance(seconds);
    notice(this.player.waiting ? this.problem || t("loading") : this.missing);
    if (!this.player.waiting) this.draw(now, seconds);
    this.controls.draw();
    requestAnimationFrame((next) => this.frame(next));
  }

  /** @param {number} now milliseconds @param {number} seconds since the frame before */
  draw(now, seconds) {
    const { tick } = this.player;
    const { followed, tile } = this.stage;
    if (!this.begun) this.stage.centre(tick);
    this.begun = true;
    const pose = followed ? this.timeline.pose(followed, tick) : undefined;
    if (pose) this.camera.approach((pose.x + 0.5) * tile, (pose.y + 0.5) * tile, still ? 1 : Math.min(1, seconds * FOLLOW));
    this.stage.draw(tick);
    this.bubbles.draw(tick);
    this.live.speak();
    this.tabs.draw(now, tick, followed);
  }

  /** @param {string} id a resident, or "" for nobody */
  follow(id) {
    this.stage.followed = id;
  }

  /** The address tells what is shown, so that it can be kept and passed on; it is written once the hands rest. */
  remember() {
    clearTimeout(this.remembering);
    this.remembering = window.setTimeout(() => this.write(), REST);
  }

  write() {
    const address = new URL(location.href);
    const step = Math.floor(this.player.tick / this.run.ticks) + 1;
    const values = { step, speed: this.player.speed, zoom: Number(this.camera.zoom.toFixed(2)) };
    for (const [key, value] of Object.entries(values)) address.searchParams.set(key, String(value));
    history.replaceState(null, "", address);
    const other = new URL(byId("language").href);
    address.searchParams.set("lang", other.searchParams.get("lang") ?? "");
    byId("language").href = address.href;
  }
}

async function start() {
  await loadWords(document.documentElement.lang);
  const run = await api.run(given.name ?? "");
  const sprites = new Sprites();
  const [map] = await Promise.all([loadMap(run), sprites.load(run.residents)]);
  setText(byId("world"), `${run.world_name} · `);
  setText(byId("model"), run.scripted ? t("scripted") : run.model);
  new Page(run, map, sprites).start();
}

start().catch(failed);
