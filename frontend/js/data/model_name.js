/** The names of runs and models on the page. */

import { t } from "./i18n.js";

const SCRIPTED = "scripted";
export const RECORDED = "recorded";

/** A model in words: a stand-in or a recording is always named as one. @param {string} model */
export function nameModel(model) {
  if (model === SCRIPTED) return t("scripted (no language model)");
  if (model === RECORDED) return t("recorded: no model on this machine");
  return model;
}

/** The title of a recorded town, or else the run's name. @param {import("./shapes.js").RunView} run */
export function nameRun(run) {
  return run.title || run.name;
}

/** The badge of a recorded town, or of the part of a fork that is one; "" for other runs. @param {import("./shapes.js").RunView} run @param {import("./gametime.js").GameTime} time */
export function nameRecording(run, time) {
  if (!run.recorded) return "";
  return run.model === RECORDED ? t("Recording") : t("Recording until {time}", { time: time.clock(run.recorded * run.ticks) });
}
