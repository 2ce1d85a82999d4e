/** Which part of the town is on the screen, in CSS pixels, and the hands that move it. */

const MIN_ZOOM = 0.1;
const MAX_ZOOM = 4;
const MARGIN = 48; // pixels that may be seen beyond the edge of the map
const CLICK_SLACK = 6; // pixels a finger may slip and still mean a click

/** @param {number} value @param {number} low @param {number} high */
export function clamp(value, low, high) {
  return Math.min(high, Math.max(low, value));
}

export class Camera {
  /** @param {number} worldWidth @param {number} worldHeight in map pixels @param {number} zoom screen pixels for one map pixel */
  constructor(worldWidth, worldHeight, zoom) {
    /** @type {[number, number]} */
    this.world = [worldWidth, worldHeight];
    this.width = 1;
    this.height = 1;
    this.x = worldWidth / 2;
    this.y = worldHeight / 2;
    this.zoom = clamp(zoom, MIN_ZOOM, MAX_ZOOM);
    /** @type {[number, number] | null} where it is on the way to, if anywhere */
    this.goal = null;
  }

  /** The same for as long as the same is seen, to a tenth of a pixel. */
  get view() {
    return [...this.toScreen(0, 0).map((at) => at.toFixed(1)), this.zoom, this.width, this.height].join();
  }

  /** @param {number} x @param {number} y @returns {[number, number]} */
  toScreen(x, y) {
    return [(x - this.x) * this.zoom + this.width / 2, (y - this.y) * this.zoom + this.height / 2];
  }

  /** @param {number} x @param {number} y @returns {[number, number]} */
  toWorld(x, y) {
    return [(x - this.width / 2) / this.zoom + this.x, (y - this.height / 2) / this.zoom + this.y];
  }

  /** @param {import("./room.js").Box} box on the screen */
  sees({ left, top, right, bottom }) {
    return right > 0 && bottom > 0 && left < this.width && top < this.height;
  }

  /** Zooms, keeping what lies under the point (x, y) of the screen. @param {number} factor @param {number} [x] @param {number} [y] */
  zoomBy(factor, x = this.width / 2, y = this.height / 2) {
    const [wx, wy] = this.toWorld(x, y);
    this.zoom = clamp(this.zoom * factor, MIN_ZOOM, MAX_ZOOM);
    this.lookAt(wx - (x - this.width / 2) / this.zoom, wy - (y - this.height / 2) / this.zoom);
  }

  /** @param {number} dx @param {number} dy in screen pixels */
  pan(dx, dy) {
    this.goal = null;
    this.lookAt(this.x - dx / this.zoom, this.y - dy / this.zoom);
  }

  /** Centres a point of the map, as far as the map's edges allow; a map smaller than the screen stays in the middle. @param {number} x @param {number} y */
  lookAt(x, y) {
    const margin = MARGIN / this.zoom;
    this.x = within(x, this.world[0], this.width / this.zoom, margin);
    this.y = within(y, this.world[1], this.height / this.zoom, margin);
  }

  /** Draws nearer to a point; `share` of the way at once. @param {number} x @param {number} y @param {number} share */
  approach(x, y, share) {
    this.lookAt(this.x + (x - this.x) * share, this.y + (y - this.y) * share);
  }

  /** Sets out for a point of the map. @param {number} x @param {number} y */
  glideTo(x, y) {
    this.goal = [x, y];
  }

  /** Sets out for what lies beside what is seen. @param {number} dx @param {number} dy in screens */
  glideBy(dx, dy) {
    const [x, y] = this.goal ?? [this.x, this.y];
    this.glideTo(x + (dx * this.width) / this.zoom, y + (dy * this.height) / this.zoom);
  }

  /** Goes on its way. @param {number} share of what is left of it */
  glide(share) {
    if (!this.goal) return;
    const [x, y] = [this.x, this.y];
    this.approach(...this.goal, share);
    if (Math.hypot(this.x - x, this.y - y) * this.zoom < 0.2) this.goal = null;
  }

  /** The whole town. */
  fit() {
    this.goal = null;
    this.zoom = clamp(Math.min(this.width / this.world[0], this.height / this.world[1]), MIN_ZOOM, MAX_ZOOM);
    this.lookAt(this.world[0] / 2, this.world[1] / 2);
  }

  /** @param {number} width @param {number} height */
  resize(width, height) {
    this.width = width;
    this.height = height;
    this.lookAt(this.x, this.y);
  }
}

/** @param {number} centre @param {number} whole @param {number} seen @param {number} margin */
function within(centre, whole, seen, margin) {
  const low = Math.min(whole / 2, seen / 2 - margin);
  return clamp(centre, low, whole - low);
}

/**
 * Mouse, wheel and touch on the stage.
 * @param {HTMLElement} element
 * @param {Camera} camera
 * @param {{panned: () => void, moved: () => void, clicked: (x: number, y: number) => void, hovered: (x: number, y: number) => void, left: () => void}} on
 */
export function handle(element, camera, on) {
  /** @type {Map<number, [number, number]>} */
  const fingers = new Map();
  let travelled = 0;

  const spread = () => {
    const [a, b] = [...fingers.values()];
    return { distance: Math.hypot(a[0] - b[0], a[1] - b[1]), x: (a[0] + b[0]) / 2, y: (a[1] + b[1]) / 2 };
  };

  /** @param {PointerEvent} event @returns {[number, number]} */
  const point = (event) => {
    const box = element.getBoundingClientRect();
    return [event.clientX - box.left, event.clientY - box.top];
  };

  element.addEventListener("pointerdown", (event) => {
    element.setPointerCapture(event.pointerId);
    fingers.set(event.pointerId, point(event));
    if (fingers.size === 1) travelled = 0;
  });

  element.addEventListener("pointermove", (event) => {
    const before = fingers.get(event.pointerId);
    const now = point(event);
    if (!before) return on.hovered(...now);
    const pinch = fingers.size === 2 ? spread() : null;
    fingers.set(event.pointerId, now);
    travelled += Math.hypot(now[0] - before[0], now[1] - before[1]);
    if (!pinch && travelled < CLICK_SLACK) return;
    if (pinch) {
      const after = spread();
      camera.zoomBy(after.distance / Math.max(1, pinch.distance), after.x, after.y);
      camera.pan(after.x - pinch.x, after.y - pinch.y);
    } else {
      camera.pan(now[0] - before[0], now[1] - before[1]);
      on.panned();
    }
    on.moved();
  });

  /** @param {PointerEvent} event */
  const lift = (event) => {
    const single = fingers.size === 1 && fingers.delete(event.pointerId);
    fingers.delete(event.pointerId);
    if (single && event.type === "pointerup" && travelled < CLICK_SLACK) on.clicked(...point(event));
  };
  element.addEventListener("pointerup", lift);
  element.addEventListener("pointercancel", lift);
  element.addEventListener("pointerleave", on.left);

  element.addEventListener(
    "wheel",
    (event) => {
      event.preventDefault();
      const box = element.getBoundingClientRect();
      camera.zoomBy(Math.exp(-event.deltaY * 0.0015), event.clientX - box.left, event.clientY - box.top);
      on.moved();
    },
    { passive: false },
  );
}
