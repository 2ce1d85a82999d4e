/** What lies in the things of a place, whose they are, what it costs and why, and what goes on there by itself. */

import { hhmm, TICKS_PER_MINUTE } from "../data/gametime.js";
import { N_, nt, t } from "../data/i18n.js";
import { make } from "../dom.js";
import { goodsList, progressOf } from "./living.js";

/** Why a price is as it is. @type {Record<string, string>} */
const REASONS = {
  opening: N_("The town began with a price of {price}."),
  short: N_(
    "{price} since {when}, {before} before, {usual} as a rule. When the shop closed, there were {stock} left; by what it had sold, its owner wants {wanted} for {days}. With no more than that it was too cheap, so the price rose.",
  ),
  plenty: N_(
    "{price} since {when}, {before} before, {usual} as a rule. When the shop closed, there were {stock} left; by what it had sold, its owner wants {wanted} for {days}. With as many as that it was too dear, so the price fell.",
  ),
  even: N_(
    "{price} since {when}, {usual} as a rule. When the shop closed, there were {stock} left; by what it had sold, its owner wants {wanted} for {days}. That is about right, so the price stayed.",
  ),
  least: N_(
    "{price} since {when}, {before} before. When the shop closed, there were {stock} left and {wanted} wanted for {days}; but it sells for no less than the goods cost to make and a little more.",
  ),
};

/** @typedef {import("../data/stores.js").FixtureNow} FixtureNow */
/** @typedef {Pick<import("./tabs.js").Context, "run" | "time" | "tick">} Moment */

const DAY = 24 * 60; // minutes

/** Those with anything to tell, what was clicked first. @param {Moment} moment @param {FixtureNow[]} fixtures @param {string} thing that was clicked, "" for none */
export function storesOf(moment, fixtures, thing) {
  const told = fixtures.filter(
    ({ address, goods, prices, going_on, notices }) => address === thing || goods.length || prices.length || going_on || notices.length,
  );
  return told.toSorted((one, other) => Number(other.address === thing) - Number(one.address === thing)).map((fixture) => store(moment, fixture));
}

/** @param {Moment} moment @param {FixtureNow} fixture */
function store(moment, fixture) {
  const { run } = moment;
  const { address, owner, goods, prices, closed, used_for: uses, going_on: process, notices } = fixture;
  const name = make("h3", "", run.things[address]?.name ?? address);
  name.lang = run.lang;
  const facts = [
    owner ? t("Belongs to {owner}", { owner }) : t("Everybody’s"),
    hours(moment, fixture),
    closed ? t("what is in it is seen only by whoever looks") : "",
  ].filter(Boolean);
  const used = uses.length ? make("p", "uses", t("For {uses}", { uses: uses.join(t(", ")) })) : null;
  const list = goods.length ? goodsList(moment, goods) : process || notices.length ? null : make("p", "empty", t("Nothing lies there."));
  const offers = prices.length ? make("ul", "prices", ...prices.map((price) => priced(moment, price))) : null;
  const pinned = notices.length ? make("ul", "notices", ...notices.map((notice) => told(moment, notice))) : null;
  return make("section", "store", name, make("p", "facts", facts.join(" · ")), list, progressOf(moment, process), offers, pinned, used);
}

/** A notice, since when it hangs there, and how many have read it. @param {Moment} moment @param {import("../data/shapes.js").Pinned} notice */
function told({ time, run }, { text, tick, readers }) {
  const says = make("span", "name", `📌 ${text}`);
  says.lang = run.lang;
  return make("li", "", says, make("p", "facts", t("since {when}, read by {count}", { when: time.stamp(tick), count: readers })));
}

/** @param {Moment} moment @param {FixtureNow} fixture */
function hours({ run, tick }, { opens, closes }) {
  if (opens < 0) return "";
  const midnight = Date.parse(`${run.start.slice(0, 10)}T00:00Z`);
  const minute = (Math.floor((Date.parse(`${run.start.slice(0, 19)}Z`) - midnight) / 60_000) + Math.floor(tick / TICKS_PER_MINUTE)) % DAY;
  const open = opens <= minute && minute < closes;
  return t(open ? N_("open {opens}–{closes}") : N_("closed now, open {opens}–{closes}"), { opens: hhmm(opens), closes: hhmm(closes) });
}

/** A price, which way it last went, and on asking, why. @param {Moment} moment @param {import("../data/shapes.js").Price} price */
function priced({ time, run }, { name, price, before, usual, tick, why, stock, wanted, days }) {
  const kind = make("span", "name", name);
  kind.lang = run.lang;
  const way = price > before ? "▲" : price < before ? "▼" : "";
  const cost = make("b", price > before ? "dearer" : price < before ? "cheaper" : "", `🪙 ${price} ${way}`);
  const [coins, covered] = [nt("{count} coin", "{count} coins", price), nt("{count} day", "{count} days", days)];
  const reason = t(REASONS[why], { name, price: coins, before, usual, stock, wanted, days: covered, when: time.stamp(tick) });
  return make("li", "", make("details", "", make("summary", "", kind, cost, make("span", "ask", t("Why?"))), make("p", "", reason)));
}
