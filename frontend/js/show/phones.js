/** How pupils open the town on their own devices: a link that lets them look and visit, as an address and as a QR code. */

import * as api from "../data/api.js";
import { complaint, t } from "../data/i18n.js";
import { button, make } from "../dom.js";

/** @typedef {{address: string, code: string, is_reachable: boolean}} Link */

export class Phones {
  /** @param {string} name of the run */
  constructor(name) {
    this.name = name;
    this.isPossible = document.body.dataset.mayChange !== undefined;
    /** @type {Promise<Link> | null} */
    this.link = null;
    this.body = make("div");
    this.dialog = /** @type {HTMLDialogElement} */ (
      make(
        "dialog",
        "",
        make("h2", "", t("On the pupils’ phones")),
        this.body,
        button("wide", () => this.dialog.close(), t("Close")),
      )
    );
    this.dialog.id = "phones";
    this.dialog.ariaLabel = t("On the pupils’ phones");
    document.body.append(this.dialog);
  }

  async open() {
    this.body.replaceChildren(make("p", "", t("Loading …")));
    this.dialog.showModal();
    try {
      this.body.replaceChildren(...this.explain(await this.ask()));
    } catch (error) {
      this.body.replaceChildren(make("p", "failure", complaint(error)));
    }
  }

  /** The link of the run, asked for once. */
  ask() {
    this.link ??= api.makeVisitLink(this.name);
    this.link.catch(() => (this.link = null));
    return this.link;
  }

  /** @param {Link} link @returns {HTMLElement[]} */
  explain({ address, code, is_reachable: isReachable }) {
    if (!isReachable)
      return [
        make("p", "", t("This page is open to this computer only. So that phones in the same network reach it, end the program and start it with:")),
        make("pre", "", "hometown replay --host 0.0.0.0"),
        make("p", "", t("Then open the town again: the address for phones will be here.")),
      ];
    return [
      make("p", "", t("In the same network (Wi-Fi), scan this code with the camera, or open the address:")),
      qrCode(code),
      make("p", "address", address),
      make("p", "", t("Pupils see this town and go back and forth in it on their own: they follow residents, listen to conversations and ask “Why?”.")),
      make(
        "p",
        "",
        t("While the town is running, they may walk in under a name; residents meet them and remember them. They cannot change or delete anything else."),
      ),
    ];
  }

  /** What the sheet of questions says of phones; nothing where they don't reach the page. */
  async note() {
    const link = this.isPossible ? await this.ask().catch(() => null) : null;
    if (!link?.is_reachable) return "";
    return make("p", "phone", qrCode(link.code), make("span", "", t("On your own phone, in the same network:"), " ", make("b", "address", link.address)));
  }
}

/** @param {string} code */
function qrCode(code) {
  return Object.assign(new Image(264, 264), { className: "qr", src: code, alt: t("QR code of the address") });
}
