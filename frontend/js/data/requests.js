/** Which of several requests was made last: an answer to an earlier one may come after its own. */

export class Requests {
  constructor() {
    this.made = 0;
  }

  /** Begins a request; whatever was begun before is late from now on. @returns {() => boolean} whether it is still the latest */
  begin() {
    const number = ++this.made;
    return () => number === this.made;
  }
}
