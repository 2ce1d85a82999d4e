/** Where and when the page looks: whom it follows, what it goes to, the first picture, and what of all that stands in the address. */

import { Address, isOpen } from "./data/address.js";
import { TICKS_PER_MINUTE } from "./data/gametime.js";

const QUIET = 0.85; // share of the town that sleeps from which hours are skimmed
const NEAR = 1.2; // zoom from which two people and their words are seen well

/**
 * @typedef {{run: import("./data/shapes.js").RunView, player: import("./stage/player.js").Player, camera: import("./stage/camera.js").Camera,
 *            stage: import("./stage/stage.js").Stage, marks: import("./data/marks.js").Marks}} Parts
 * @typedef {{id: string, people: string[], tick: number}} Begun a conversation
 */

export class Navigation {
  /** @param {Parts} parts */
  constructor({ run, player, camera, stage, marks }) {
    this.run = run;
    this.player = player;
    this.camera = camera;
    this.stage = stage;
    this.marks = marks;
    this.address = new Address(() => this.shown());
    this.heard = ""; // the conversation that was gone to, which is listened to
  }

  /** @param {string} id a resident, or "" for nobody */
  follow(id) {
    if (id === this.stage.followed) return;
    this.stage.followed = id;
    this.camera.goal = null;
    this.marks.of(id);
    this.address.remember();
  }

  /** The conversation that is listened to at a moment: that of the one followed, or the one that was gone to. @param {number} tick */
  listening(tick) {
    const { followed, frames } = this.stage;
    return frames.conversations(tick).find(({ id, people }) => (followed ? people.includes(followed) : id === this.heard));
  }

  /**
   * The conversations of a moment that may be shown, and the place of the one that is: those of the one followed, or of all that which is
   * listened to, or else the nearest to the middle of the picture, so that camera and panel show the same.
   * @param {number} tick @returns {{list: import("./data/shapes.js").ConversationView[], at: number}}
   */
  talks(tick) {
    const { followed, frames } = this.stage;
    const list = frames.conversations(tick).filter(({ people }) => !followed || people.includes(followed));
    const heard = list.findIndex(({ id }) => id === this.heard);
    const away = list.map(({ people }) => this.distance(people[0], tick));
    return { list, at: heard >= 0 ? heard : away.indexOf(Math.min(...away)) };
  }

  /** How far a resident is from the middle of the picture, in tiles. @param {string} id @param {number} tick */
  distance(id, tick) {
    const pose = this.stage.frames.pose(id, tick);
    const { tile } = this.stage;
    return pose ? Math.hypot(pose.x + 0.5 - this.camera.x / tile, pose.y + 0.5 - this.camera.y / tile) : Infinity;
  }

  /** Whether there is as good as nothing to be seen: nobody talks, nearly all sleep, and so does the one followed. @param {number} tick */
  quiet(tick) {
    const { followed, frames } = this.stage;
    if (frames.conversations(tick).length || (followed && frames.action(followed, tick)?.kind !== "sleep")) return false;
    return frames.asleep(tick) >= QUIET;
  }

  /** @param {number} tick */
  seek(tick) {
    this.player.seek(tick);
    this.address.remember();
  }

  /** Goes to the next or previous conversation, of the followed resident or else of anybody. @param {1 | -1} by */
  async toConversation(by) {
    await this.marks.answered;
    const conversation = this.marks.conversation(this.player.tick, by, this.stage.followed);
    if (conversation) this.hear(conversation);
  }

  /** Goes to a conversation, in time and place, and listens to it. @param {Begun} conversation */
  hear({ id, people, tick }) {
    this.seek(tick);
    this.attend({ id, people });
  }

  /** Looks at a conversation and listens to it. @param {{id: string, people: string[]}} conversation */
  attend({ id, people }) {
    this.heard = id;
    const { followed } = this.stage;
    this.show(people.includes(followed) ? followed : people[0]);
  }

  /** Goes to the next or previous event of the followed resident; of the first resident if none is followed. @param {1 | -1} by */
  async toEvent(by) {
    if (!this.stage.followed) this.follow(this.run.residents[0].id);
    const event = await this.marks.event(this.stage.followed, this.player.tick, by);
    if (event) this.seek(event.tick);
  }

  /** Moves the camera to a resident as soon as its position is known. @param {string} id */
  show(id) {
    if (id !== this.stage.followed) this.follow("");
    const pose = this.stage.frames.pose(id, this.player.tick);
    if (pose) this.look(pose.x, pose.y);
    else requestAnimationFrame(() => this.show(id));
  }

  /** Moves the camera to an arena or a thing; to none that the map does not have. @param {string} address */
  visit(address) {
    const spot = this.stage.spotOf(address);
    if (!spot) return;
    this.follow("");
    this.look(...spot);
  }

  /** @param {number} x @param {number} y in tiles */
  look(x, y) {
    const { tile } = this.stage;
    if (this.camera.zoom < NEAR) this.camera.zoomBy(NEAR / this.camera.zoom);
    this.camera.glideTo((x + 0.5) * tile, (y + 0.5) * tile);
    this.address.remember();
  }

  /** The first picture: of the place that the address gives, or else of where most people are, or of those who talk where it gives none. @param {number} tick */
  begin(tick) {
    const place = this.address.place();
    const { opening } = this.run;
    const { tile } = this.stage;
    if (place) return this.camera.lookAt(place[0] * tile, place[1] * tile);
    const pose = isOpen(this.address.given) && opening?.tick === tick ? this.stage.frames.pose(opening.opener, tick) : undefined;
    if (!pose || !opening) return this.stage.centre(tick);
    this.heard = opening.id;
    this.camera.zoomBy(Math.max(1, NEAR / this.camera.zoom));
    this.camera.lookAt((pose.x + 0.5) * tile, (pose.y + 0.5) * tile);
  }

  /** What the address records. @returns {import("./data/address.js").Shown} */
  shown() {
    const { player, camera, stage, run } = this;
    const [x, y] = [camera.x / stage.tile, camera.y / stage.tile];
    const step = Math.max(1, Math.min(player.frames.steps, Math.floor(player.tick / run.ticks) + 1));
    const minute = Math.floor((player.tick - (step - 1) * run.ticks) / TICKS_PER_MINUTE);
    return { step, minute, paused: !player.playing, speed: player.speed, zoom: camera.zoom, resident: stage.followed, x, y };
  }
}
