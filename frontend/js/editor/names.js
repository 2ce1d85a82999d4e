/** What the parts of a map are called, and fields for the names that people give them. */

import { N_, P_, t } from "../data/i18n.js";
import { make } from "../dom.js";

/** @type {Record<string, string>} */
export const FLOORS = {
  w: N_("planks"),
  n: N_("dark planks"),
  p: N_("parquet"),
  c: N_("carpet"),
  e: N_("red carpet"),
  b: N_("bathroom tiles"),
  k: N_("kitchen tiles"),
  l: N_("pale tiles"),
  q: N_("stone flags"),
  o: N_("office carpet"),
};

/** @type {Record<string, string>} */
export const GROUNDS = {
  grass: N_("grass"),
  flowers: N_("flowers"),
  path: P_("ground", "path"),
  cobbles: N_("cobbles"),
  paving: N_("paving"),
  deck: N_("wooden deck"),
  garden: P_("ground", "lawn"),
  field: P_("ground", "field"),
  wheat: N_("wheat"),
  water: N_("water"),
  bridge: N_("bridge"),
  tree: N_("tree"),
  apple: N_("apple tree"),
  pine: N_("pine"),
  plum: N_("plum tree"),
  bamboo: N_("bamboo"),
  hedge: N_("hedge"),
  fence: N_("fence"),
  rock: N_("rock"),
};

/** @type {Record<string, string>} */
export const DECORATIONS = {
  plant: N_("pot plant"),
  tall_plant: N_("tall plant"),
  vase: N_("vase"),
  rug: N_("rug"),
  rug_blue: N_("blue rug"),
  rug_green: N_("green rug"),
  round_rug: N_("round rug"),
  floor_lamp: N_("floor lamp"),
  side_table: N_("side table"),
  tv: N_("television"),
  fish_tank: N_("fish tank"),
  coat_rack: N_("coat rack"),
  fireplace: N_("fireplace"),
  painting: N_("painting"),
  clock: N_("wall clock"),
  mirror: N_("mirror"),
  barrel: N_("barrel"),
  crate: N_("crate"),
  lamp: N_("street lamp"),
  mailbox: N_("letter box"),
  signpost: N_("signpost"),
  flower_pots: N_("flower pots"),
  planter: N_("planter"),
  bush: N_("bush"),
  stump: N_("tree stump"),
  well: N_("well"),
  statue: N_("statue"),
  parasol: N_("parasol"),
  bicycle: N_("bicycle"),
  picnic: N_("picnic"),
  cat: N_("cat"),
  hens: N_("hens"),
  haystack: N_("haystack"),
  scarecrow: N_("scarecrow"),
};

/** @type {Record<string, string>} */
const LANGUAGES = {
  en: N_("English"),
  zh: N_("Chinese"),
};

/**
 * A field for a name in each language.
 * @param {string[]} langs @param {Record<string, string>} names @param {(names: Record<string, string>) => void} changed
 * @param {((names: Record<string, string>) => void) | null} [typed] is told of each key
 */
export function nameFields(langs, names, changed, typed = null) {
  return langs.map((one) => {
    const input = /** @type {HTMLInputElement} */ (make("input"));
    Object.assign(input, { value: names[one] ?? "", maxLength: 80, lang: one });
    if (typed) input.addEventListener("input", () => typed({ [one]: input.value }));
    input.addEventListener("change", () => changed({ [one]: input.value }));
    return make("label", "field", make("span", "", `${t("Name")} (${t(LANGUAGES[one])})`), input);
  });
}
