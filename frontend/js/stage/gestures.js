/** Mouse, wheel and touch on the stage: what moves the camera, and what is a click. */

const CLICK_SLACK = 6; // pixels a finger may slip and still mean a click
const WHEEL = 0.0015; // logarithm of the zoom by which a pixel of the wheel changes it

/**
 * What is called: after the camera was dragged, after it was moved in any way, and for a click, a hover or the pointer leaving.
 * @typedef {{panned: () => void, moved: () => void, clicked: (x: number, y: number) => void, hovered: (x: number, y: number) => void, left: () => void}} Listeners
 */

export class Gestures {
  /** @param {HTMLElement} element @param {import("./camera.js").Camera} camera @param {Listeners} listeners */
  constructor(element, camera, listeners) {
    this.element = element;
    this.camera = camera;
    this.listeners = listeners;
    /** @type {Map<number, [number, number]>} where each finger is, by pointer */
    this.fingers = new Map();
    this.travelled = 0; // pixels since the first finger was put down
    element.addEventListener("pointerdown", (event) => this.down(event));
    element.addEventListener("pointermove", (event) => this.move(event));
    element.addEventListener("pointerup", (event) => this.lift(event));
    element.addEventListener("pointercancel", (event) => this.lift(event));
    element.addEventListener("pointerleave", listeners.left);
    element.addEventListener("wheel", (event) => this.wheel(event), { passive: false });
  }

  /** Where on the element. @param {MouseEvent} event @returns {[number, number]} */
  point(event) {
    const box = this.element.getBoundingClientRect();
    return [event.clientX - box.left, event.clientY - box.top];
  }

  /** Distance between two fingers, and the point in their middle. */
  pinch() {
    const [a, b] = [...this.fingers.values()];
    return { distance: Math.hypot(a[0] - b[0], a[1] - b[1]), x: (a[0] + b[0]) / 2, y: (a[1] + b[1]) / 2 };
  }

  /** @param {PointerEvent} event */
  down(event) {
    if (event.button) return; // other buttons open menus
    this.element.setPointerCapture(event.pointerId);
    this.fingers.set(event.pointerId, this.point(event));
    if (this.fingers.size === 1) this.travelled = 0;
  }

  /** @param {PointerEvent} event */
  move(event) {
    const before = this.fingers.get(event.pointerId);
    const now = this.point(event);
    if (!before) return this.listeners.hovered(...now);
    const pinch = this.fingers.size === 2 ? this.pinch() : null;
    this.fingers.set(event.pointerId, now);
    this.travelled += Math.hypot(now[0] - before[0], now[1] - before[1]);
    if (!pinch && this.travelled < CLICK_SLACK) return;
    if (pinch) this.zoomFrom(pinch);
    else {
      this.camera.pan(now[0] - before[0], now[1] - before[1]);
      this.listeners.panned();
    }
    this.listeners.moved();
  }

  /** Zooms and pans by what two fingers have done. @param {{distance: number, x: number, y: number}} before */
  zoomFrom(before) {
    const after = this.pinch();
    this.camera.zoomBy(after.distance / Math.max(1, before.distance), after.x, after.y);
    this.camera.pan(after.x - before.x, after.y - before.y);
  }

  /** @param {PointerEvent} event */
  lift(event) {
    const single = this.fingers.size === 1 && this.fingers.delete(event.pointerId);
    this.fingers.delete(event.pointerId);
    if (single && event.type === "pointerup" && this.travelled < CLICK_SLACK) this.listeners.clicked(...this.point(event));
  }

  /** @param {WheelEvent} event */
  wheel(event) {
    event.preventDefault();
    this.camera.zoomBy(Math.exp(-event.deltaY * WHEEL), ...this.point(event));
    this.listeners.moved();
  }
}
