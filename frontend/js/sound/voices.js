/** The town's sounds, made of noise and tones as they are heard: none is a recording. */

/** @typedef {{out: GainNode, beat?: (now: number) => number}} Voice `beat` plays what comes next and returns in how many seconds it wants to again */

/** A second of noise in a loop, through a filter. @param {AudioContext} audio @param {BiquadFilterType} type @param {number} frequency hertz @param {number} [q] */
function noise(audio, type, frequency, q = 0.7) {
  const buffer = audio.createBuffer(1, audio.sampleRate * 3, audio.sampleRate);
  const samples = buffer.getChannelData(0);
  for (let at = 0; at < samples.length; at++) samples[at] = Math.random() * 2 - 1;
  const source = new AudioBufferSourceNode(audio, { buffer, loop: true });
  const filter = new BiquadFilterNode(audio, { type, frequency, Q: q });
  const out = new GainNode(audio, { gain: 0 });
  source.connect(filter).connect(out);
  source.start();
  return { out, filter };
}

/** A tone that glides and fades. @param {AudioContext} audio @param {AudioNode} into @param {number} at seconds @param {[number, number]} glide hertz @param {number} lasts seconds @param {number} loud */
function chirp(audio, into, at, [from, to], lasts, loud) {
  const tone = new OscillatorNode(audio, { frequency: from });
  const fade = new GainNode(audio, { gain: 0 });
  tone.frequency.setValueAtTime(from, at);
  tone.frequency.exponentialRampToValueAtTime(to, at + lasts);
  fade.gain.setValueAtTime(0, at);
  fade.gain.linearRampToValueAtTime(loud, at + lasts * 0.2);
  fade.gain.linearRampToValueAtTime(0, at + lasts);
  tone.connect(fade).connect(into);
  tone.start(at);
  tone.stop(at + lasts);
}

/** @param {AudioContext} audio @returns {Voice} */
function birds(audio) {
  const out = new GainNode(audio, { gain: 0 });
  const beat = (/** @type {number} */ now) => {
    const pitch = 2200 + Math.random() * 2400;
    const count = 1 + Math.floor(Math.random() * 4);
    for (let at = 0; at < count; at++) chirp(audio, out, now + at * 0.13, [pitch, pitch * (0.8 + Math.random() * 0.6)], 0.09, 0.09);
    return 0.7 + Math.random() * 2.6;
  };
  return { out, beat };
}

/** @param {AudioContext} audio @returns {Voice} */
function crickets(audio) {
  const out = new GainNode(audio, { gain: 0 });
  const beat = (/** @type {number} */ now) => {
    for (let at = 0; at < 4; at++) chirp(audio, out, now + at * 0.05, [4300, 4250], 0.035, 0.035);
    return 0.4 + Math.random() * 0.5;
  };
  return { out, beat };
}

/** @param {AudioContext} audio @returns {Voice} */
function fire(audio) {
  const { out } = noise(audio, "lowpass", 420);
  const beat = (/** @type {number} */ now) => {
    chirp(audio, out, now, [900 + Math.random() * 1800, 300], 0.02, 0.7);
    return 0.05 + Math.random() * 0.3;
  };
  return { out, beat };
}

/** Voices that no word is understood of. @param {AudioContext} audio @returns {Voice} */
function murmur(audio) {
  const { out, filter } = noise(audio, "bandpass", 420, 3.5);
  const beat = (/** @type {number} */ now) => {
    filter.frequency.linearRampToValueAtTime(260 + Math.random() * 420, now + 0.16);
    return 0.14 + Math.random() * 0.12;
  };
  return { out, beat };
}

/** How loud each is at its loudest. */
export const LOUD = { birds: 0.8, crickets: 0.7, wind: 0.05, water: 0.1, fire: 0.22, rain: 0.16, murmur: 0.16 };

/** @param {AudioContext} audio @returns {Record<keyof typeof LOUD, Voice>} */
export function voices(audio) {
  return {
    birds: birds(audio),
    crickets: crickets(audio),
    wind: noise(audio, "lowpass", 320),
    water: noise(audio, "bandpass", 1400, 0.5),
    fire: fire(audio),
    rain: noise(audio, "highpass", 1800),
    murmur: murmur(audio),
  };
}
