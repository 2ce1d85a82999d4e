// Where the corners of a tile come to lie when the page draws a cell; run by test_map_flips.py with the cells as arguments.
import { TiledMap } from "../../frontend/js/stage/map.js";

/** A canvas that only knows where things would be drawn. */
class Paper {
  matrix = [1, 0, 0, 1, 0, 0];
  corners = [];

  transform(a, b, c, d, e, f) {
    const [p, q, r, s, t, u] = this.matrix;
    this.matrix = [p * a + r * b, q * a + s * b, p * c + r * d, q * c + s * d, p * e + r * f + t, q * e + s * f + u];
  }

  translate(x, y) {
    this.transform(1, 0, 0, 1, x, y);
  }

  scale(x, y) {
    this.transform(x, 0, 0, y, 0, 0);
  }

  save() {}

  restore() {}

  drawImage(image, sx, sy, sw, sh, x, y, width, height) {
    const [a, b, c, d, e, f] = this.matrix;
    const at = [[x, y], [x + width, y], [x, y + height], [x + width, y + height]];
    this.corners = at.map(([left, top]) => [a * left + c * top + e, b * left + d * top + f].map(Math.round));
  }
}

const set = { first: 1, last: 1, columns: 1, image: null, size: 2, margin: 0, spacing: 0 };
const map = new TiledMap({ tilewidth: 2, width: 1, height: 1, layers: [] }, [set]);
const seen = process.argv.slice(2).map((cell) => {
  const paper = new Paper();
  map.below.cell(paper, Number(cell), 0, 0);
  return paper.corners;
});
console.log(JSON.stringify(seen));
