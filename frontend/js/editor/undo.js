/** Taking back the last change of a world, whichever desk or person made it. */

import { byId } from "../dom.js";
import { read, undo } from "./world.js";

/** @typedef {import("./world.js").World} World */

/** Shows whether there is anything to take back. @param {World} world @param {boolean} [unsaved] whether something unsaved can be taken back, too */
export function showUndo(world, unsaved = false) {
  /** @type {HTMLButtonElement} */ (byId("undo")).disabled = !world.undo && !unsaved;
}

/** Takes the last change back, and reads the world as it is then. @param {World} world */
export async function takeBack(world) {
  await undo(world);
  return readAgain(world);
}

/** Reads a world as it is now. @param {World} world */
export async function readAgain(world) {
  Object.assign(world, await read(world.id));
  showUndo(world);
  return world;
}

/** Lets a desk take back by its button and by Ctrl+Z, which in a text is the browser's. @param {() => void} act */
export function offerUndo(act) {
  const button = /** @type {HTMLButtonElement} */ (byId("undo"));
  button.hidden = false;
  button.onclick = act;
  document.addEventListener("keydown", (event) => {
    const typing = /** @type {HTMLElement} */ (event.target).closest("input:not([type=range], [type=checkbox]), textarea, dialog");
    if (event.key !== "z" || !(event.ctrlKey || event.metaKey) || event.shiftKey || typing || button.disabled) return;
    event.preventDefault();
    act();
  });
}
