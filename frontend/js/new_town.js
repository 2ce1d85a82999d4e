/** The form that begins a town: world, who, language, model and length, with what it would cost. */

import * as api from "./data/api.js";
import { N_, complaint, nt, t } from "./data/i18n.js";
import { nameModel } from "./data/model_name.js";
import { make, setText } from "./dom.js";

/** @typedef {{name: string, people: {id: string, name: string}[], calls: number, hours: number}} Offered a world in a language; calls and hours are those of one resident's day */
/** @typedef {{worlds: {id: string, langs: Record<string, Offered>}[], models: {spec: string, langs: string[]}[]}} Offers */

/** @type {Record<string, string>} */
const LANGUAGES = { en: N_("English"), zh: N_("Chinese") };
const FREE = "scripted";
const WAKING = 18; // game hours of the first day

/** @type {Offers | null} */
let offers = null;

/** @returns {any} */
const dialog = () => document.getElementById("new-town");

/** @param {string} name @returns {any} a field of the form */
const field = (name) => dialog().querySelector(`[name=${name}]`);

/** @returns {HTMLButtonElement} */
const startButton = () => dialog().querySelector("button.primary");

/** Opens the form. */
export async function openNewTown() {
  setText(dialog().querySelector(".failure"), "");
  dialog().showModal();
  try {
    if (!offers) await prepare();
  } catch (error) {
    setText(dialog().querySelector(".failure"), complaint(error));
  }
  field("name").select();
}

async function prepare() {
  offers = /** @type {Offers} */ (await api.offers());
  const worlds = dialog().querySelector(".worlds");
  worlds.replaceChildren(...offers.worlds.map(worldChoice));
  worlds.querySelector("input").checked = true;
  worlds.addEventListener("change", chooseWorld);
  field("lang").addEventListener("change", chooseLanguage);
  for (const name of ["llm", "hours"]) field(name).addEventListener("change", cost);
  dialog().querySelector(".people").addEventListener("change", cost);
  dialog()
    .querySelector("form")
    .addEventListener("submit", (/** @type {SubmitEvent} */ event) => (event.preventDefault(), void begin()));
  chooseWorld();
  startButton().disabled = false;
}

/** A world to choose, as a picture with its name. @param {{id: string, langs: Record<string, Offered>}} world */
function worldChoice({ id, langs }) {
  const { name, people } = langs[document.documentElement.lang] ?? Object.values(langs)[0];
  const picture = Object.assign(new Image(), { src: `${api.API}/worlds/${encodeURIComponent(id)}/picture`, alt: "" });
  picture.addEventListener("error", () => picture.remove());
  const box = Object.assign(make("input"), { type: "radio", name: "world", value: id });
  const count = make("small", "", nt("{count} resident", "{count} residents", people.length, { count: people.length }));
  return make("label", "", box, picture, make("span", "", make("b", "", name), count));
}

/** @returns {{id: string, langs: Record<string, Offered>}} the chosen one */
function world() {
  const chosen = dialog().querySelector("[name=world]:checked").value;
  return /** @type {any} */ (offers?.worlds.find(({ id }) => id === chosen));
}

/** @returns {Offered} */
const town = () => world().langs[field("lang").value];

function chooseWorld() {
  const { id, langs } = world();
  const own = document.documentElement.lang;
  field("lang").replaceChildren(...Object.keys(langs).map((lang) => new Option(t(LANGUAGES[lang]), lang, false, lang === own)));
  if (!field("name").value || field("name").dataset.given === field("name").value) field("name").dataset.given = field("name").value = freeName(id);
  chooseLanguage();
}

/** A name that no run on the page has. @param {string} id of a world */
function freeName(id) {
  const taken = new Set([...document.querySelectorAll("[data-run]")].map((card) => /** @type {HTMLElement} */ (card).dataset.run));
  for (let number = 1; ; number++) if (!taken.has(`${id}-${number}`)) return `${id}-${number}`;
}

function chooseLanguage() {
  const lang = field("lang").value;
  const people = town().people.map(({ id, name }) => {
    const box = /** @type {HTMLInputElement} */ (make("input"));
    Object.assign(box, { type: "checkbox", name: "who", value: id, checked: true });
    const label = make("label", "check", box, name);
    label.lang = lang;
    return label;
  });
  dialog()
    .querySelector(".people")
    .replaceChildren(...people);
  const models = offers?.models.filter((model) => model.langs.includes(lang)) ?? [];
  const chosen = field("llm").value || FREE;
  field("llm").replaceChildren(...models.map(({ spec }) => new Option(nameModel(spec), spec, false, spec === chosen)));
  cost();
}

/** @returns {string[]} who is to live in the town */
function cast() {
  return [...dialog().querySelectorAll("[name=who]:checked")].map((box) => box.value);
}

function cost() {
  const days = Number(field("hours").value) / WAKING;
  const { calls, hours } = town();
  const count = Math.round(calls * days * cast().length);
  const asked = nt("{count} call", "{count} calls", count, { count: count.toLocaleString() });
  const amount = { calls: asked, hours: (hours * days * cast().length).toFixed(1) };
  setText(
    dialog().querySelector(".cost"),
    field("llm").value === FREE ? t("free; a game day takes about a minute") : t("about {calls}; {hours} h on a small model and an average GPU", amount),
  );
}

async function begin() {
  const failure = dialog().querySelector(".failure");
  const [start, chosen] = [startButton(), cast()];
  if (!chosen.length) return setText(failure, t("Choose somebody."));
  setText(failure, "");
  setText(dialog().querySelector(".cost"), t("It is beginning …"));
  start.disabled = true;
  const everybody = chosen.length === town().people.length;
  const [name, residents] = [field("name").value.trim(), everybody ? [] : chosen];
  try {
    const asked = {
      name,
      world: world().id,
      lang: field("lang").value,
      llm: field("llm").value,
      hours: Number(field("hours").value),
      slow: field("slow").checked,
      residents,
    };
    await api.change("POST", `${api.API}/runs`, asked);
    location.href = `./?name=${encodeURIComponent(name)}&lang=${document.documentElement.lang}`;
  } catch (error) {
    setText(failure, complaint(error));
    cost();
  } finally {
    start.disabled = false;
  }
}
