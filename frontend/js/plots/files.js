/** Plots as files: SVG, PNG and CSV, each with its title and a line that says which run it is of; and a plot as large as the screen. */

import * as api from "../data/api.js";
import { GameTime } from "../data/gametime.js";
import { complaint, t } from "../data/i18n.js";
import { nameModel } from "../data/model_name.js";
import { save } from "../data/save.js";
import { button, icon, make, setText } from "../dom.js";
import { wrap } from "../data/wrap.js";
import { colour } from "../data/colours.js";
import { SvgContext } from "./svg.js";

const WIDE = 800; // pixels of a file's picture
const LOWEST = 300;
const TALLER = 1.5; // times as tall as in the panel, at most
const FINE = 2; // times as many pixels has a PNG
const [HEAD, FOOT, MARGIN] = [44, 18, 16]; // pixels of the title, of each line of the source, and beside them
const DIGITS = 16; // of a digest, which are enough to know a run by

/** @typedef {{title: string, source: string}} Words */
/** @typedef {import("./charts.js").Table} Table */

/** A table as CSV; title and source stand above it, as comments. @param {Words} words @param {Table} table */
export function csv({ title, source }, { columns, rows }) {
  const cell = (/** @type {string | number} */ value) => (/[",\r\n]/.test(String(value)) ? `"${String(value).replace(/"/g, '""')}"` : String(value));
  return [`# ${title}`, `# ${source}`, ...[columns, ...rows].map((row) => row.map(cell).join(","))].join("\r\n") + "\r\n";
}

/** Which run a file is of, as it is now. @returns {Promise<{name: string, source: string}>} */
async function origin() {
  const run = await api.run(document.body.dataset.name ?? "");
  const time = new GameTime(run.start, document.documentElement.lang);
  const tick = run.steps * run.ticks;
  const model = nameModel(run.model);
  const values = {
    run: run.name,
    world: run.world_name,
    model,
    step: run.steps,
    moment: `${time.day(tick).split(" · ")[1]} ${time.clock(tick)}`,
    digest: run.digest.slice(0, DIGITS),
  };
  return { name: run.name, source: t("{run} · {world} · {model} · until {moment}, step {step} · digest {digest}", values) };
}

/** The buttons below a plot. @param {import("./charts.js").Plot} plot */
export function fileButtons(plot) {
  const note = make("span", "note");
  note.setAttribute("role", "alert");
  const kinds = /** @type {[string, (words: Words) => Promise<Blob> | Blob][]} */ ([
    ["SVG", async (words) => new Blob([await svg(plot, words)], { type: "image/svg+xml" })],
    ["PNG", (words) => png(plot, words)],
    ["CSV", (words) => new Blob(["\ufeff", csv(words, plot.data)], { type: "text/csv" })],
  ]);
  const saving = async (/** @type {string} */ kind, /** @type {(words: Words) => Promise<Blob> | Blob} */ made) => {
    try {
      const { name, source } = await origin();
      save(
        await made({ title: plot.title, source: [plot.about, source].filter(Boolean).join(" ") }),
        `${name}-${plot.title.replace(/[^\p{L}\p{N}]+/gu, "-")}.${kind.toLowerCase()}`,
      );
    } catch (error) {
      setText(note, complaint(error));
    }
  };
  const buttons = kinds.map(([kind, made]) => {
    const one = button("link", () => void saving(kind, made), kind);
    one.ariaLabel = t("{title} as {kind}", { kind, title: plot.title });
    return one;
  });
  const larger = button("link larger", () => enlarge(plot), icon("fit"), t("Larger"));
  larger.ariaLabel = t("Larger: {title}", { title: plot.title });
  return make("div", "files", larger, ...buttons, note);
}

/** Shows a plot as large as the screen, until it is closed. @param {import("./charts.js").Plot} plot */
function enlarge(plot) {
  const place = make("div");
  const dialog = /** @type {HTMLDialogElement} */ (make("dialog", "plate"));
  plot.element.replaceWith(place);
  dialog.ariaLabel = plot.title;
  dialog.append(
    plot.element,
    button("wide", () => dialog.close(), t("Close")),
  );
  dialog.addEventListener("close", () => (place.replaceWith(plot.element), dialog.remove()));
  document.body.append(dialog);
  dialog.showModal();
}

/** @param {import("./charts.js").Plot} plot @param {Words} words */
async function svg(plot, words) {
  const canvas = document.createElement("canvas");
  const context = new SvgContext(canvas, /** @type {CanvasRenderingContext2D} */ (document.createElement("canvas").getContext("2d")));
  canvas.getContext = /** @type {any} */ (() => context);
  const chart = await draw(plot, canvas, 1, words);
  const text = context.text(words.title, words.source);
  chart.destroy();
  return text;
}

/** @param {import("./charts.js").Plot} plot @param {Words} words @returns {Promise<Blob>} */
async function png(plot, words) {
  const canvas = document.createElement("canvas");
  const chart = await draw(plot, canvas, FINE, words);
  const blob = await new Promise((/** @type {(blob: Blob | null) => void} */ done) => canvas.toBlob(done, "image/png"));
  chart.destroy();
  return blob ?? new Blob();
}

/** Draws a plot with its words on a canvas that nobody sees. @param {import("./charts.js").Plot} plot @param {HTMLCanvasElement} canvas @param {number} ratio @param {Words} words */
async function draw(plot, canvas, ratio, words) {
  const context = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
  const family = getComputedStyle(document.body).fontFamily;
  context.font = `12px ${family}`;
  const { clientWidth, clientHeight } = plot.canvas;
  const width = Math.max(WIDE, clientWidth);
  const lines = wrap(words.source, width - 2 * MARGIN, (text) => context.measureText(text).width);
  const below = lines.length * FOOT + MARGIN;
  const height = Math.round(Math.max(LOWEST, clientHeight * Math.min(TALLER, width / Math.max(1, clientWidth)))) + HEAD + below;
  [canvas.width, canvas.height] = [width, height];
  const frame = {
    id: "words",
    beforeDraw: (/** @type {{ctx: CanvasRenderingContext2D}} */ { ctx }) => {
      ctx.fillStyle = colour("paper");
      ctx.fillRect(0, 0, width, height);
    },
    afterDraw: (/** @type {{ctx: CanvasRenderingContext2D}} */ { ctx }) => {
      Object.assign(ctx, { textAlign: "left", textBaseline: "alphabetic", fillStyle: colour("ink"), font: `600 17px ${family}` });
      ctx.fillText(words.title, MARGIN, 28);
      Object.assign(ctx, { fillStyle: colour("soft"), font: `12px ${family}` });
      lines.forEach((line, at) => ctx.fillText(line, MARGIN, height - below + MARGIN / 2 + at * FOOT + 8));
    },
  };
  return plot.drawOn(canvas, ratio, { top: HEAD, bottom: below, left: MARGIN, right: MARGIN }, frame);
}
