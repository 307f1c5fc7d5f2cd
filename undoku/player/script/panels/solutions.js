// The solutions of an exhaustive search as small boards:
// undoku/render/panels/solutions.py in JavaScript.

import { TINTS } from "../cell-looks.js";
import { captioned, Chart } from "../chart-canvas.js";
import { followPointer } from "../chart-pointer.js";
import { element, put } from "../elements.js";
import { FORCED } from "../operations.js";
import { addPanel } from "../panels.js";
import { visible } from "../texts.js";

/** @typedef {import("../chart-canvas.js").Palette} Palette */
/** @typedef {import("../search-history.js").Solution} Solution */
/** @typedef {import("../search-state.js").SearchState} SearchState */
/** @typedef {import("../texts.js").Texts} Texts */

addPanel({
  name: "solutions",
  rank: 800,
  has: ({ searches }) => searches.some((search) => search.exhaustive),
  usual: ({ panels }) => !panels.length,
  chart: ({ searches }, player, texts) => {
    const labels = searches.map((search) => visible(search.label));
    const charts = player.states.map((state, number) =>
      new SolutionsChart(state, texts, texts.say("player-solutions-of", { label: labels[number] })));
    const counts = charts.map(() => element("span", { class: "found", dir: "auto" }));
    charts.forEach((chart, number) =>
      followPointer(chart.canvas, player, (x) => player.common(number, chart.stepAt(x))));
    return {
      root: element("div", { class: "solutions" }, ...charts.map((chart, number) =>
        captioned(chart.canvas, labels.length > 1 ? `${labels[number]} · ` : "", counts[number]))),
      draw: (palette) => charts.forEach((chart, number) => {
        chart.draw(palette);
        put(counts[number], texts.say("solutions-found", { count: chart.state.solutions }));
      }),
    };
  },
});

/** Pixels between two boards. */
const BOARDS_APART = 8;

/** Cells smaller than this have no digits, in pixels. */
const READABLE = 8;

class SolutionsChart extends Chart {
  /**
   * @param {SearchState} state
   * @param {Texts} texts
   * @param {string} label
   */
  constructor(state, texts, label) {
    super(label);
    this.state = state;
    this.texts = texts;
    /** Pixels of a board and the gap after it. */
    this.pitch = 1;
    this.shown = 0;
    this.before = "";
  }

  /** @param {Palette} palette */
  draw(palette) {
    const { state } = this;
    const found = state.solutions;
    const key = [found, this.canvas.clientWidth, this.canvas.clientHeight, palette["background"],
      state.deepest].join();
    if (key === this.before || !this.begin()) return;
    this.before = key;
    const { context, width, height } = this;
    const side = Math.floor(height);
    this.pitch = side + BOARDS_APART;
    context.font = "13px system-ui, sans-serif";
    context.textBaseline = "middle";
    const rest = (/** @type {number} */ count) => `+${this.texts.number(count)}`;
    const room = Math.floor((width - context.measureText(rest(found)).width) / this.pitch);
    const { solutions } = state.history;
    this.shown = Math.max(0, Math.min(found, solutions.length, room));
    for (let number = 0; number < this.shown; number += 1) {
      this.board(palette, solutions[number], number * this.pitch, side);
    }
    if (found > this.shown) {
      context.fillStyle = palette["muted"];
      context.textAlign = "left";
      context.fillText(rest(found - this.shown), this.shown * this.pitch, height / 2);
    }
  }

  /**
   * @param {Palette} palette
   * @param {Solution} solution
   * @param {number} left
   * @param {number} side
   */
  board(palette, { board, depths, kinds }, left, side) {
    const { context, state } = this;
    const { givens, board: content } = state.geometry;
    const cell = side / content.side;
    context.textAlign = "center";
    for (const [at, row, column, value, , , strong] of content.fields) {
      const [x, y] = [left + column * cell, row * cell];
      const deep = Math.floor(((depths[at] - 1) * TINTS) / Math.max(1, state.deepest));
      const tint = Math.min(TINTS - 1, Math.max(0, deep));
      context.fillStyle = palette[givens[at] ? "given-cell" : `tint-cell-${tint}`];
      context.fillRect(x, y, cell + 0.3, cell + 0.3);
      if (cell >= READABLE && (!value || board[at] === value)) {
        const style = givens[at] ? "bold" : kinds[at] === FORCED ? "italic" : "";
        context.font = `${style} ${cell * 0.7}px system-ui, sans-serif`;
        context.fillStyle = palette[givens[at] ? "given" : `tint-${tint}`];
        context.fillText(content.symbols[board[at] - 1], x + cell / 2, y + cell * 0.54);
      }
      context.fillStyle = palette["strong-line"];
      if (strong & 1) context.fillRect(x, y, 1, cell);
      if (strong & 2) context.fillRect(x, y, cell, 1);
    }
    context.fillStyle = palette["strong-line"];
    context.fillRect(left + side - 1, 0, 1, side);
    context.fillRect(left, side - 1, side, 1);
  }

  /**
   * The step that found the solution at a position; -1 if there is none.
   * @param {number} x
   */
  stepAt(x) {
    const number = Math.floor(x / this.pitch);
    if (number < 0 || number >= this.shown) return -1;
    return this.state.history.solutionSteps.items[number];
  }
}
