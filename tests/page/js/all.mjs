/** All tests of the page's scripts, in one process: to start Node.js for each file took ten times as long as its tests. */

import { readdir } from "node:fs/promises";

for (const file of (await readdir(new URL(".", import.meta.url))).sort()) if (file.endsWith(".test.mjs")) await import(`./${file}`);
