/** Lines read aloud by voices that the browser has on this machine, one for each resident. Off until somebody switches it on. */

import { byId } from "../dom.js";

const [LOWEST, PITCHES, PITCH] = [0.8, 5, 0.12]; // the lowest pitch, how many there are, and how far apart

/** @typedef {{lang: string, localService: boolean, name: string}} VoiceView */

/** The voices of a language that send nothing to other machines. @template {VoiceView} V @param {V[]} voices @param {string} lang @returns {V[]} */
export function localVoices(voices, lang) {
  const own = voices.filter((voice) => voice.localService && voice.lang.toLowerCase().startsWith(lang));
  return own.sort((one, other) => one.name.localeCompare(other.name));
}

/** The voice of a resident, always the same of those there are, and its pitch. @template {VoiceView} V @param {string} who @param {V[]} voices @returns {{voice: V, pitch: number}} */
export function voiceOf(who, voices) {
  let hash = 0;
  for (const letter of who) hash = (hash * 31 + /** @type {number} */ (letter.codePointAt(0))) % 9973;
  return { voice: voices[hash % voices.length], pitch: LOWEST + PITCH * (Math.floor(hash / voices.length) % PITCHES) };
}

export class Speech {
  /** @param {string} lang of the run, in which its residents speak */
  constructor(lang) {
    this.lang = lang;
    this.synthesis = globalThis.speechSynthesis;
    this.box = /** @type {HTMLInputElement} */ (byId("read-aloud"));
    this.line = ""; // the line in sight that was read last
    /** @type {SpeechSynthesisVoice[]} */
    this.voices = [];
    this.find();
    this.synthesis?.addEventListener?.("voiceschanged", () => this.find());
    this.box.addEventListener("change", () => this.synthesis?.cancel());
  }

  /** Takes over the voices there are; without any, there is nothing to switch on. */
  find() {
    this.voices = localVoices(this.synthesis?.getVoices() ?? [], this.lang);
    /** @type {HTMLElement} */ (this.box.closest("label")).hidden = !this.voices.length;
  }

  /** Reads a line, unless another one is being read. @param {string} who @param {string} text */
  say(who, text) {
    if (!this.box.checked || !this.voices.length || this.synthesis.speaking) return;
    const line = new SpeechSynthesisUtterance(text);
    this.synthesis.speak(Object.assign(line, voiceOf(who, this.voices), { lang: this.lang }));
  }

  /** Reads the first line in sight once. @param {{lines: Map<string, import("../stage/manners.js").Spoken>}} bubbles whose lines are in sight, by conversation */
  draw(bubbles) {
    const [first] = this.box.checked ? bubbles.lines : [];
    if (!first) return;
    const [id, { at, speaker, text }] = first;
    if (this.line === `${id} ${at}`) return;
    this.line = `${id} ${at}`;
    this.say(speaker, text);
  }
}
