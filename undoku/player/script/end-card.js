// The end card: the headline, and a bar for the steps of each search.

import { element, iconButton } from "./elements.js";
import { visible } from "./texts.js";

/** @typedef {import("./content.js").Content} Content */
/** @typedef {import("./texts.js").Texts} Texts */

/** Totals that differ by a larger factor are dots on a log scale; bars need a linear scale. */
const FAR_APART = 1000;
/** From so many searches on, rows are in the order of their steps. */
const ORDERED_FROM = 3;
/** The minimum gap between two numbers below the log scale, in pixels. */
const MARK_GAP = 8;

export class EndCard {
  /**
   * @param {Content} content
   * @param {Texts} texts
   * @param {() => void} again
   */
  constructor(content, texts, again) {
    const { verdict, searches } = content;
    const totals = searches.map((search) => search.steps);
    this.longest = Math.max(1, ...totals);
    const fewest = Math.max(1, Math.min(...totals));
    this.powers = this.longest > FAR_APART * fewest ? Math.ceil(Math.log10(this.longest)) : 0;
    this.totals = totals;
    /** @type {HTMLElement[]} */
    this.bars = [];
    /** @type {HTMLElement[]} */
    this.ends = [];
    const rows = searches.map((search, number) => {
      const bar = element("span", { class: this.powers ? "dot" : "bar" });
      bar.style.backgroundColor = `var(--search-${number})`;
      const stopped = search.outcome === "capped";
      const label = texts.say(stopped ? "bar-stopped" : "steps", { count: search.steps });
      const deadEnds = search.dead_ends
        ? texts.say("dead-ends", { count: search.dead_ends }) : texts.say("no-dead-end", {});
      const end = element("span", { class: "number" }, element("strong", {}, label),
        " ", element("small", {}, deadEnds));
      this.bars.push(bar);
      this.ends.push(end);
      return element("div", { class: "bar-row" },
        element("div", { class: "bar-name" }, element("b", { dir: "auto" }, visible(search.label)),
          end),
        element("div", { class: this.powers ? "axis" : "bar-room", "aria-hidden": "true" }, bar));
    });
    // Two rows are in the order of their boards, more in that of their steps, the most first.
    if (searches.length >= ORDERED_FROM) {
      const order = totals.map((_, number) => number).sort((a, b) => totals[b] - totals[a]);
      rows.splice(0, rows.length, ...order.map((number) => rows[number]));
    }
    if (searches.length < 2) rows.length = 0;
    /** @type {HTMLElement[]} */
    this.marks = [];
    if (this.powers) rows.push(this.scale(texts));
    const note = this.powers ? texts.say("note-marks") : "";
    const button = iconButton("again", texts.say("player-again"), again);
    button.className = "again";
    button.append(texts.say("player-again"));
    this.root = element("section", { class: "end-card", hidden: true },
      element("h2", { dir: "auto" }, visible(verdict.headline)),
      element("p", { class: "verdict", dir: "auto" }, visible(verdict.sentence)),
      ...rows,
      element("p", { class: "reason", dir: "auto" }, visible(verdict.reason)),
      element("p", { class: "note" }, `${texts.say("note-step")} ${note}`),
      button);
  }

  /** @param {Texts} texts */
  scale(texts) {
    const marks = element("div", { class: "powers", "aria-hidden": "true" });
    for (let power = 0; power <= this.powers; power += 1) {
      const mark = element("span", {}, texts.number(10 ** power));
      mark.style.insetInlineStart = `${(power / this.powers) * 100}%`;
      marks.append(mark);
      this.marks.push(mark);
    }
    new ResizeObserver(() => this.thinOut()).observe(marks);
    return marks;
  }

  /** Show as many numbers below the log scale as there is room for: all, every second one, … */
  thinOut() {
    if (!this.marks.length) return;
    const last = this.marks[this.powers];
    const apart = (last.offsetParent?.clientWidth ?? 0) / this.powers;
    const every = Math.max(1, Math.ceil((last.offsetWidth + MARK_GAP) / Math.max(1, apart)));
    this.marks.forEach((mark, power) => {
      mark.style.visibility = power % every ? "hidden" : "visible";
    });
  }

  /**
   * Show the card with bars of up to `part` of the longest one; or hide it.
   * @param {boolean} shown
   * @param {number} part
   */
  show(shown, part) {
    this.root.hidden = !shown;
    if (!shown) return;
    this.totals.forEach((total, number) => {
      if (!this.bars[number]) return;
      const share = this.powers
        ? Math.log10(Math.max(1, total)) / this.powers
        : total / this.longest;
      const length = Math.min(share, part) * 100;
      if (this.powers) this.bars[number].style.insetInlineStart = `${length}%`;
      else this.bars[number].style.inlineSize = `${length}%`;
      this.ends[number].classList.toggle("there", part >= share);
    });
  }
}
