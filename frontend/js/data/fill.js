/** Marks a message that is translated elsewhere. @param {string} message */
export const N_ = (message) => message;

/** Marks a message that its context tells from another one with the same English. @param {string} context @param {string} message */
export const P_ = (context, message) => `${context}\u0004${message}`;

/** A text with values in place of its {fields}. @param {string} text @param {Record<string, string | number>} values */
export function fill(text, values) {
  return text.replace(/\{(\w+)\}/g, (_, name) => String(values[name] ?? ""));
}
