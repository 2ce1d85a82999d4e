/** A drawing context that writes SVG: as much of a canvas's own as the chart library and our plots use. Transforms and clips are those of SVG. */

const BASELINES = /** @type {Record<string, number>} */ ({ top: 0.8, hanging: 0.8, middle: 0.35, bottom: -0.2 }); // of a letter's height, below where the text stands
const ANCHORS = /** @type {Record<string, string>} */ ({ center: "middle", right: "end", end: "end" });
const FONT = /^(?:(?:normal|italic)\s+)?(?:(\S+)\s+)?([\d.]+)px\s+(.+)$/;
const WHOLE = 2 * Math.PI - 1e-6; // radians from which an arc is a circle

const STYLE = {
  fillStyle: "#000000",
  strokeStyle: "#000000",
  lineWidth: 1,
  lineCap: "butt",
  lineJoin: "miter",
  lineDashOffset: 0,
  font: "10px sans-serif",
  textAlign: "start",
  textBaseline: "alphabetic",
  globalAlpha: 1,
  dash: /** @type {number[]} */ ([]),
  matrix: [1, 0, 0, 1, 0, 0],
  clipped: "",
};

/** @param {unknown} text */
const escaped = (text) => String(text).replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);
const short = (/** @type {number} */ value) => String(Math.round(value * 100) / 100);

export class SvgContext {
  /** @param {HTMLCanvasElement} canvas whose context this is @param {{measureText: (text: string) => TextMetrics, font: string, fillStyle: string | CanvasGradient | CanvasPattern}} real measures texts and reads colours */
  constructor(canvas, real) {
    this.canvas = canvas;
    this.real = real;
    /** @type {string[]} */
    this.parts = [];
    /** @type {(typeof STYLE)[]} */
    this.kept = [];
    this.clips = 0;
    this.path = "";
    Object.assign(this, STYLE);
    this.style = /** @type {typeof STYLE} */ (/** @type {unknown} */ (this));
  }

  /** The document. @param {string} title @param {string} about */
  text(title, about) {
    const { width, height } = this.canvas;
    const head = `<title>${escaped(title)}</title><desc>${escaped(about)}</desc>`;
    return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">${head}${this.parts.join("")}</svg>\n`;
  }

  save() {
    this.kept.push(/** @type {typeof STYLE} */ (Object.fromEntries(Object.keys(STYLE).map((key) => [key, this.style[/** @type {keyof STYLE} */ (key)]]))));
  }

  restore() {
    Object.assign(this, this.kept.pop());
  }

  // The canvas is as large as the picture, so that the library's own ratio is 1, and nothing is ever drawn twice.
  setTransform() {}
  resetTransform() {}
  clearRect() {}

  /** @param {number[]} by */
  transform(...by) {
    const [a, b, c, d, e, f] = this.style.matrix;
    const [g, h, i, j, k, l] = by;
    this.style.matrix = [a * g + c * h, b * g + d * h, a * i + c * j, b * i + d * j, a * k + c * l + e, b * k + d * l + f];
  }

  /** @param {number} x @param {number} y */
  translate(x, y) {
    this.transform(1, 0, 0, 1, x, y);
  }

  /** @param {number} angle */
  rotate(angle) {
    this.transform(Math.cos(angle), Math.sin(angle), -Math.sin(angle), Math.cos(angle), 0, 0);
  }

  /** @param {number[]} dash */
  setLineDash(dash) {
    this.style.dash = [...dash];
  }

  beginPath() {
    this.path = "";
  }

  closePath() {
    if (this.path) this.path += "Z";
  }

  /** @param {string} command @param {number[]} at */
  add(command, ...at) {
    this.path += `${command}${at.map(short).join(" ")}`;
  }

  /** @param {number} x @param {number} y */
  moveTo(x, y) {
    this.add("M", x, y);
  }

  /** @param {number} x @param {number} y */
  lineTo(x, y) {
    this.add(this.path ? "L" : "M", x, y);
  }

  /** @param {number[]} at */
  bezierCurveTo(...at) {
    this.add("C", ...at);
  }

  /** @param {number} x @param {number} y @param {number} width @param {number} height */
  rect(x, y, width, height) {
    this.path += `M${short(x)} ${short(y)}h${short(width)}v${short(height)}h${short(-width)}Z`;
  }

  /** @param {number} x @param {number} y @param {number} radius @param {number} from @param {number} to @param {boolean} [against] the clock */
  arc(x, y, radius, from, to, against = false) {
    const spot = (/** @type {number} */ angle) => /** @type {[number, number]} */ ([x + radius * Math.cos(angle), y + radius * Math.sin(angle)]);
    const turn = against ? from - to : to - from;
    const swept = Math.abs(turn) >= WHOLE ? 2 * Math.PI : ((turn % (2 * Math.PI)) + 2 * Math.PI) % (2 * Math.PI);
    this.lineTo(...spot(from));
    for (const part of swept > Math.PI ? [0.5, 1] : [1])
      this.add("A", radius, radius, 0, 0, against ? 0 : 1, ...spot(from + (against ? -1 : 1) * swept * part));
  }

  clip() {
    const id = `clip${this.clips++}`;
    const { matrix, clipped } = this.style;
    this.parts.push(`<clipPath id="${id}"${clipped && ` clip-path="url(#${clipped})"`}><path d="${this.path}"${placed(matrix)}/></clipPath>`);
    this.style.clipped = id;
  }

  /** @param {string} [rule] */
  fill(rule) {
    this.draw(`<path d="${this.path}"${rule === "evenodd" ? ' fill-rule="evenodd"' : ""}${placed(this.style.matrix)}`, this.filling, "/>");
  }

  stroke() {
    this.draw(`<path d="${this.path}"${placed(this.style.matrix)}`, this.stroking, "/>");
  }

  /** @param {number} x @param {number} y @param {number} width @param {number} height */
  fillRect(x, y, width, height) {
    this.beginPath();
    this.rect(x, y, width, height);
    this.fill();
  }

  /** @param {number} x @param {number} y @param {number} width @param {number} height */
  strokeRect(x, y, width, height) {
    this.beginPath();
    this.rect(x, y, width, height);
    this.stroke();
  }

  /** @param {string} text @param {number} x @param {number} y */
  fillText(text, x, y) {
    this.write(text, x, y, this.filling);
  }

  /** @param {string} text @param {number} x @param {number} y */
  strokeText(text, x, y) {
    this.write(text, x, y, this.stroking);
  }

  /** @param {string} text */
  measureText(text) {
    this.real.font = this.style.font;
    return this.real.measureText(text);
  }

  get filling() {
    return ` fill="${this.colour(this.style.fillStyle)}"`;
  }

  get stroking() {
    const { strokeStyle, lineWidth, lineCap, lineJoin, dash, lineDashOffset } = this.style;
    const dashed = dash.length ? ` stroke-dasharray="${dash.join(" ")}" stroke-dashoffset="${lineDashOffset}"` : "";
    return ` fill="none" stroke="${this.colour(strokeStyle)}" stroke-width="${lineWidth}" stroke-linecap="${lineCap}" stroke-linejoin="${lineJoin}"${dashed}`;
  }

  /** A colour as every reader of SVG knows it. @param {string} style */
  colour(style) {
    this.real.fillStyle = style;
    return String(this.real.fillStyle);
  }

  /** @param {string} text @param {number} x @param {number} y @param {string} look */
  write(text, x, y, look) {
    const { font, textAlign, textBaseline, matrix } = this.style;
    const [, weight = "", size = "10", family = "sans-serif"] = FONT.exec(font) ?? [];
    const anchor = ANCHORS[textAlign] ?? "start";
    const down = (BASELINES[textBaseline] ?? 0) * Number(size);
    const letters = ` font-family="${escaped(family)}" font-size="${size}"${weight && ` font-weight="${weight}"`} text-anchor="${anchor}"`;
    this.draw(`<text x="${short(x)}" y="${short(y + down)}"${letters}${placed(matrix)}`, look, `>${escaped(text)}</text>`);
  }

  /** @param {string} opening @param {string} look @param {string} closing */
  draw(opening, look, closing) {
    const { clipped, globalAlpha } = this.style;
    const shape = `${opening}${look}${globalAlpha < 1 ? ` opacity="${short(globalAlpha)}"` : ""}${closing}`;
    this.parts.push(clipped ? `<g clip-path="url(#${clipped})">${shape}</g>` : shape);
  }
}

/** @param {number[]} matrix */
function placed(matrix) {
  return matrix.every((value, at) => value === STYLE.matrix[at])
    ? ""
    : ` transform="matrix(${matrix.map((value) => Math.round(value * 1e4) / 1e4).join(" ")})"`;
}
