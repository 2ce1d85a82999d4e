/** Long lines of conversations in parts that a bubble can hold. */

const LONGEST = 140; // letters in a bubble

/** @typedef {import("./shapes.js").ConversationView} Conversation */

/**
 * A conversation whose long lines are several, each of which ends where a sentence or a word does.
 * @param {Conversation} conversation @returns {Conversation}
 */
export function inParts(conversation) {
  return { ...conversation, lines: conversation.lines.flatMap((line) => parts(line.text).map((text) => ({ ...line, text }))) };
}

/** @param {string} text @returns {string[]} */
function parts(text) {
  const letters = [...text];
  if (letters.length <= LONGEST) return [text];
  const size = Math.ceil(letters.length / Math.ceil(letters.length / LONGEST));
  const room = letters.slice(0, Math.min(LONGEST, size + 24)).join("");
  const ends = [/^.*[.!?…]["”’)]?(?=\s)|^.*[。！？…]/su, /^.*[,;:—](?=\s)|^.*[，；：、]/su, /^.*(?=\s)/su].map((end) => end.exec(room)?.[0] ?? "");
  const part = ends.find((end) => [...end].length > size / 2) || letters.slice(0, size).join("");
  const rest = text.slice(part.length).trim();
  return rest ? [part.trim(), ...parts(rest)] : [part.trim()];
}
