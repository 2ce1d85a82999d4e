/** The builder of a resident's face and figure: sliders for what has many values, and the picture at once. */

import { look, lookPicture } from "../data/api.js";
import { N_, complaint, t } from "../data/i18n.js";
import { button, make } from "../dom.js";
import { labelled } from "./fields.js";

/** @typedef {import("./fields.js").Desk} Desk */

/** @type {Record<string, string>} */
const PARTS = {
  skin: N_("Skin"),
  hair: N_("Hair"),
  hair_dye: N_("Colour of the hair"),
  beard: N_("Beard"),
  cut: N_("Clothes"),
  top: N_("Colour of the clothes"),
  lower: N_("Trousers or skirt"),
  legs: N_("Colour of the trousers or skirt"),
  mood: N_("Expression"),
  ground: N_("Background"),
};

/** @type {Record<string, string>} */
const EXTRAS = {
  glasses: N_("glasses"),
  round_glasses: N_("round glasses"),
  scarf: N_("scarf"),
  apron: N_("apron"),
  tie: N_("tie"),
  cap: N_("cap"),
  beret: N_("beret"),
  straw_hat: N_("straw hat"),
  headphones: N_("headphones"),
  earrings: N_("earrings"),
  backpack: N_("backpack"),
  stripes: N_("stripes"),
};

/** The pictures of a resident, with what they are made of once a new face is wanted. @param {Desk} desk @param {any} content @param {string} known the address of the present portrait */
export function looks(desk, content, known) {
  const [face, figure, controls] = [Object.assign(new Image(96, 96), { alt: t("Portrait") }), new Image(64, 96), make("div", "parts")];
  const show = () => {
    face.src = content.look ? lookPicture("portrait", content.look) : known;
    if (content.look) Object.assign(figure, { src: lookPicture("figure", content.look), alt: t("Figure") });
    [face.hidden, figure.hidden] = [!content.look && !known, !content.look];
  };
  const open = async (/** @type {string} */ who) => {
    try {
      const { look: fresh, choices } = await look(who, Object.values(content.pronouns ?? {})[0]?.[0] ?? "");
      if (who) content.look = fresh;
      controls.replaceChildren(...parts(desk, content, choices, show));
      show();
      if (who) desk.changed();
    } catch (error) {
      controls.replaceChildren(complaint(error));
    }
  };
  const another = button("", () => void open(String(Math.random())), content.look ? t("Another face") : t("Draw a new face"));
  another.disabled = desk.fixed;
  if (content.look) void open("");
  show();
  return make("div", "looks", make("div", "faces", face, figure, another), controls);
}

/** @param {Desk} desk @param {any} content @param {Record<string, string[]>} choices @param {() => void} show */
function parts(desk, content, choices, show) {
  const changed = () => (show(), desk.changed());
  const sliders = Object.entries(PARTS).map(([part, label]) => {
    const values = choices[part];
    const slider = /** @type {HTMLInputElement} */ (make("input"));
    Object.assign(slider, { type: "range", min: "0", max: String(values.length - 1), value: String(values.indexOf(content.look[part])), disabled: desk.fixed });
    slider.addEventListener("input", () => ((content.look[part] = values[Number(slider.value)]), changed()));
    return labelled(t(label), slider);
  });
  return [make("div", "short", ...sliders), make("div", "people", ...extras(desk, content, changed))];
}

/** What is worn, and age. @param {Desk} desk @param {any} content @param {() => void} changed */
function extras(desk, content, changed) {
  const box = (/** @type {string} */ label, /** @type {boolean} */ checked, /** @type {(on: boolean) => void} */ set) => {
    const input = Object.assign(/** @type {HTMLInputElement} */ (make("input")), { type: "checkbox", checked, disabled: desk.fixed });
    input.addEventListener("change", () => (set(input.checked), changed()));
    return make("label", "check", input, label);
  };
  const worn = Object.entries(EXTRAS).map(([extra, label]) =>
    box(t(label), content.look.extras.includes(extra), (on) => {
      const rest = content.look.extras.filter((/** @type {string} */ other) => other !== extra);
      content.look.extras = on ? [...rest, extra] : rest;
    }),
  );
  return [box(t("older"), content.look.aged, (on) => (content.look.aged = on)), ...worn];
}
