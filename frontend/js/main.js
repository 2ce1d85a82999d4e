/** The playback page: puts the parts together and runs the frame loop. */

import { firstTick, isOpen } from "./data/address.js";
import * as api from "./data/api.js";
import { noteChange } from "./data/changes.js";
import { standalone } from "./data/embedded.js";
import { FrameBuffer } from "./data/frames.js";
import { GameTime } from "./data/gametime.js";
import { complaint, t } from "./data/i18n.js";
import { Live } from "./data/live.js";
import { Marks } from "./data/marks.js";
import { nameModel, nameRecording } from "./data/model_name.js";
import { OwnMarks } from "./data/own_marks.js";
import { byId, setHidden, setText } from "./dom.js";
import { Navigation } from "./navigation.js";
import { AskTab } from "./panel/ask.js";
import { Controls } from "./panel/controls.js";
import { ConversationsTab } from "./panel/conversations.js";
import { DiaryTab } from "./panel/diary.js";
import { Finder } from "./panel/finder.js";
import { Gazette } from "./panel/gazette.js";
import { InterveneTab } from "./panel/intervene.js";
import { MapMenu } from "./panel/map_menu.js";
import { PlaceCard } from "./panel/place_card.js";
import { ResidentTab } from "./panel/resident.js";
import { Tabs } from "./panel/tabs.js";
import { TimeMenu } from "./panel/time_menu.js";
import { Timeline } from "./panel/timeline.js";
import { TownTab } from "./panel/town.js";
import { WhyTab } from "./panel/why.js";
import { InsightTab } from "./plots/insight.js";
import { TrialPlot } from "./plots/trial.js";
import { Butterfly } from "./show/butterfly.js";
import { Lecture } from "./show/lecture.js";
import { Mind } from "./show/mind.js";
import { Programmes } from "./show/programmes.js";
import { Share } from "./share/share.js";
import { Sound } from "./sound/sound.js";
import { Speech } from "./sound/speech.js";
import { Bubbles } from "./stage/bubbles.js";
import { Camera } from "./stage/camera.js";
import { Gestures } from "./stage/gestures.js";
import { TiledMap } from "./stage/map.js";
import { Minimap } from "./stage/minimap.js";
import { Player } from "./stage/player.js";
import { Sprites } from "./stage/sprites.js";
import { Stage } from "./stage/stage.js";
import { Tooltip } from "./stage/tooltip.js";
import { Visit } from "./visit/visit.js";

const FOLLOW = 6; // share of the way to where it should look that the camera makes in a second, roughly
const UNMAPPED = 40 * 32; // pixels of a town whose map is missing

const given = document.body.dataset;
const isRunning = given.running !== undefined;
const still = window.matchMedia("(prefers-reduced-motion: reduce)").matches;

/** @param {string} text */
function showNotice(text) {
  setText(byId("notice"), text);
  setHidden(byId("notice"), !text);
}

/** @param {Error} error */
function showError(error) {
  showNotice(complaint(error));
}

/** @param {import("./data/shapes.js").RunView} run @returns {Promise<TiledMap | null>} */
async function loadMap(run) {
  if (!run.map) return null;
  const data = await api.document(run.map);
  return TiledMap.load(data, run.map.slice(0, run.map.lastIndexOf("/") + 1));
}

class Page {
  /** @param {import("./data/shapes.js").RunView} run @param {FrameBuffer} frames @param {TiledMap | null} map @param {Sprites} sprites */
  constructor(run, frames, map, sprites) {
    const { name } = run;
    this.run = run;
    this.sprites = sprites;
    this.time = new GameTime(run.start, document.documentElement.lang);
    this.frames = frames;
    this.marks = new Marks(
      () => api.marks(name),
      (id) => api.marksOf(name, id),
      (error) => (this.frames.problem = error),
    );
    this.player = new Player(frames, { tick: beginning(run), speed: Number(given.speed) });
    this.camera = new Camera(map?.width ?? UNMAPPED, map?.height ?? UNMAPPED, Number(given.zoom));
    this.stage = new Stage(byId("town"), { run, frames, camera: this.camera, map, sprites, time: this.time });
    this.bubbles = new Bubbles(byId("bubbles"), this.stage, this.player, !still);
    this.tooltip = new Tooltip(byId("tooltip"), run, this.stage);
    this.ownMarks = new OwnMarks(name);
    this.timeline = new Timeline({ canvas: byId("strip"), scrub: byId("scrub"), tip: byId("strip-tip") }, this);
    this.map = map;
    /** @type {Minimap | undefined} */
    this.minimap = undefined;
    this.navigation = new Navigation(this);
    this.live = new Live(run, frames, this.player, this.stage);
    this.live.follows = isRunning && isOpen(this.navigation.address.given);
    this.tabs = this.createTabs();
    this.timeMenu = new TimeMenu(this);
    this.controls = new Controls(this);
    this.programmes = new Programmes(this);
    this.mind = new Mind(this);
    this.butterfly = new Butterfly(this);
    this.lecture = new Lecture(this);
    this.place = new PlaceCard(this);
    this.menu = new MapMenu(this);
    this.finder = new Finder(this);
    this.share = new Share(this);
    this.sound = new Sound(this.stage, this.player);
    this.speech = new Speech(run.lang);
    this.gazette = new Gazette(this);
    this.visit = new Visit(this);
    this.before = performance.now();
    this.missing = map ? "" : t("This world’s map was not found; residents are drawn without it.");
    this.begun = false;
    this.settled = false; // once the town has been seen, the panel and what moves by itself are drawn
    this.markedSteps = -1; // steps that the marks tell of
  }

  /** The tabs beside the stage, one line for each, with the area that it is in. */
  createTabs() {
    const { run, frames, player, stage, time } = this;
    const { navigation } = this;
    const tabs = new Tabs({ run, frames, player, stage, time, navigation });
    tabs.add("town", new TownTab(run, tabs, this.live));
    tabs.add("person", new ResidentTab());
    tabs.add("story", new ConversationsTab());
    tabs.add("person", new DiaryTab());
    tabs.cover(new WhyTab());
    tabs.add("story", new InsightTab());
    const isGuest = given.mayVisit !== undefined && given.mayChange === undefined; // by a link, who may only watch and visit
    if (run.residents.length && run.map && !standalone && !isGuest) {
      tabs.add("person", new AskTab(run));
      tabs.add("town", new InterveneTab(run, tabs, this.live, new TrialPlot()));
    }
    return tabs;
  }

  start() {
    new ResizeObserver(() => (this.stage.resize(), this.butterfly.resize())).observe(byId("town"));
    this.stage.resize();
    for (const deed of ["click", "input", "change", "keydown"]) document.addEventListener(deed, noteChange, { capture: true });
    new Gestures(byId("town"), this.camera, {
      panned: () => this.navigation.follow(""),
      moved: () => (this.tooltip.pinned || this.tooltip.hide(), this.navigation.address.remember()),
      clicked: (x, y) => this.clicked(x, y),
      hovered: (x, y) => this.hovered(x, y),
      left: () => this.hovered(-1, -1),
    });
    const { address } = this.navigation;
    this.navigation.follow(address.resident(this.run));
    this.player.playing = !still && !address.given.has("paused") && !(this.player.atEnd && this.run.finished);
    requestAnimationFrame((now) => this.frame(now));
  }

  /** @param {number} x @param {number} y on the screen */
  clicked(x, y) {
    if (this.visit.tap(x, y)) return;
    const hit = this.stage.hit(x, y) ?? "";
    this.tooltip.hide();
    if (hit) return this.tabs.visit(hit);
    this.navigation.follow("");
    this.programmes.show.end();
    this.tooltip.show(x, y, this.player.tick, true);
    void this.place.at(x, y, this.stage.marked);
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
    this.player.listening = this.navigation.listening(this.player.tick);
    this.player.asleep = this.navigation.quiet(this.player.tick);
    this.player.advance(seconds);
    this.live.advance(seconds);
    this.notice();
    if (!this.player.waiting) this.draw(now, seconds);
    this.controls.draw();
    this.timeline.draw(this.stage.followed);
    this.timeMenu.draw();
    if (this.player.playing) this.navigation.address.keep(now);
    requestAnimationFrame((next) => this.frame(next));
  }

  /** Says what is not as it should be; a server that has gone is told before what is known has been played. */
  notice() {
    const { problem } = this.frames;
    showNotice(problem ? complaint(problem) : this.player.waiting ? t("Loading …") : this.missing);
  }

  /** @param {number} now milliseconds @param {number} seconds since the frame before */
  draw(now, seconds) {
    const { tick } = this.player;
    const { followed, tile } = this.stage;
    if (!this.begun) this.begin(tick);
    if (this.markedSteps !== this.frames.steps) this.updateMarks();
    const pose = followed ? this.frames.pose(followed, tick) : undefined;
    if (pose) this.camera.glideTo((pose.x + 0.5) * tile, (pose.y + 0.5) * tile + this.visit.box.lifts / this.camera.zoom);
    this.camera.glide(still ? 1 : Math.min(1, seconds * FOLLOW));
    this.programmes.draw(now, tick, seconds);
    this.mind.draw(tick);
    if (this.player.playing && !still) this.stage.seconds += seconds;
    this.stage.refresh(now, tick, this.bubbles.lines, this.bubbles.taken);
    this.bubbles.draw(tick, now);
    this.butterfly.draw(tick, now);
    this.share.draw(seconds);
    this.sound.draw(now, tick);
    this.speech.draw(this.bubbles);
    this.live.speak();
    this.visit.draw();
    this.tooltip.draw(tick);
    this.place.draw(tick);
    this.minimap?.draw(now, tick, followed);
    if (this.settled) this.tabs.draw(now, tick, followed);
  }

  /** @param {number} tick */
  begin(tick) {
    this.begun = true;
    this.navigation.begin(tick);
    requestAnimationFrame(() => this.settle());
  }

  /** What can wait until after the first picture. */
  settle() {
    performance.mark("first-frame");
    this.settled = true;
    void this.programmes.open();
    const { map, camera, frames, run, time } = this;
    if (!still) this.stage.enliven();
    if (map)
      this.minimap = new Minimap(byId("minimap"), { map, camera, frames, run, time }, () => (this.navigation.follow(""), this.navigation.address.remember()));
  }

  /** Loads the timeline's marks and, when the run has continued, the things that have been placed or removed, and whoever has moved in. */
  updateMarks() {
    this.markedSteps = this.frames.steps;
    void this.marks.load();
    if (this.frames.steps > this.run.steps) void this.updateThings();
  }

  async updateThings() {
    try {
      const { things, residents } = await api.run(this.run.name);
      Object.assign(this.run.things, things);
      this.stage.updateThings();
      await this.welcome(residents.filter(({ id }) => !this.tabs.residents.has(id)));
    } catch (error) {
      this.frames.problem = error;
    }
  }

  /** Takes over those who have come to town since the page was opened. @param {import("./data/shapes.js").ResidentView[]} newcomers */
  async welcome(newcomers) {
    if (!newcomers.length) return;
    this.run.residents.push(...newcomers);
    await this.sprites.load(newcomers);
    this.tabs.refresh();
    void this.visit.refresh();
  }
}

/** @param {import("./data/shapes.js").RunView} run */
function beginning(run) {
  return firstTick(new URL(location.href).searchParams, run, Number(given.step), isRunning);
}

async function start() {
  const words = api.words(document.documentElement.lang);
  const run = await api.run(given.name ?? "");
  const frames = new FrameBuffer(run, (from, to, signal) => api.frames(run.name, from, to, signal));
  frames.want(beginning(run));
  const sprites = new Sprites();
  const letters = document.fonts.load('600 12px "Nunito Sans"').catch(() => []); // words on the map are painted once
  const [map] = await Promise.all([loadMap(run), sprites.load(run.residents), sprites.loadEmblems(), words, letters]);
  setText(byId("world"), `${run.world_name} · `);
  byId("recording").hidden = !run.recorded;
  setText(byId("recording"), nameRecording(run, new GameTime(run.start, document.documentElement.lang)));
  byId("recording").title = t("It shows how the town lives with a capable mind. No model on this machine wrote these replies.");
  setText(byId("model"), nameModel(run.model));
  byId("recall").hidden = run.scripted || run.retrieval.embedding !== "hash";
  setText(byId("recall"), ` · ⚠ ${t("memories are found by words, not by meaning")}`);
  byId("recall").title = t(
    "This run has an embedding that compares words (hash), so residents find few of their memories. hometown doctor says how to get one that compares meanings; a fork can take it.",
  );
  new Page(run, frames, map, sprites).start();
}

start().catch(showError);
