/** The user's own marks on a run's timeline, kept by the browser. */

/** @typedef {{tick: number, text: string}} OwnMark */

export class OwnMarks {
  /** @param {string} run its name @param {() => Storage} storage which may be denied */
  constructor(run, storage = () => localStorage) {
    this.key = `hometown-marks-${run}`;
    this.storage = storage;
    /** @type {OwnMark[]} sorted by time */
    this.all = this.load();
    this.version = 0; // counts the changes
  }

  /** @returns {OwnMark[]} */
  load() {
    try {
      const kept = JSON.parse(this.storage().getItem(this.key) ?? "[]");
      return kept.map((/** @type {OwnMark} */ { tick, text }) => ({ tick: Number(tick), text: String(text) }));
    } catch {
      return []; // kept by nobody, or not as it was written
    }
  }

  /** Marks a moment, or words its mark anew. @param {number} tick @param {string} text */
  set(tick, text) {
    this.keep([...this.all.filter((mark) => mark.tick !== tick), { tick, text }]);
  }

  /** @param {number} tick */
  remove(tick) {
    this.keep(this.all.filter((mark) => mark.tick !== tick));
  }

  /** @param {OwnMark[]} marks */
  keep(marks) {
    this.all = marks.sort((one, other) => one.tick - other.tick);
    this.version++;
    try {
      this.storage().setItem(this.key, JSON.stringify(this.all));
    } catch {
      // a browser that keeps nothing keeps them until the page is left
    }
  }
}
