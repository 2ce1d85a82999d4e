/**
 * Sentence vectors without a model, as `modules/hometown/model/hashing.py` makes them: hashed words, word pairs and character n-grams,
 * in English and Chinese. That module says what they mean; a test compares the two.
 */

const HAN = "\\u3400-\\u4dbf\\u4e00-\\u9fff\\uf900-\\ufaff\\u{20000}-\\u{3ffff}";
const UNITS = new RegExp(`[${HAN}]+|(?:(?![${HAN}])[\\p{L}\\p{N}])+`, "gu");
const IS_HAN = new RegExp(`^[${HAN}]`, "u");

const [WORD, PAIR, LETTERS] = [1, 0.5, 1]; // weights
const LETTER_LENGTHS = [3, 4, 5];
const HAN_WEIGHTS = [0.5, 1, 0.6]; // by length, from 1
const DAMPED = 0.1;

const COMMON =
  "a about after again all also am an and any are as at be because been before being but by can could d did do does doing don down " +
  "each for from further get got had has have having he her here hers him his how i if in into is it its itself just let ll m me more " +
  "most my no nor not now of off on once only or other our out over own re s same she should so some such t than that the their them " +
  "then there these they this those through to too under until up ve very was we were what when where which while who whom why will " +
  "with would you your";
const STOP_WORDS = new Set(COMMON.split(" "));
const STOP_CHARACTERS = new Set("的了是在我你他她它们和与也就都而及或这那有个着过吗呢吧啊呀把被让给对从到为于以之其不没很还又再会能可要说上下里么什");

/** @typedef {"word" | "pair" | "han"} Kind */

/** A unit vector that depends on nothing but the text. @param {string} text @param {number} dimension @returns {Float32Array} */
export function hashVector(text, dimension) {
  /** @type {Map<string, [Kind, string, number]>} */
  const counts = new Map();
  for (const [kind, unit] of features(text)) {
    const key = `${kind} ${unit}`;
    counts.set(key, [kind, unit, (counts.get(key)?.[2] ?? 0) + 1]);
  }
  const total = new Float64Array(dimension);
  for (const [kind, unit, count] of counts.values()) {
    for (const [place, weight] of spread(kind, unit, dimension)) total[place] += weight * (count === 1 ? 1 : 1 + Math.log(count));
  }
  let length = Math.sqrt(total.reduce((sum, value) => sum + value * value, 0));
  if (length === 0) {
    const [place, sign] = placeOf("text", text, dimension);
    total[place] = sign;
    length = 1;
  }
  return Float32Array.from(total, (value) => value / length);
}

/** What a text consists of: words, pairs of neighbouring content words, Chinese n-grams. @param {string} text @returns {Generator<[Kind, string]>} */
function* features(text) {
  let before = "";
  for (const [unit] of folded(text).matchAll(UNITS)) {
    if (IS_HAN.test(unit)) {
      before = "";
      const characters = [...unit];
      for (let size = 1; size <= HAN_WEIGHTS.length; size++) {
        for (let at = 0; at + size <= characters.length; at++) yield ["han", characters.slice(at, at + size).join("")];
      }
      continue;
    }
    yield ["word", unit];
    if (STOP_WORDS.has(unit)) continue;
    if (before) yield ["pair", `${before} ${unit}`];
    before = unit;
  }
}

/** @param {string} text */
function folded(text) {
  return text.normalize("NFKC").toLowerCase().replaceAll("ß", "ss").replaceAll("ς", "σ");
}

/** @type {Map<string, [number, number][]>} */
const spreads = new Map();
const SPREADS_KEPT = 1 << 15;

/** The dimensions to which a feature adds, and how much to each. @param {Kind} kind @param {string} unit @param {number} dimension */
function spread(kind, unit, dimension) {
  const key = `${dimension} ${kind} ${unit}`;
  const known = spreads.get(key);
  if (known) return known;
  /** @type {[number, number][]} */
  const places = [];
  for (const [what, part, weight] of weighed(kind, unit)) {
    const [place, sign] = placeOf(what, part, dimension);
    places.push([place, sign * weight]);
  }
  if (spreads.size >= SPREADS_KEPT) spreads.clear();
  spreads.set(key, places);
  return places;
}

/** A feature in its parts: a content word counts by its letters too. @param {Kind} kind @param {string} unit @returns {Generator<[string, string, number]>} */
function* weighed(kind, unit) {
  const characters = [...unit];
  if (kind === "pair") yield [kind, unit, PAIR];
  else if (kind === "han") {
    const common = characters.filter((character) => STOP_CHARACTERS.has(character)).length / characters.length;
    yield [kind, unit, HAN_WEIGHTS[characters.length - 1] * (1 - common * (1 - DAMPED))];
  } else if (STOP_WORDS.has(unit)) yield [kind, unit, WORD * DAMPED];
  else {
    yield [kind, unit, WORD];
    const bounded = ["<", ...characters, ">"];
    const grams = LETTER_LENGTHS.flatMap((size) => bounded.slice(size - 1).map((_, at) => bounded.slice(at, at + size).join("")));
    for (const gram of grams) yield ["letters", gram, LETTERS / Math.sqrt(grams.length)];
  }
}

/** A dimension and a sign. @param {string} kind @param {string} part @param {number} dimension @returns {[number, number]} */
function placeOf(kind, part, dimension) {
  const [low, high] = blake2b64(new TextEncoder().encode(`${kind}\x1f${part}`));
  const [first, second] = [swapped(low), swapped(high)]; // the digest's bytes, read from the other end
  const place = (((first >>> 1) % dimension) * (2 ** 32 % dimension) + ((((first & 1) << 31) | (second >>> 1)) >>> 0)) % dimension;
  return [place, second & 1 ? 1 : -1];
}

/** The bytes of a 32-bit number in the other order. @param {number} word */
function swapped(word) {
  return ((word << 24) | ((word & 0xff00) << 8) | ((word >>> 8) & 0xff00) | (word >>> 24)) >>> 0;
}

// BLAKE2b (RFC 7693) with a digest of 8 bytes and no key; 64-bit words as pairs of 32-bit ones, the low one first.

const IV = new Uint32Array([
  0xf3bcc908, 0x6a09e667, 0x84caa73b, 0xbb67ae85, 0xfe94f82b, 0x3c6ef372, 0x5f1d36f1, 0xa54ff53a, 0xade682d1, 0x510e527f, 0x2b3e6c1f, 0x9b05688c, 0xfb41bd6b,
  0x1f83d9ab, 0x137e2179, 0x5be0cd19,
]);

const SIGMA = [
  [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15],
  [14, 10, 4, 8, 9, 15, 13, 6, 1, 12, 0, 2, 11, 7, 5, 3],
  [11, 8, 12, 0, 5, 2, 15, 13, 10, 14, 3, 6, 7, 1, 9, 4],
  [7, 9, 3, 1, 13, 12, 11, 14, 2, 6, 5, 10, 4, 0, 15, 8],
  [9, 0, 5, 7, 2, 4, 10, 15, 14, 1, 11, 12, 6, 8, 3, 13],
  [2, 12, 6, 10, 0, 11, 8, 3, 4, 13, 7, 5, 15, 14, 1, 9],
  [12, 5, 1, 15, 14, 13, 4, 10, 0, 7, 6, 3, 9, 2, 8, 11],
  [13, 11, 7, 14, 12, 1, 3, 9, 5, 0, 15, 4, 8, 6, 2, 10],
  [6, 15, 14, 9, 11, 3, 0, 8, 12, 2, 13, 7, 1, 4, 10, 5],
  [10, 2, 8, 4, 7, 6, 1, 5, 15, 11, 9, 14, 3, 12, 13, 0],
];
const MIXED = [
  [0, 4, 8, 12],
  [1, 5, 9, 13],
  [2, 6, 10, 14],
  [3, 7, 11, 15],
  [0, 5, 10, 15],
  [1, 6, 11, 12],
  [2, 7, 8, 13],
  [3, 4, 9, 14],
];
const ROUNDS = 12;
const BLOCK = 128;

const v = new Uint32Array(32);
const m = new Uint32Array(32);

/** @param {Uint8Array} data @returns {[number, number]} the low and the high half of the digest as a little-endian number */
function blake2b64(data) {
  const h = IV.slice();
  h[0] ^= 0x01010008; // parameters: 8 bytes, no key, one leaf
  const blocks = Math.max(1, Math.ceil(data.length / BLOCK));
  for (let block = 0; block < blocks; block++) {
    const end = Math.min(data.length, (block + 1) * BLOCK);
    m.fill(0);
    for (let at = block * BLOCK; at < end; at++) m[(at % BLOCK) >> 2] |= data[at] << (8 * (at & 3));
    compress(h, end, block === blocks - 1);
  }
  return [h[0], h[1]];
}

/** @param {Uint32Array} h @param {number} count bytes so far @param {boolean} last */
function compress(h, count, last) {
  v.set(h);
  v.set(IV, 16);
  v[24] ^= count;
  if (last) {
    v[28] = ~v[28];
    v[29] = ~v[29];
  }
  for (let round = 0; round < ROUNDS; round++) {
    const sigma = SIGMA[round % SIGMA.length];
    MIXED.forEach(([a, b, c, d], at) => mix(2 * a, 2 * b, 2 * c, 2 * d, 2 * sigma[2 * at], 2 * sigma[2 * at + 1]));
  }
  for (let at = 0; at < 16; at++) h[at] ^= v[at] ^ v[at + 16];
}

/** The function G. @param {number} a @param {number} b @param {number} c @param {number} d @param {number} x @param {number} y */
function mix(a, b, c, d, x, y) {
  add(a, v[b], v[b + 1]);
  add(a, m[x], m[x + 1]);
  turn(d, a, 32);
  add(c, v[d], v[d + 1]);
  turn(b, c, 24);
  add(a, v[b], v[b + 1]);
  add(a, m[y], m[y + 1]);
  turn(d, a, 16);
  add(c, v[d], v[d + 1]);
  turn(b, c, 63);
}

/** v[at] += (low, high). @param {number} at @param {number} low @param {number} high */
function add(at, low, high) {
  const sum = v[at] + low;
  v[at + 1] += high + (sum >= 2 ** 32 ? 1 : 0);
  v[at] = sum;
}

/** v[at] = (v[at] ^ v[by]) turned to the right by some bits. @param {number} at @param {number} by @param {number} bits */
function turn(at, by, bits) {
  const low = (v[at] ^ v[by]) >>> 0;
  const high = (v[at + 1] ^ v[by + 1]) >>> 0;
  if (bits === 32) [v[at], v[at + 1]] = [high, low];
  else if (bits === 63) [v[at], v[at + 1]] = [(low << 1) | (high >>> 31), (high << 1) | (low >>> 31)];
  else [v[at], v[at + 1]] = [(low >>> bits) | (high << (32 - bits)), (high >>> bits) | (low << (32 - bits))];
}
