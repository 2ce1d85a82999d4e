/** The marks of the timeline: what happened when in the whole run, to be seen at a glance and jumped to. */

/** @typedef {import("./shapes.js").Mark} Mark */
/** @typedef {import("./shapes.js").Marks & {alerts: import("./shapes.js").AlertView[]}} RunMarks */

/** @type {RunMarks} */
const NOTHING = { width: 1, events: [], conversations: [], reflections: [], plans: [], held: [], alerts: [] };

export class Marks {
  /**
   * @param {() => Promise<RunMarks>} fetchAll
   * @param {(id: string) => Promise<Mark[]>} fetchOne
   * @param {(error: Error) => void} failed
   */
  constructor(fetchAll, fetchOne, failed) {
    this.fetchAll = fetchAll;
    this.fetchOne = fetchOne;
    this.failed = failed;
    this.all = NOTHING;
    /** @type {Map<string, Mark[]>} by resident */
    this.own = new Map();
    this.version = 0; // counts what has come in, so that others see when there is something new
    /** @type {Promise<void>} settled once there is a first answer, or a first failure */
    this.answered = new Promise((settle) => (this.settle = settle));
  }

  /** Fetches all marks: at first, and again when the run has continued. */
  async load() {
    const residents = [...this.own.keys()];
    this.own.clear();
    try {
      this.all = await this.fetchAll();
      this.version++;
      await Promise.all(residents.map((id) => this.of(id)));
    } catch (error) {
      this.failed(/** @type {Error} */ (error));
    }
    this.settle();
  }

  /** What a resident did; empty until it has been fetched. @param {string} id @returns {Promise<Mark[]>} */
  async of(id) {
    if (!id) return [];
    const known = this.own.get(id);
    if (known) return known;
    try {
      const marks = await this.fetchOne(id);
      this.own.set(id, marks);
      this.version++;
      return marks;
    } catch (error) {
      this.failed(/** @type {Error} */ (error));
      return [];
    }
  }

  /**
   * The conversation that begins next after a moment, or, with `by` −1, the one that began last before it; none before there is an answer.
   * @param {number} tick @param {1 | -1} by @param {string} [of] a resident
   */
  conversation(tick, by, of) {
    const own = this.all.held.filter((conversation) => !of || conversation.people.includes(of));
    return beyond(own, tick, by);
  }

  /** What a resident does next after a moment, or did last before it. @param {string} id @param {number} tick @param {1 | -1} by */
  async event(id, tick, by) {
    return beyond(await this.of(id), tick, by);
  }
}

/**
 * @template {{tick: number}} T
 * @param {T[]} list sorted by tick
 * @param {number} tick
 * @param {1 | -1} by
 * @returns {T | undefined}
 */
function beyond(list, tick, by) {
  const now = Math.floor(tick);
  return by > 0 ? list.find((mark) => mark.tick > now) : list.findLast((mark) => mark.tick < now);
}
