// A card: a headline, a bar for each search, and sentences. Stories have one for the ratio, and all
// films one at their end.

import { element } from "./elements.js";
import { visible } from "./texts.js";

/** @typedef {import("./content.js").CardContent} CardContent */
/** @typedef {import("./content.js").SearchContent} SearchContent */

export class Card {
  /**
   * @param {string} kind
   * @param {CardContent} content
   * @param {SearchContent[]} searches
   * @param {HTMLElement[]} more
   */
  constructor(kind, content, searches, more = []) {
    this.rows = content.rows;
    this.bars = content.rows.map(() => element("span", { class: "bar" }));
    const rows = content.rows.map(([search, , warm, number, cause], at) => {
      const bar = this.bars[at];
      bar.style.setProperty("--search", `var(--search-${search})`);
      bar.style.setProperty("--warm", `${warm * 100}%`);
      return element("div", { class: "bar-row" },
        element("div", { class: "bar-name" },
          element("b", { dir: "auto" }, visible(searches[search].label)),
          element("strong", { class: "number" }, number)),
        element("div", { class: "bar-room", "aria-hidden": "true" }, bar),
        ...(cause ? [element("p", { class: "cause", dir: "auto" }, cause)] : []));
    });
    const line = (/** @type {string} */ name, /** @type {string} */ text) =>
      element("p", { class: name, dir: "auto" }, visible(text));
    this.root = element("section", { class: `${kind} card-of`, hidden: true },
      element("h2", { dir: "auto", class: content.large ? "large" : "" },
        visible(content.headline)),
      ...(content.below ? [line("below-headline", content.below)] : []),
      ...rows,
      ...content.answer.map((sentence, at) => line(at ? "reason" : "fact", sentence)),
      ...more);
    this.root.classList.toggle("centred", content.below !== "" || !content.rows.length);
  }

  /**
   * Show the card with bars of up to `part` of the longest one; or hide it.
   * @param {boolean} shown
   * @param {number} part
   */
  show(shown, part = 1) {
    this.root.hidden = !shown;
    if (!shown) return;
    this.root.classList.toggle("there", part >= 1);
    this.rows.forEach(([, length], at) => {
      this.bars[at].style.inlineSize = `${Math.min(length, part) * 100}%`;
    });
  }
}
