// The title card: the puzzle, the title, and a description of each search.

import { element } from "./elements.js";
import { visible } from "./texts.js";

/** @typedef {import("./content.js").Content} Content */

export class TitleCard {
  /** @param {Content} content */
  constructor({ title, titleCard }) {
    const line = (/** @type {string} */ kind, /** @type {string} */ text) =>
      element("p", { class: kind, dir: "auto", hidden: !text }, visible(text));
    const rows = (titleCard?.searches ?? []).map(([label, sentence], number) => {
      const row = element("div", { class: "title-row" }, line("name", label),
        line("sentence", sentence));
      row.style.setProperty("--search", `var(--search-${number})`);
      return row;
    });
    this.root = element("section", { class: "title-card", hidden: true },
      line("puzzle", titleCard?.puzzle ?? ""),
      element("h2", { dir: "auto" }, visible(title)),
      ...rows,
      line("clock-text", titleCard?.clock ?? ""));
  }

  /** @param {boolean} shown */
  show(shown) {
    this.root.hidden = !shown;
  }
}
