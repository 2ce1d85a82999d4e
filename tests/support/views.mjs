// Answers views of the page's own scripts outside of a browser: `node views.mjs FRONTEND server ADDRESS` or `… file REPLAY_HTML`.
// Each line of the input is a JSON list of [run, view, query]; each line of the output the list of {answer} or {error}.

import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";

const [frontend, mode, source] = process.argv.slice(2);

if (mode === "file") {
  const html = readFileSync(source, "utf-8");
  const texts = (pattern) => [...html.matchAll(pattern)].map((match) => ({ textContent: match[1] }));
  const head = texts(/<script type="application\/json" id="embedded">(.*?)<\/script>/gs)[0];
  const blocks = texts(/<script type="application\/octet-stream" class="block">(.*?)<\/script>/gs);
  globalThis.document = { documentElement: { lang: "en" }, getElementById: () => head, getElementsByClassName: () => blocks };
} else {
  const { fetch } = globalThis;
  globalThis.document = { documentElement: { lang: "en" }, getElementById: () => null };
  globalThis.fetch = (path, init) => fetch(`${source}/${path}`, init);
}

const load = (module) => import(pathToFileURL(`${frontend}/js/data/${module}.js`).href);
const { ask } = await load("api");
const { hashVector } = await load("hashing");

async function answer([run, view, query]) {
  if (view === "hash") return { answer: [...hashVector(query.text, query.dimension)] };
  try {
    return { answer: await ask(run, view, query) };
  } catch (error) {
    return { error: error.message };
  }
}

for await (const line of createInterface({ input: process.stdin })) {
  const answers = [];
  for (const request of JSON.parse(line)) answers.push(await answer(request));
  process.stdout.write(`${JSON.stringify(answers)}\n`);
}
