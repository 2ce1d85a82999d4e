/**
 * A sentence from mouth to mouth: who told it whom, in which words, and what of them is new.
 *
 * @typedef {object} Telling
 * @property {string} who             who came to know of it
 * @property {string} from            who told it
 * @property {number} tick            when the words are said
 * @property {string} conversation
 * @property {string} address         where it was told
 * @property {string} said            the sentence in which it was told
 * @property {string} before          how the teller had heard it, or known it from the start
 * @typedef {{stories: import("./shapes.js").Story[], tellings: Telling[], knew: string[], known: Record<string, number>}} Rumour
 *   `knew` are those who knew it by themselves, `known` from which tick on somebody knows
 */

import { lineStarts } from "./frames.js";
import { inParts } from "./parts.js";

/** @typedef {import("./shapes.js").ConversationView} Conversation */

const SENTENCE = /[^.!?。！？]+[.!?。！？]*["”’」]*/gu;
const WORD = /[\p{Script=Han}]|[\p{L}\p{N}’']+/gu;

/** The words of a text, in small letters; of Chinese, its characters. @param {string} text @returns {string[]} */
function words(text) {
  return (text.toLowerCase().match(WORD) ?? []).map((word) => word.replaceAll("’", "'"));
}

/** The sentences of a text. @param {string} text @returns {string[]} */
function sentences(text) {
  return (text.match(SENTENCE) ?? []).map((sentence) => sentence.trim()).filter(Boolean);
}

/**
 * The sentence, of those that somebody says, that has most of the words of what it knew; none if it says nothing.
 * @param {import("./shapes.js").LineView[]} lines @param {string} speaker @param {string} known @returns {{line: number, sentence: string} | undefined}
 */
export function sentenceThatTells(lines, speaker, known) {
  const wanted = new Set(words(known));
  const said = lines.flatMap((line, at) => (line.speaker === speaker ? sentences(line.text).map((sentence) => ({ line: at, sentence })) : []));
  const shares = said.map(({ sentence }) => new Set(words(sentence).filter((word) => wanted.has(word))).size);
  return said[shares.indexOf(Math.max(...shares))];
}

/**
 * A text in parts, of which every second one is new against what was known before.
 * @param {string} before @param {string} text @returns {string[]}
 */
export function changes(before, text) {
  const known = words(before);
  const kept = common(known, words(text));
  const parts = [""];
  let at = 0;
  let number = 0;
  for (const match of text.matchAll(WORD)) {
    const fresh = !kept.has(number++);
    const between = text.slice(at, match.index);
    if (fresh === (parts.length % 2 === 0)) parts[parts.length - 1] += between + match[0];
    else if (fresh) {
      parts[parts.length - 1] += between;
      parts.push(match[0]);
    } else parts.push(between + match[0]);
    at = match.index + match[0].length;
  }
  if (parts.length % 2 === 0) parts.push("");
  parts[parts.length - 1] += text.slice(at);
  return parts;
}

/** The places, in `after`, of the longest sequence of words that both have. @param {string[]} before @param {string[]} after @returns {Set<number>} */
function common(before, after) {
  const longest = Array.from({ length: before.length + 1 }, () => new Uint16Array(after.length + 1));
  for (let i = before.length - 1; i >= 0; i--) {
    for (let j = after.length - 1; j >= 0; j--)
      longest[i][j] = before[i] === after[j] ? longest[i + 1][j + 1] + 1 : Math.max(longest[i + 1][j], longest[i][j + 1]);
  }
  const kept = new Set();
  for (let i = 0, j = 0; i < before.length && j < after.length;) {
    if (before[i] === after[j]) kept.add((i++, j++));
    else if (longest[i + 1][j] >= longest[i][j + 1]) i++;
    else j++;
  }
  return kept;
}

/**
 * What there is to follow of a topic: each telling in the words in which it was said, beside those in which its teller had it.
 * @param {any} spread the view of how it spread @param {(id: string) => Promise<Conversation>} conversation @returns {Promise<Rumour>}
 */
export async function follow({ stories, learned = [] }, conversation) {
  const told = learned.filter((/** @type {any} */ each) => each.from && each.conversation);
  const talks = new Map(await Promise.all(told.map(async (/** @type {any} */ each) => [each.who, await conversation(each.conversation)])));
  /** @type {Map<string, string>} how each first had it, in the order in which they came to know */
  const had = new Map(learned.map((/** @type {any} */ each) => [each.who, each.text]));
  const tellings = told.map((/** @type {any} */ each) => {
    const made = telling(each, had.get(each.from) ?? each.text, talks.get(each.who));
    had.set(each.who, made.said);
    return made;
  });
  return {
    stories,
    tellings: tellings.sort((/** @type {Telling} */ one, /** @type {Telling} */ other) => one.tick - other.tick),
    knew: learned.filter((/** @type {any} */ each) => !each.from).map((/** @type {any} */ each) => each.who),
    known: Object.fromEntries(learned.map((/** @type {any} */ each) => [each.who, each.tick])),
  };
}

/**
 * From which tick to which the part of a conversation is said that tells what its listener remembers; all of it, where none does.
 * @param {Conversation} conversation @param {string} teller @param {string} remembered @returns {[number, number]}
 */
export function whenTold(conversation, teller, remembered) {
  const talk = inParts(conversation);
  const { line } = sentenceThatTells(talk.lines, teller, remembered) ?? {};
  const starts = [...lineStarts(talk), 1];
  const [from, to] = line === undefined ? [0, 1] : starts.slice(line, line + 2);
  return [Math.ceil(talk.tick + talk.ticks * from), Math.ceil(talk.tick + talk.ticks * to) - 1];
}

/** @param {any} learning @param {string} before what the teller had of it @param {Conversation} talk @returns {Telling} */
function telling({ who, from, conversation, text }, before, talk) {
  const { line, sentence } = sentenceThatTells(talk.lines, from, before) ?? { line: 0, sentence: text };
  const tick = Math.floor(talk.tick + talk.ticks * (lineStarts(talk)[line] ?? 0));
  return { who, from, tick, conversation, address: talk.address, said: sentence, before };
}
