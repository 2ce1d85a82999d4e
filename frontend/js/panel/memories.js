/** The memory stream of a resident, filtered, by time or by retrieval score. */

import { ask } from "../data/api.js";
import { complaint, endings, t } from "../data/i18n.js";
import { Requests } from "../data/requests.js";
import { button, make, setText } from "../dom.js";
import { empty, memoryCard, segments, typeName } from "./cards.js";

/** @typedef {import("./tabs.js").Context} Context */

const PAGE = 40; // memories fetched at once
const REST = 250; // milliseconds without typing before a text is searched for
const AGAIN = 4000; // milliseconds after which what could not be had may be asked for again

export class MemoryList {
  constructor() {
    this.types = new Set();
    this.least = 1;
    this.text = "";
    this.query = "";
    this.sort = "time";
    this.requests = new Requests();
    this.requested = "";
    this.typing = 0;
    this.list = make("div", "memories");
    this.note = make("p", "note");
    this.note.setAttribute("role", "status");
    this.more = button("wide more", () => this.fetch(this.list.childElementCount), t("Show more"));
    this.more.hidden = true;
    this.element = make("div", "memory-list", this.tools(), this.note, this.list, this.more);
  }

  tools() {
    const sorts = { time: t("Latest first"), score: t("By retrieval score") };
    this.queryField = field("memory-query", t("What would come to mind? Type a question …"), (value) => this.set({ query: value }));
    this.queryField.hidden = true;
    const filter = field("memory-text", t("Filter by words …"), (value) => this.set({ text: value }));
    const chips = endings("memory_type_").map((type) => this.chip(type, typeName(type)));
    const group = make("div", "chips", ...chips);
    group.setAttribute("role", "group");
    group.setAttribute("aria-label", t("Kinds of memories"));
    const sort = segments(t("Order"), sorts, this.sort, (id) => {
      if (this.queryField) this.queryField.hidden = id !== "score";
      this.set({ sort: id });
    });
    return make("div", "tools", sort, this.queryField, filter, group, this.slider());
  }

  /** @param {string} type @param {string} words */
  chip(type, words) {
    const toggle = button(
      `chip of-${type}`,
      () => {
        const on = !this.types.has(type);
        if (on) this.types.add(type);
        else this.types.delete(type);
        toggle.setAttribute("aria-pressed", String(on));
        this.set({});
      },
      words,
    );
    toggle.setAttribute("aria-pressed", "false");
    return toggle;
  }

  slider() {
    const input = /** @type {HTMLInputElement} */ (make("input"));
    const value = make("output", "", "1");
    Object.assign(input, { type: "range", min: "1", max: "10", step: "1", value: "1", id: "memory-least" });
    input.addEventListener("input", () => (setText(value, input.value), this.set({ least: Number(input.value) })));
    return make("label", "least", make("span", "", t("Importance from")), input, value);
  }

  /** @param {Partial<{query: string, text: string, sort: string, least: number}>} values */
  set(values) {
    Object.assign(this, values);
    clearTimeout(this.typing);
    this.typing = window.setTimeout(() => this.context && this.show(this.context), REST);
  }

  /** @param {Context} context */
  show(context) {
    this.context = context;
    const requested = JSON.stringify([context.resident, context.step, this.sort, this.request(0)]);
    if (requested === this.requested) return;
    this.requested = requested;
    this.fetch(0);
  }

  /** @param {number} offset @returns {Record<string, string | number>} */
  request(offset) {
    const query = this.sort === "score" ? this.query : "";
    return { type: [...this.types].join(","), text: this.text, min: this.least, query, offset, limit: PAGE };
  }

  /** @param {number} offset 0 begins anew */
  async fetch(offset) {
    const { context } = this;
    if (!context) return;
    const isLatest = this.requests.begin();
    try {
      const answer = await ask(context.run.name, `residents/${context.resident}/memories`, { step: context.step, ...this.request(offset) });
      if (isLatest()) this.fill(context, answer, offset);
    } catch (error) {
      if (!isLatest()) return;
      this.list.replaceChildren(empty(complaint(error)));
      this.more.hidden = true;
      setTimeout(() => isLatest() && (this.requested = ""), AGAIN);
    }
  }

  /** @param {Context} context @param {import("../data/views.js").MemoryPage} answer @param {number} offset */
  fill(context, answer, offset) {
    const cards = answer.items.map((memory) => memoryCard(context, memory, answer.weights));
    if (offset) this.list.append(...cards);
    else this.list.replaceChildren(...cards);
    if (!answer.total) this.list.replaceChildren(empty(t("No memories match.")));
    this.more.hidden = this.list.childElementCount >= answer.total;
    const ranked = { vectors: t("ranked by the run’s own embeddings"), words: t("ranked by shared words: the run’s embedding model is not available") };
    const ranking = this.sort === "score" ? (answer.by ? ranked[answer.by] : t("type a question to rank them")) : "";
    setText(
      this.note,
      [t("{count} as of {time}", { count: answer.total, time: context.time.stamp(context.step * context.run.ticks) }), ranking].filter(Boolean).join(" · "),
    );
  }
}

/** @param {string} id @param {string} words @param {(value: string) => void} changed */
export function field(id, words, changed) {
  const input = /** @type {HTMLInputElement} */ (make("input", "field"));
  Object.assign(input, { type: "search", id, placeholder: words, maxLength: 200, autocomplete: "off" });
  input.setAttribute("aria-label", words);
  input.addEventListener("input", () => changed(input.value.trim()));
  return input;
}
