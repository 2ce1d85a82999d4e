/** Errors that are an answer: nothing is wrong with the server, but what was asked for cannot be had. */

import { N_ } from "./fill.js";

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
  /** @param {string} [text] the message @param {Record<string, string>} [values] that fill it */
  constructor(text = N_("Not found in this simulation: the address may belong to another one."), values = {}) {
    super(text);
    this.text = text;
    this.values = values;
  }
}

/** The server does not answer. */
export class Unreachable extends Error {}
