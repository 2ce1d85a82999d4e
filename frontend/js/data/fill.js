/**
 * A text with values in place of its {fields}; {days:day|days} is the singular where the value is 1, else the plural.
 * @param {string} text @param {Record<string, string | number>} values
 */
export function fill(text, values) {
  return text.replace(/\{(\w+)(?::([^{}|]+)\|([^{}]+))?\}/g, (_, name, singular, plural) => {
    const value = String(values[name] ?? "");
    if (singular === undefined) return value;
    return value === "1" ? singular : plural;
  });
}
