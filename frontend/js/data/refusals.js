/** Errors that are an answer: nothing is wrong with the server, but what was asked for cannot be had. */

/** The server, or the file, has said in its own words why. */
export class Refused extends Error {
  /** @param {string} message @param {number} [status] of the answer */
  constructor(message, status = 0) {
    super(message);
    this.status = status;
  }
}

/** What an address names is not in the run. */
export class Unknown extends Error {
  /** @param {string} [text] key of what the page says of it @param {Record<string, string>} [values] that fill it */
  constructor(text = "unknown_thing", values = {}) {
    super(text);
    this.text = text;
    this.values = values;
  }
}

/** The server does not answer. */
export class Unreachable extends Error {}
