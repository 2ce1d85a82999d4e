/** The chapters of a run as a class is shown them: each with a heading, what happens, and a question. */

import * as api from "../data/api.js";
import { whenTold } from "../data/rumour.js";
import { N_, P_, nt, t } from "../data/i18n.js";
import { make } from "../dom.js";
import { written } from "../data/words.js";

/** @typedef {import("../data/shapes.js").ChapterView} ChapterView */
/** @typedef {{run: import("../data/shapes.js").RunView, time: import("../data/gametime.js").GameTime, tabs: import("../panel/tabs.js").Tabs}} Parts */

const TELLINGS = ["told", "passed_on", "changed", "known"];
const WIDE = 1.5; // times as much of the town is seen where many are

/** @type {Record<ChapterView["kind"], string>} */
const HEADINGS = {
  begins: N_("It begins"),
  decision: N_("A decision"),
  told: N_("The first to hear of it"),
  passed_on: N_("At second hand"),
  changed: N_("Changed in the telling"),
  ends: N_("It is over"),
  known: N_("The last to hear of it"),
  conversation: N_("A conversation"),
  reflection: N_("An insight"),
  gathering: N_("A gathering"),
};

/** @type {Record<ChapterView["kind"], string>} */
const QUESTIONS = {
  begins: N_("Who is here now, and who will only hear of it? What would you do first?"),
  decision: N_("Does this suit {name}? What would you do?"),
  told: N_("What does {name} know now, and what not? Whom could they ask?"),
  passed_on: N_("{teller} was only told of it. Has anything been left out or added?"),
  changed: N_("{name} hears “{changed}”; {teller} knew it otherwise. How could {name} find out what is right?"),
  ends: N_("Who has noticed it, and who has not? Where were they?"),
  known: N_("Who has not heard of it, and why not?"),
  conversation: N_("What did each of them know before, and what do they know afterwards?"),
  reflection: N_("What is this insight based on? Would you have come to the same?"),
  gathering: N_("Who has come, and who knew of it and stayed away?"),
};

/** The heading of a chapter, with its time and place. @param {ChapterView} chapter @param {Parts} parts */
export function headingOf({ kind, tick, address }, { time, tabs }) {
  return [t(HEADINGS[kind]), time.stamp(tick), address && tabs.place(address)].filter(Boolean).join(" · ");
}

/** The question about a chapter. @param {ChapterView} chapter @param {Parts} parts */
export function questionOf({ kind, who, changed }, { run, tabs }) {
  const [teller, name] = [who[0], who[who.length - 1]].map((id) => (id ? tabs.name(id) : ""));
  return t(QUESTIONS[kind], { teller, name, changed: new Intl.ListFormat(run.lang).format(changed) });
}

/** What happens in a chapter, in the page's words or the town's. @param {ChapterView} chapter @param {Parts} parts @returns {HTMLElement} */
export function tell({ kind, who, text, count }, { run, tabs }) {
  if (kind === "ends") return make("span", "", who.length ? t("Thanks to {names}.", { names: tabs.listed(who) }) : t("It has ended by itself."));
  const words = written(run, "span", "", kind === "decision" ? `${tabs.listed(who)}: ${text}` : text);
  if (kind !== "known") return words;
  const share = nt("{count} of {of} knows of it now.", "{count} of {of} know of it now.", count, { of: run.residents.length });
  return make("span", "", `${share} `, words);
}

/** A chapter as a stop of the show; one of a telling while its words are said. @param {ChapterView} chapter @param {Parts} parts @returns {Promise<import("./show.js").Stop>} */
export async function stopAt(chapter, parts) {
  const { kind, who, address, conversation, text } = chapter;
  const talk = TELLINGS.includes(kind) && conversation && (await api.ask(parts.run.name, `conversations/${conversation}`));
  const [tick, until] = talk ? whenTold(talk, who[0], text) : [chapter.tick];
  return {
    tick,
    until,
    who,
    address,
    conversation,
    title: headingOf(chapter, parts),
    text: [tell(chapter, parts), make("span", "question", make("b", "", t(P_("before a question to a class", "Question:"))), ` ${questionOf(chapter, parts)}`)],
    hold: Infinity,
    wide: ["gathering", "begins", "ends"].includes(kind) ? WIDE : 1,
  };
}
