/**
 * A resident's memories as they were after a step, and how the run's own search would have ranked them then, by the score of
 * `modules/hometown/memory/stream.py`: the weighted sum of recency, importance and relevance, with the run's settings.
 *
 * @typedef {import("./shapes.js").RankingView} Retrieval
 * @typedef {import("./shapes.js").Memories} Memories
 * @typedef {import("./shapes.js").MemoryView & {used: number | null, retired: boolean, settled: number | null}} Memory   `used`: the tick of its last access, `settled`: since when it is over
 * @typedef {Memory & {scores: [number, number, number, number]}} Ranked   sum, recency, importance, relevance
 */

import { hashVector } from "./hashing.js";

const TICKS_PER_HOUR = 360;
const MOST_HOURS = 2 ** 20 - 1; // recency falls no further
const SMALLEST = 1e-200; // powers below it count as 0
const DECIMALS = 1e5; // of a score
const SCALE = 4000; // of quantised vectors
const WORDS_DIMENSION = 384; // of the vectors of words that stand in for a model's embedding

/** The memories that there were after a step, oldest first. @param {Memories[]} blocks of steps 1 to `step` at least @param {number} step @returns {Memory[]} */
export function memoriesAt(blocks, step) {
  const used = new Map(blocks.flatMap((block) => block.used.filter(([at]) => at <= step).map(([, id, tick]) => /** @type {[number, number]} */ ([id, tick]))));
  const last = new Map(blocks.flatMap((block) => block.used.filter(([at]) => at <= step).map(([at, id]) => /** @type {[number, number]} */ ([id, at]))));
  const gone = blocks.flatMap((block) => block.retired.filter(([at]) => at <= step));
  const retired = new Set(gone.filter(([at, id]) => (last.get(id) ?? 0) <= at).map(([, id]) => id)); // what was used later was recalled
  const settled = new Map(blocks.flatMap((block) => block.settled));
  const items = blocks.flatMap((block) => block.items).filter((memory) => memory.step <= step);
  return items.map((memory) => ({ ...memory, used: used.get(memory.id) ?? null, retired: retired.has(memory.id), settled: settled.get(memory.id) ?? null }));
}

/** By what a search compares texts: the run's own embedding if that needs no model, else shared words. @param {Retrieval} settings @returns {"vectors" | "words"} */
export function comparedBy(settings) {
  return settings.embedding === "hash" ? "vectors" : "words";
}

/** What recency, importance and relevance are multiplied by. @param {Retrieval} settings */
export function weightsOf(settings) {
  return [settings.recency_weight, settings.importance_weight, settings.relevance_weight];
}

/** Live memories, best first; ties go to the newer one. @param {Memory[]} memories @param {string} query @param {number} tick @param {Retrieval} settings @returns {Ranked[]} */
export function rank(memories, query, tick, settings) {
  const live = memories.filter((memory) => !memory.retired);
  if (!live.length) return [];
  const terms = scaled(recency(live, tick, settings), importance(live), relevance(live, query, settings), settings);
  const weights = weightsOf(settings);
  const ranked = live.map((memory, at) => {
    const [first, second, third] = terms.map((values) => values[at]);
    return {
      ...memory,
      scores: /** @type {Ranked["scores"]} */ ([rounded(weights[0] * first + weights[1] * second + weights[2] * third), first, second, third]),
    };
  });
  return ranked.sort((memory, other) => other.scores[0] - memory.scores[0] || other.id - memory.id);
}

/** @param {Memory[]} live @param {number} tick @param {Retrieval} settings */
function recency(live, tick, { recency_basis, recency_decay }) {
  if (recency_basis === "rank") {
    const table = powers(recency_decay, live.length + 1);
    return ranks(live).map((rank) => table[rank]);
  }
  const ages = live.map((memory) => age(recency_basis === "access" ? accessed(memory) : memory.tick, tick));
  const wholeHours = ages.map((ticks) => Math.floor(ticks / TICKS_PER_HOUR));
  const byHour = powers(recency_decay, wholeHours.reduce((most, hours) => Math.max(most, hours), 0) + 1);
  const byTick = powers(recency_decay ** (1 / TICKS_PER_HOUR), TICKS_PER_HOUR);
  return ages.map((ticks, at) => byHour[wholeHours[at]] * byTick[ticks % TICKS_PER_HOUR]);
}

/** The powers of a base from 0 on, each the one before it times the base. @param {number} base @param {number} count */
function powers(base, count) {
  const table = new Float64Array(count).fill(1);
  for (let at = 1; at < count; at++) table[at] = table[at - 1] * base;
  return table.map((power) => (power < SMALLEST ? 0 : power));
}

/** @param {Memory} memory */
function accessed(memory) {
  return memory.used ?? memory.tick;
}

/** In ticks. @param {number} since @param {number} now in ticks */
function age(since, now) {
  return Math.min(Math.max(0, now - since), MOST_HOURS * TICKS_PER_HOUR);
}

/** 1 for the memory accessed last, 2 for the one before, … @param {Memory[]} live */
function ranks(live) {
  const order = live.map((_, at) => at).sort((at, other) => accessed(live[other]) - accessed(live[at]) || live[other].id - live[at].id);
  const places = new Array(live.length);
  order.forEach((at, place) => (places[at] = place + 1));
  return places;
}

/** @param {Memory[]} live */
function importance(live) {
  return live.map((memory) => memory.poignancy);
}

/** @type {Map<string, Float32Array>} */
const vectors = new Map();
const VECTORS_KEPT = 20_000;

/** The cosine of each memory and the query. @param {Memory[]} live @param {string} query @param {Retrieval} settings */
function relevance(live, query, settings) {
  const dimension = comparedBy(settings) === "vectors" ? settings.dimension : WORDS_DIMENSION;
  const wanted = vectorOf(query, dimension);
  return live.map((memory) => vectorOf(memory.text, dimension).reduce((sum, value, at) => sum + value * wanted[at], 0) / SCALE ** 2);
}

/** @param {string} text @param {number} dimension */
function vectorOf(text, dimension) {
  const key = `${dimension} ${text}`;
  let vector = vectors.get(key);
  if (!vector) {
    if (vectors.size >= VECTORS_KEPT) vectors.clear();
    vectors.set(key, (vector = hashVector(text, dimension).map((value) => toEven(value * SCALE))));
  }
  return vector;
}

/** @param {number[]} recent @param {number[]} important @param {number[]} relevant @param {Retrieval} settings */
function scaled(recent, important, relevant, { normalise }) {
  if (normalise === "none") return [recent, important.map((value) => value / 10), relevant];
  return [minmax(recent), minmax(important), minmax(relevant)];
}

/** To 0–1; a zero range gives the midpoint. @param {number[]} values */
function minmax(values) {
  const [low, high] = values.reduce(([least, most], value) => [Math.min(least, value), Math.max(most, value)], [Infinity, -Infinity]);
  return values.map((value) => (high > low ? (value - low) / (high - low) : 0.5));
}

/** To five decimals. @param {number} value */
function rounded(value) {
  return toEven(value * DECIMALS) / DECIMALS;
}

/** The nearest whole number; of two the even one. @param {number} value */
function toEven(value) {
  const floor = Math.floor(value);
  const up = value - floor > 0.5 || (value - floor === 0.5 && floor % 2 !== 0);
  return floor + (up ? 1 : 0);
}
