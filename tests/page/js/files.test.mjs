import "./page.mjs";

import assert from "node:assert/strict";
import { test } from "node:test";

import { csv } from "../../../frontend/js/plots/files.js";
import { SvgContext } from "../../../frontend/js/plots/svg.js";

test("a table is written as CSV, below its title and where it comes from", () => {
  const table = {
    columns: ["Resident", "Said"],
    rows: [
      ["Chen", 'a "big", party'],
      ["Lin", 3],
    ],
  };
  assert.equal(csv({ title: "Talks", source: "town · 0a" }, table), '# Talks\r\n# town · 0a\r\nResident,Said\r\nChen,"a ""big"", party"\r\nLin,3\r\n');
});

test("what is drawn becomes SVG, where it was drawn, in its colours, and what a text says is no markup", () => {
  const real = { font: "", fillStyle: "", measureText: (/** @type {string} */ text) => ({ width: text.length }) };
  const context = /** @type {any} */ (new SvgContext({ width: 100, height: 50 }, real));
  context.fillStyle = "#ff0000";
  context.save();
  context.translate(10, 5);
  context.fillStyle = "#00ff00";
  context.fillRect(0, 0, 4, 4);
  context.restore();
  context.beginPath();
  context.arc(20, 20, 5, 0, 2 * Math.PI);
  context.fill();
  context.font = "bold 12px Sans";
  context.fillText("<b> & co", 1, 2);
  const svg = context.text("T", "S");
  assert.match(svg, /^<svg [^>]*width="100" height="50"[^>]*><title>T<\/title><desc>S<\/desc>/);
  assert.match(svg, /<path d="M0 0h4v4h-4Z" transform="matrix\(1 0 0 1 10 5\)" fill="#00ff00"\/>/);
  assert.match(svg, /<path d="M25 20A5 5 0 0 1 15 20A5 5 0 0 1 25 20" fill="#ff0000"\/>/);
  assert.match(svg, /font-weight="bold"[^>]*>&#60;b&#62; &#38; co<\/text>/);
});
