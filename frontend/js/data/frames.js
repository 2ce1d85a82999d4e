/** The frames of a run, in chunks of steps that are fetched before they are needed. */

import { DOWN, facing } from "./facing.js";

const AHEAD = 2; // chunks fetched before they are played
const KEPT = 48; // chunks held; the one fetched longest ago goes first
const AGAIN = 2000; // milliseconds after which what could not be fetched is asked for again

/** @typedef {import("./shapes.js").Frames} Frames */
/** @typedef {import("./shapes.js").ConversationView} Conversation */
/** @typedef {import("./shapes.js").ActionView} Action */

/**
 * Where a resident is and how it looks: in tiles; `walked` counts the tiles of its way, for the gait.
 * @typedef {{x: number, y: number, facing: number, walking: boolean, walked: number}} Pose
 */

/**
 * The last of `list` whose `tick` is not after `tick`; undefined if all are later.
 * @template {{tick: number}} T
 * @param {T[]} list sorted by tick
 * @param {number} tick
 * @returns {T | undefined}
 */
export function latest(list, tick) {
  let low = 0;
  let high = list.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (list[middle].tick <= tick) low = middle + 1;
    else high = middle;
  }
  return list[low - 1];
}

/** Index of the last triple in `moves` that begins not after `tick`, −1 if none does. @param {number[]} moves @param {number} tick */
function lastMove(moves, tick) {
  let low = 0;
  let high = moves.length / 3;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (moves[middle * 3] <= tick) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

export class FrameBuffer {
  /**
   * @param {import("./shapes.js").RunView} run
   * @param {(from: number, to: number, signal: AbortSignal) => Promise<Frames>} fetchFrames
   */
  constructor(run, fetchFrames) {
    this.ticks = run.ticks;
    this.chunkSteps = run.chunk;
    this.steps = run.steps;
    this.finished = run.finished;
    this.fetchFrames = fetchFrames;
    /** @type {Map<number, Frames>} by number of the chunk, in the order they were fetched */
    this.chunks = new Map();
    /** @type {Map<number, AbortController>} chunks under way */
    this.pending = new Map();
    /** @type {unknown} why the chunk asked for last could not be had; null once one has come */
    this.problem = null;
  }

  /** The last tick there is. */
  get end() {
    return this.steps * this.ticks;
  }

  /** The run has continued. @param {{steps: number, finished: boolean}} run */
  extend(run) {
    this.steps = run.steps;
    this.finished = run.finished;
  }

  /** @param {number} tick */
  chunkAt(tick) {
    const step = Math.min(Math.floor(tick / this.ticks), Math.max(0, this.steps - 1));
    return Math.floor(step / this.chunkSteps);
  }

  /** The frames of a moment; undefined until they have been fetched. @param {number} tick */
  at(tick) {
    const frames = this.chunks.get(this.chunkAt(tick));
    return frames && tick <= frames.to * this.ticks ? frames : undefined;
  }

  /**
   * Fetches the moment, and once that is there what comes after it, chunk by chunk. A moment that has yet to come is not kept
   * waiting by what was wanted before it: that is given up. Cheap to call in every frame.
   * @param {number} tick
   */
  want(tick) {
    const first = this.chunkAt(tick);
    if (!this.at(tick)) {
      for (const number of this.pending.keys()) if (number !== first) this.giveUp(number);
      return this.need(first);
    }
    const last = Math.min(this.chunkAt(this.end), first + AHEAD);
    for (let number = first; number <= last && !this.pending.size; number++) this.need(number);
  }

  /** Fetches a chunk, unless all there is of it is known or on its way. @param {number} number */
  need(number) {
    const known = this.chunks.get(number)?.to ?? -1;
    if (known < this.lastStep(number) && !this.pending.has(number)) void this.fetch(number);
  }

  /** @param {number} number of a chunk under way */
  giveUp(number) {
    this.pending.get(number)?.abort();
    this.pending.delete(number);
  }

  /** The last step of a chunk that there is; the last chunk of all may not be full yet. @param {number} number */
  lastStep(number) {
    return Math.min(this.steps, (number + 1) * this.chunkSteps);
  }

  /** @param {number} number */
  async fetch(number) {
    const under = new AbortController();
    this.pending.set(number, under);
    const from = number * this.chunkSteps + 1;
    try {
      const frames = await this.fetchFrames(from, Math.max(from, this.lastStep(number)), under.signal);
      this.problem = null;
      this.chunks.delete(number);
      this.chunks.set(number, frames);
      if (this.chunks.size > KEPT) this.chunks.delete(/** @type {number} */ (this.chunks.keys().next().value));
    } catch (error) {
      if (under.signal.aborted) return;
      this.problem = error;
      await new Promise((resolve) => setTimeout(resolve, AGAIN));
    } finally {
      if (this.pending.get(number) === under) this.pending.delete(number);
    }
  }

  /**
   * @param {string} id
   * @param {number} tick may lie between two
   * @returns {Pose | undefined}
   */
  pose(id, tick) {
    const track = this.at(tick)?.residents[id];
    if (!track) return undefined;
    const { moves } = track;
    const index = lastMove(moves, tick);
    if (index < 0) return { x: track.at[0], y: track.at[1], facing: DOWN, walking: false, walked: 0 };
    const first = index * 3; // no slices: this is asked of everybody in every frame
    const [begun, x, y] = [moves[first], moves[first + 1], moves[first + 2]];
    const [fromX, fromY] = index > 0 ? [moves[first - 2], moves[first - 1]] : track.at;
    const share = Math.min(1, tick - begun);
    const look = share < 1 || tick - begun < 2 ? facing(x - fromX, y - fromY, DOWN) : DOWN;
    return { x: fromX + (x - fromX) * share, y: fromY + (y - fromY) * share, facing: look, walking: share < 1, walked: index + share };
  }

  /** @param {string} id @param {number} tick @returns {Action | undefined} */
  action(id, tick) {
    const track = this.at(tick)?.residents[id];
    return track && (latest(track.actions, tick) ?? track.actions[0]);
  }

  /** The share of residents who sleep, 0 to 1. @param {number} tick */
  asleep(tick) {
    const everybody = Object.keys(this.at(tick)?.residents ?? {});
    return everybody.filter((id) => this.action(id, tick)?.kind === "sleep").length / Math.max(1, everybody.length);
  }

  /** The conversations in progress. @param {number} tick @returns {Conversation[]} */
  conversations(tick) {
    return (this.at(tick)?.conversations ?? []).filter((conversation) => conversation.tick <= tick && tick < conversation.tick + conversation.ticks);
  }

  /** The events of the user's interventions at a moment. @param {number} tick @returns {import("./shapes.js").HappeningView[]} */
  events(tick) {
    return (this.at(tick)?.events ?? []).filter((event) => event.tick <= tick && tick < event.tick + event.ticks);
  }

  /** The last conversation that was begun in what has been fetched. @param {number} tick @param {string} [of] a resident @returns {Conversation | undefined} */
  lastConversation(tick, of) {
    const own = (/** @type {Conversation} */ conversation) => !of || conversation.people.includes(of);
    for (let number = this.chunkAt(tick); number >= 0; number--) {
      const frames = this.chunks.get(number);
      if (!frames) return undefined;
      const conversation = latest(frames.conversations.filter(own), tick);
      if (conversation) return conversation;
    }
    return undefined;
  }

  /** @param {string} address @param {number} tick @returns {import("./shapes.js").ThingChange | undefined} */
  thingChange(address, tick) {
    return latest(this.at(tick)?.things[address] ?? [], tick);
  }
}

/** When each line of a conversation begins, as shares of its duration: longer lines take longer. @param {Conversation} conversation @returns {number[]} */
export function lineStarts(conversation) {
  const weights = conversation.lines.map((line) => 12 + line.text.length);
  const total = weights.reduce((sum, value) => sum + value, 0);
  let sum = 0;
  return weights.map((weight) => (sum += weight) - weight).map((start) => start / total);
}

/** Index of the line being spoken, −1 before the conversation. @param {Conversation} conversation @param {number} tick */
export function lineAt(conversation, tick) {
  const share = (tick - conversation.tick) / conversation.ticks;
  return lineStarts(conversation).filter((start) => start <= share).length - 1;
}
