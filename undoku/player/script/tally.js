// The bar below a board in a story: the steps of the search, the options of the cell that it is
// about to fill (the doors), or the digits on its board, forced and guessed.

import { element, put } from "./elements.js";

/** @typedef {import("./content.js").Callout} Callout */
/** @typedef {import("./search-state.js").SearchState} SearchState */
/** @typedef {import("./texts.js").Texts} Texts */

/** What is shown: "steps", "doors" or "digits". @typedef {"steps" | "doors" | "digits"} Kind */

export class Tally {
  /**
   * @param {SearchState} state
   * @param {Texts} texts
   */
  constructor(state, texts) {
    this.state = state;
    this.texts = texts;
    this.first = element("span", {});
    this.second = element("span", {});
    this.count = element("span", { class: "count", dir: "auto" });
    this.bar = element("div", { class: "tally-bar", "aria-hidden": "true" }, this.first,
      this.second);
    this.doors = element("div", { class: "doors", "aria-hidden": "true" });
    this.root = element("div", { class: "tally" }, this.bar, this.count, this.doors);
    this.opened = "";
  }

  /**
   * @param {Kind} kind
   * @param {Callout | null} callout
   * @param {number} longest the steps of the longest search
   */
  show(kind, callout, longest) {
    this.root.dataset.kind = kind;
    if (kind === "doors") {
      this.open(callout);
      return;
    }
    if (kind === "steps") {
      const { steps } = this.state;
      this.fill(0, steps / Math.max(1, longest));
      put(this.count, this.texts.say("steps", { count: steps }));
      return;
    }
    const { filled, guessed, cells } = this.state.tally;
    this.fill((filled - guessed) / Math.max(1, cells), guessed / Math.max(1, cells));
    put(this.count, this.texts.say("cells-filled", { filled, cells }));
  }

  /**
   * @param {number} first the share of the bar that its first part takes
   * @param {number} second
   */
  fill(first, second) {
    this.first.style.inlineSize = `${first * 100}%`;
    this.second.style.inlineSize = `${second * 100}%`;
  }

  /** @param {Callout | null} callout */
  open(callout) {
    const options = callout?.options ?? [];
    const { symbols } = this.state.geometry.board;
    const value = callout?.value ?? 0;
    const taken = callout !== null && value > 0 && this.state.board[callout.placed] === value;
    const opened = `${options} ${taken ? value : ""}`;
    if (opened === this.opened) return;
    this.opened = opened;
    this.doors.replaceChildren(...options.map((option) => {
      const kind = !taken ? "" : option === value ? "taken" : "left";
      return element("b", { class: kind }, symbols[option - 1]);
    }));
  }
}
