/** Speaking instead of typing: the browser listens on this machine, where it can do so without sending the voice elsewhere. */

import { t } from "../data/i18n.js";
import { button, icon, setPressed } from "../dom.js";

const REGIONS = /** @type {Record<string, string>} */ ({ en: "en-US", zh: "zh-CN" }); // browsers listen to a language as it is spoken somewhere

/** A button that writes what is said into a field; hidden where the browser cannot listen offline. @param {HTMLInputElement} field @param {string} language */
export function listenButton(field, language) {
  const lang = REGIONS[language];
  const Recognition = /** @type {any} */ (globalThis).SpeechRecognition;
  /** @type {any} */
  let listening = null;
  const end = () => {
    listening = null;
    setPressed(element, false);
  };
  const begin = () => {
    listening = Object.assign(new Recognition(), { lang, processLocally: true, interimResults: true });
    listening.onresult = (/** @type {any} */ { results }) => (field.value = Array.from(results, ([best]) => best.transcript).join(""));
    listening.onend = listening.onerror = end;
    listening.start();
    setPressed(element, true);
  };
  const element = button("", () => (listening ? listening.stop() : begin()), icon("mic"));
  element.title = element.ariaLabel = t("Speak instead of typing; your voice stays on this machine");
  element.hidden = true;
  Recognition?.available?.({ langs: [lang], processLocally: true }).then(
    (/** @type {string} */ state) => (element.hidden = state !== "available"),
    () => {},
  );
  return element;
}
