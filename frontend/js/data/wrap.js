/** Texts in lines, for what is painted. */

const TOKENS = /[\p{Script=Han}\u3000-\u303f\uff00-\uffef]|[^\s\p{Script=Han}\u3000-\u303f\uff00-\uffef]+|\s+/gu; // what a line may end after

/** The lines of a text. @param {string} text @param {number} width @param {(text: string) => number} measure @returns {string[]} */
export function wrap(text, width, measure) {
  const lines = [""];
  for (const token of text.match(TOKENS) ?? []) {
    const longer = lines[lines.length - 1] + token;
    if (measure(longer.trimEnd()) <= width || !lines[lines.length - 1]) lines[lines.length - 1] = longer;
    else lines.push(token.trimStart());
  }
  return lines.map((line) => line.trim()).filter(Boolean);
}
