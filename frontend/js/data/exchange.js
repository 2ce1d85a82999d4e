/** What a visitor and a resident say to each other, and as whom this browser visits a run. */

/** @typedef {{speaker: string, text: string}} SaidLine */
/** @typedef {{who: string, name: string, doing: string, busy: boolean}} Nearby */
/**
 * What a visitor sees; before they have entered, only that. `waiting` are the numbers of what they did and what has not happened yet.
 * @typedef {{entered: boolean, now: string, place: string, near: Nearby[], places: string[], refused: string, is_away: boolean,
 *            spoken: SaidLine | null, lines: SaidLine[], waiting: number[]}} VisitorView
 */

export class Exchange {
  /** @param {string} me a visitor */
  constructor(me) {
    this.me = me;
    this.partner = ""; // the resident who is spoken to
    /** @type {SaidLine[]} */
    this.lines = [];
    this.thinks = false; // whether the resident is about to answer
    this.isOpen = false; // whether the town waits for what the visitor says next
  }

  /** Turns to a resident, or away from all (""). @param {string} partner */
  turn(partner) {
    if (partner === this.partner) return;
    Object.assign(this, { partner, lines: [], thinks: false, isOpen: false });
  }

  /** @param {string} text */
  say(text) {
    this.lines = [...this.lines, { speaker: this.me, text }];
    this.thinks = this.isOpen = true;
  }

  /** Hands something over, which ends the conversation. @param {string} thing */
  give(thing) {
    this.lines = [...this.lines, { speaker: this.me, text: `🎁 ${thing}` }];
    this.thinks = this.isOpen = false;
  }

  /** Takes the resident's answer from what is being spoken in town, and returns it. @param {import("./live.js").Spoken[]} spoken @returns {SaidLine | undefined} */
  hear(spoken) {
    if (!this.thinks) return undefined;
    const answer = spoken.find(({ resident, partner, complete }) => complete && resident === this.partner && partner === this.me);
    if (!answer || answer.text === this.lines.findLast(({ speaker }) => speaker === this.partner)?.text) return undefined;
    const line = { speaker: this.partner, text: answer.text };
    this.lines = [...this.lines, line];
    this.thinks = false;
    return line;
  }

  /** A step is over: a conversation in it has ended, unless the visitor's words still wait; others may have addressed the visitor. @param {VisitorView} view */
  settle({ spoken, lines, waiting }) {
    if (this.isOpen && !waiting.length) {
      if (lines.some(({ speaker }) => speaker === this.partner)) this.lines = lines;
      this.thinks = this.isOpen = false;
    }
    if (!spoken || this.isOpen) return;
    this.turn(spoken.speaker);
    this.lines = [spoken];
  }
}

/** The visitor as whom this browser visits a run; nobody where the browser keeps nothing. */
export class VisitorPass {
  /** @param {string} run its name @param {() => Storage} storage which may be denied */
  constructor(run, storage = () => localStorage) {
    this.key = `hometown-visit-${run}`;
    this.storage = storage;
    this.who = ""; // their id
    this.pass = ""; // with which nobody else acts for them
    this.name = "";
    this.isIn = false; // whether they are in town, or on the way
    try {
      const { who, pass, name, isIn } = JSON.parse(storage().getItem(this.key) ?? "{}");
      if (who && pass) this.take({ who: String(who), pass: String(pass), name: String(name), isIn: Boolean(isIn) });
    } catch {
      // kept by nobody, or not as it was written
    }
  }

  /** @param {{who: string, pass: string, name: string, isIn: boolean}} visitor */
  take({ who, pass, name, isIn }) {
    this.who = who;
    this.pass = pass;
    this.name = name;
    this.isIn = isIn;
  }

  /** @param {{who: string, pass: string, name: string, isIn: boolean}} visitor */
  keep(visitor) {
    this.take(visitor);
    try {
      this.storage().setItem(this.key, JSON.stringify(visitor));
    } catch {
      // the visit lasts as long as the page
    }
  }

  /** The visitor has left, and may come back. */
  leave() {
    this.keep({ who: this.who, pass: this.pass, name: this.name, isIn: false });
  }
}
