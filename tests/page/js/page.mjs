/** What the page's modules expect of a browser when they are imported, as little as there can be of it. */

import { readFile } from "node:fs/promises";

const address = { href: "http://town.test/" };
const language = { href: "http://town.test/?lang=zh", addEventListener() {} };

globalThis.document = { documentElement: { lang: "en" }, getElementById: (id) => (id === "language" ? language : null) };
globalThis.location = address;
globalThis.window = globalThis;
globalThis.history = { replaceState: (_state, _title, url) => (address.href = String(url)) };
globalThis.fetch = async (path) => {
  const lang = /^frontend\/lang\/(\w+)\.json$/.exec(path)?.[1];
  if (!lang) throw new Error(`nothing is served at ${path}`);
  const text = lang === "en" ? "{}" : await readFile(new URL(`../../../data/locale/${lang}/page.json`, import.meta.url), "utf8");
  return { ok: true, json: async () => JSON.parse(text) };
};

/** The address of the page, and that of its link to the other language. */
export { address, language };
