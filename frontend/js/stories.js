/** The stories on the front page: what happened last in the latest towns, each as a picture of its moment, which leads there. */

import * as api from "./data/api.js";
import { t } from "./data/i18n.js";
import { GameTime, TICKS_PER_MINUTE } from "./data/gametime.js";
import { byId, face, make, setChildren } from "./dom.js";

const MOST = 3; // stories
const FACE = 36; // pixels

/** @typedef {import("./data/shapes.js").RunView} Run */
/** @typedef {import("./data/shapes.js").Article} Article */
/** @typedef {Pick<Article, "tick" | "headline" | "who">} Told */
/** @typedef {{run: Run, article: Told}} Story */

/** Fills the front page with the leading story of each of the latest towns, and further ones of the first of them. */
export async function showStories() {
  const section = byId("stories");
  if (!section) return;
  /** @type {Story[][]} */
  const found = [];
  for (const { run = "" } of latest()) {
    found.push(await newsOf(run).catch(() => [])); // the card of a run that cannot be read says why
    fill(/** @type {HTMLElement} */ (section.querySelector(".stories")), found);
  }
  section.removeAttribute("aria-busy");
  section.hidden = !found.flat().length;
}

/** Shows the leading story of each town, and further ones as far as there is room. @param {HTMLElement} list @param {Story[][]} found */
function fill(list, found) {
  const [leads, others] = [found.flatMap(([lead]) => lead ?? []), found.flatMap(([, ...more]) => more)];
  const ranked = [...leads.filter(hasNews), ...others, ...leads.filter((lead) => !hasNews(lead))];
  const stories = [...ranked.filter(isNew), ...ranked.filter((...each) => !isNew(...each))].slice(0, MOST);
  const shown = new Map([...list.children].map((child) => [/** @type {HTMLElement} */ (child).dataset.story, child]));
  setChildren(
    list,
    stories.map((story) => shown.get(keyOf(story)) ?? show(story)),
  );
}

/** @param {Story} story */
const hasNews = ({ article }) => "kind" in article;

/** Whether no story before has the same headline. @param {Story} story @param {number} at @param {Story[]} all */
const isNew = ({ article }, at, all) => all.findIndex((other) => other.article.headline === article.headline) === at;

/** @param {Story} story */
function keyOf({ run, article }) {
  return `${run.name} ${article.tick} ${article.headline}`;
}

/** The latest runs that have been lived and are no forks, those in the page's language first. @returns {{run?: string}[]} */
function latest() {
  const cards = /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll(".runs > li > .card[data-lang]"));
  const lived = [...cards].map((card) => card.dataset).filter(({ steps }) => Number(steps));
  const isForeign = (/** @type {DOMStringMap} */ { lang }) => Number(lang !== document.documentElement.lang);
  return lived.sort((a, b) => isForeign(a) - isForeign(b)).slice(0, MOST);
}

/** The articles of the last day that has any. @param {string} name @returns {Promise<Story[]>} */
async function newsOf(name) {
  const run = await api.run(name);
  const day = lastDay(run);
  const lang = document.documentElement.lang;
  const paper = await api.ask(name, `gazette/${lang}/${day}`);
  const before = paper.days[paper.number - 2];
  const { articles } = paper.articles.length || !before ? paper : await api.ask(name, `gazette/${lang}/${before}`);
  const told = articles.filter((/** @type {Article} */ article) => article.who.length);
  return (told.length ? told : [asItStands(run)]).map((/** @type {Told} */ article) => ({ run, article }));
}

/** The date of a run's last moment: midnight is that of the day before. @param {Run} run */
function lastDay({ start, steps, stride }) {
  const seconds = Math.max(0, steps * stride * 60 - 1);
  return new Date(Date.parse(`${start.slice(0, 19)}Z`) + seconds * 1000).toISOString().slice(0, 10);
}

/** What a town without news has to show. @param {Run} run @returns {Told} */
function asItStands(run) {
  const who = run.residents.slice(0, 1).map(({ id }) => id);
  return { tick: Math.max(0, run.steps * run.ticks - 1), headline: t("All quiet in {town}", { town: run.world_name }), who };
}

/** @param {Story} story */
function show({ run, article }) {
  const step = Math.min(run.steps, Math.floor(article.tick / run.ticks) + 1);
  const minute = Math.floor((article.tick - (step - 1) * run.ticks) / TICKS_PER_MINUTE);
  const lang = document.documentElement.lang;
  const time = new GameTime(run.start, lang);
  const query = new URLSearchParams({ name: run.name, step: String(step), minute: String(minute), resident: article.who[0], lang });
  const picture = run.map && pictureOf(run, step, article.who[0]);
  const headline = Object.assign(make("a", "", article.headline), { href: `./?${query}` });
  const faces = run.residents.filter(({ id }) => article.who.includes(id)).map((resident) => face(resident, FACE));
  const kicker = [step <= run.recorded && t("Recording"), run.world_name, time.stamp(article.tick)].filter(Boolean).join(" · ");
  const words = make("div", "", make("p", "kicker", kicker), make("h3", "", headline));
  const card = make("article", "story", picture, words, make("p", "faces", ...faces.slice(0, 5)));
  card.dataset.story = keyOf({ run, article });
  return card;
}

/** The town around a resident after a step, which leaves no room where it cannot be drawn. @param {Run} run @param {number} step @param {string} who */
function pictureOf(run, step, who) {
  const src = `${api.addressOf(run.name)}/picture?step=${step}&near=${encodeURIComponent(who)}`;
  const picture = Object.assign(new Image(), { className: "scene", alt: "", src });
  picture.addEventListener("error", () => picture.remove());
  return picture;
}
