/** When what happened in the whole run, so that it can be seen at a glance and jumped to. */

/** @typedef {import("./types.js").Mark} Mark */
/** @typedef {import("./types.js").RunMarks} RunMarks */

/** @type {RunMarks} */
const NOTHING = { width: 1, events: [], talks: [], reflections: [], plans: [], conversations: [] };

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
  }

  /** Asks for all of them anew: at first, and when the run has gone on. */
  async load() {
    const residents = [...this.own.keys()];
    this.own.clear();
    try {
      this.all = await this.fetchAll();
      this.version++;
      await Promise.all(residents.map((id) => this.want(id)));
    } catch (error) {
      this.failed(/** @type {Error} */ (error));
    }
  }

  /** What a resident did; empty until it has been fetched. @param {string} id @returns {Promise<Mark[]>} */
  async want(id) {
    if (!id) return [];
    const known = this.own.get(id);
    if (known) return known;
    try {
      const found = await this.fetchOne(id);
      this.own.set(id, found);
      this.version++;
      return found;
    } catch (error) {
      this.failed(/** @type {Error} */ (error));
      return [];
    }
  }

  /**
   * The conversation that begins next after a moment, or, with `by` −1, the one that began last before it.
   * @param {number} tick @param {1 | -1} by @param {string} [of] a resident
   */
  talk(tick, by, of) {
    const own = this.all.conversations.filter((one) => !of || one.opener === of || one.partner === of);
    return beyond(own, tick, by);
  }

  /** What a resident does next after a moment, or did last before it. @param {string} id @param {number} tick @param {1 | -1} by */
  async event(id, tick, by) {
    return beyond(await this.want(id), tick, by);
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
  return by > 0 ? list.find((one) => one.tick > now) : list.findLast((one) => one.tick < now);
}
