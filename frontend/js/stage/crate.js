/** What a placed thing looks like for which there is no picture: it comes into the town in a crate. */

/** The crate, a letter for each pixel. */
const CRATE = [
  "................",
  "................",
  "..oooooooooooo..",
  ".ohhhhhhhhhhhho.",
  ".ohllllllllllmo.",
  ".oooooooooooooo.",
  ".omlddddddddlmo.",
  ".ommldllllldlmo.",
  ".omdmldlllldlmo.",
  ".omddmldllldlmo.",
  ".omdldmldlldlmo.",
  ".omdlldmldldlmo.",
  ".omddddddmldmmo.",
  ".ommmmmmmmmmmmo.",
  "..oooooooooooo..",
  "................",
];
const PAINT = { o: "#4a3426", h: "#e9c48d", l: "#d3a267", m: "#b98350", d: "#96673f" };

/** The crate as a picture of 16 × 16 pixels. */
export function crate() {
  const canvas = document.createElement("canvas");
  canvas.width = CRATE[0].length;
  canvas.height = CRATE.length;
  const context = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
  CRATE.forEach((row, y) =>
    [...row].forEach((pixel, x) => {
      context.fillStyle = PAINT[/** @type {keyof PAINT} */ (pixel)] ?? "transparent";
      context.fillRect(x, y, 1, 1);
    }),
  );
  return canvas;
}
