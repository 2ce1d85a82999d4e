/**
 * The blocks of a run, from the server or from the file, each fetched when it is first wanted and kept for a while.
 *
 * Where blocks cover ranges of steps, those of a kind are as wide as the run's head says; the last one grows with the run. What is said in a conversation is
 * summed up in the step after it, so that a block is whole only once that step has been lived.
 *
 * @typedef {import("./shapes.js").RunView} Run
 * @typedef {import("./shapes.js").Views} Views
 * @typedef {(address: string, steps?: [number, number]) => Promise<any>} Fetch   address below the run's; the steps of a range
 */

const KEPT = 200; // blocks of ranges; the one fetched first goes first

export class Blocks {
  /** @param {Fetch} fetch */
  constructor(fetch) {
    this.fetch = fetch;
    /** @type {Run | undefined} */
    this.head = undefined;
    this.steps = 0; // lived, as far as is known
    /** @type {Map<string, {seen: number, block: Promise<any>}>} by address and first step */
    this.kept = new Map();
  }

  /** The run's head has been fetched. @param {Run} run */
  know(run) {
    this.head = run;
    this.steps = Math.max(this.steps, run.steps);
  }

  /** @returns {Promise<Run>} */
  async run() {
    if (!this.head) this.know(await this.fetch(""));
    return /** @type {Run} */ (this.head);
  }

  /** A block of the run as a whole. @template {string} A @param {A} address @returns {Promise<A extends keyof Views ? Views[A] : any>} */
  whole(address) {
    return this.fetch(address);
  }

  /** The block that holds a step; step 0 lies with step 1. @param {string} kind @param {string} address @param {number} step @returns {Promise<any>} */
  async at(kind, address, step) {
    const width = (await this.run()).widths[kind];
    const within = Math.min(Math.max(step, 1), Math.max(this.steps, 1)) - 1;
    return this.range(address, within - (within % width) + 1, width);
  }

  /** The blocks of steps 1 to `last`, in order. @param {string} kind @param {string} address @param {number} [last] @returns {Promise<any[]>} */
  async upTo(kind, address, last = Infinity) {
    const width = (await this.run()).widths[kind];
    const end = Math.max(1, Math.min(last, this.steps));
    return Promise.all(Array.from({ length: Math.ceil(end / width) }, (_, at) => this.range(address, at * width + 1, width)));
  }

  /** @param {string} address @param {number} from @param {number} width @returns {Promise<any>} */
  range(address, from, width) {
    const key = `${address} ${from}`;
    const to = Math.max(from, Math.min(from + width - 1, this.steps));
    const seen = Math.min(from + width, this.steps);
    const known = this.kept.get(key);
    if (known && known.seen >= seen) return known.block;
    const block = this.fetch(address, [from, to]);
    this.kept.delete(key);
    this.kept.set(key, { seen, block });
    block.catch(() => this.kept.delete(key));
    if (this.kept.size > KEPT) this.kept.delete(/** @type {string} */ (this.kept.keys().next().value));
    return block;
  }
}
