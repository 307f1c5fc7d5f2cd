// A board in the page: a grid of cells that screen readers and keys can walk through.

import { CellLooks } from "./cell-looks.js";
import { element } from "./elements.js";

/** @typedef {import("./cell-looks.js").Glance} Glance */
/** @typedef {import("./content.js").Callout} Callout */
/** @typedef {import("./content.js").Rule} Rule */
/** @typedef {import("./search-state.js").SearchState} SearchState */

/** How a strategy's rule is shown: `part` 0..1 of the passage that is over. */
/** @typedef {{rule: Rule, part: number}} RuleShown */

/** Events: "inspect" with the cell that a reader points at or walks to, -1 for none. */
export class BoardView extends EventTarget {
  /**
   * @param {SearchState} state
   * @param {string} label
   */
  constructor(state, label) {
    super();
    this.state = state;
    this.looks = new CellLooks(state);
    const { geometry } = state;
    const { size } = geometry;
    this.size = size;
    this.root = element("div", { class: "board", role: "grid", "aria-label": label });
    this.root.style.setProperty("--cells", String(size));
    /** @type {HTMLElement[]} */
    this.cells = [];
    /** @type {HTMLElement[]} */
    this.digits = [];
    /** @type {HTMLElement[]} */
    this.pencils = [];
    for (let row = 0; row < size; row += 1) {
      const line = element("div", { role: "row", class: "row" });
      for (let column = 0; column < size; column += 1) {
        const cell = row * size + column;
        const digit = element("span", { class: "digit" });
        const pencil = element("span", { class: "marks", "aria-hidden": "true" });
        const one = element("div", { role: "gridcell", tabindex: cell ? -1 : 0 }, digit, pencil);
        one.dataset.cell = String(cell);
        this.cells.push(one);
        this.digits.push(digit);
        this.pencils.push(pencil);
        line.append(one);
      }
      this.root.append(line);
    }
    this.fixed = this.cells.map((_, cell) => fixedClasses(geometry, cell));
    /** @type {string[]} */
    this.shown = this.cells.map(() => "?");
    /** @type {string[]} */
    this.texts = this.cells.map(() => "");
    /** @type {string[]} */
    this.marks = this.cells.map(() => "");
    this.focused = 0;
    /** @type {Set<number>} */
    this.blamed = new Set();
    this.listen();
  }

  listen() {
    this.root.addEventListener("pointerover", (event) => {
      if (event.pointerType !== "touch") this.inspect(cellOf(event.target));
    });
    this.root.addEventListener("pointerleave", (event) => {
      if (event.pointerType !== "touch") this.inspect(-1);
    });
    this.root.addEventListener("click", (event) => {
      const cell = cellOf(event.target);
      if (cell >= 0) this.focus(cell);
    });
    this.root.addEventListener("focusin", (event) => this.inspect(cellOf(event.target)));
    this.root.addEventListener("focusout", () => this.inspect(-1));
    this.root.addEventListener("keydown", (event) => this.walk(event));
  }

  /** @param {number} cell */
  inspect(cell) {
    this.dispatchEvent(new CustomEvent("inspect", { detail: cell }));
  }

  /** @param {KeyboardEvent} event */
  walk(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
    const { size } = this;
    const [row, column] = this.state.geometry.position(this.focused);
    const leftwards = getComputedStyle(this.root).direction === "rtl" ? 1 : -1;
    /** @type {Record<string, [number, number]>} */
    const moves = {
      ArrowUp: [-1, 0],
      ArrowDown: [1, 0],
      ArrowLeft: [0, leftwards],
      ArrowRight: [0, -leftwards],
      Home: [0, -column],
      End: [0, size - 1 - column],
    };
    const move = moves[event.key];
    if (!move) return;
    event.preventDefault();
    event.stopPropagation();
    const to = [row + move[0], column + move[1]];
    if (to.every((place) => place >= 0 && place < size)) this.focus(to[0] * size + to[1]);
  }

  /** @param {number} cell */
  focus(cell) {
    this.cells[this.focused].tabIndex = -1;
    this.focused = cell;
    this.cells[cell].tabIndex = 0;
    this.cells[cell].focus({ preventScroll: true });
  }

  /**
   * Mark the cells that exclude values from the one that is inspected.
   * @param {Iterable<number>} cells
   */
  blame(cells) {
    this.blamed = new Set(cells);
  }

  /**
   * Show the state.
   * @param {Glance} glance
   * @param {Callout | null} callout
   * @param {RuleShown | null} rule
   */
  show(glance, callout, rule) {
    const looks = this.looks.update(glance);
    const rings = callout && glance.frame < callout.rings && !glance.blurred ? callout : null;
    const ruled = rule ? ruleLooks(rule, this.cells.length) : null;
    for (let cell = 0; cell < looks.length; cell += 1) {
      const look = looks[cell];
      let kind = this.fixed[cell] + look.kind;
      let { text, marks } = look;
      if (ruled && (look.kind === "empty" || look.kind === "pencil")) {
        kind = this.fixed[cell] + ruled.kinds[cell];
        text = "";
        marks = "";
        this.cells[cell].dataset.rule = ruled.texts[cell];
      }
      if (rings) {
        if (rings.placed === cell) kind += ` ring ${rings.tone}`;
        else if (rings.shown.includes(cell)) kind += ` ringed ${rings.tone}`;
        else if (rings.lit.includes(cell)) kind += " lit";
      }
      if (this.blamed.has(cell)) kind += " blamed";
      this.put(cell, kind, text, marks);
    }
  }

  /**
   * @param {number} cell
   * @param {string} kind
   * @param {string} text
   * @param {string} marks
   */
  put(cell, kind, text, marks) {
    if (kind !== this.shown[cell]) {
      this.shown[cell] = kind;
      this.cells[cell].className = kind;
    }
    if (text !== this.texts[cell]) {
      this.texts[cell] = text;
      this.digits[cell].textContent = text;
    }
    if (marks !== this.marks[cell]) {
      this.marks[cell] = marks;
      this.pencils[cell].textContent = marks;
    }
  }
}

/** @param {EventTarget | null} target */
function cellOf(target) {
  const found = target instanceof Element ? target.closest("[data-cell]") : null;
  return found instanceof HTMLElement ? Number(found.dataset.cell) : -1;
}

/**
 * The classes of a cell that never change: its strong lines, and whether it is in an extra unit.
 * @param {import("./geometry.js").Geometry} geometry
 * @param {number} cell
 */
function fixedClasses(geometry, cell) {
  const [row, column] = geometry.position(cell);
  const { regions, size } = geometry;
  let kind = "cell ";
  if (column && regions[cell] !== regions[cell - 1]) kind += "strong-left ";
  if (row && regions[cell] !== regions[cell - size]) kind += "strong-top ";
  if (geometry.extra.has(cell)) kind += "extra ";
  return kind;
}

/**
 * What the cells of a board look like while it shows a rule: those that were swept over and the
 * present one, or the number of options of each.
 * @param {RuleShown} shown
 * @param {number} count
 */
function ruleLooks({ rule, part }, count) {
  const kinds = new Array(count).fill("empty");
  const texts = new Array(count).fill("");
  if (rule.order.length) {
    const swept = Math.floor(part * (rule.order.length + 1));
    rule.order.forEach((cell, at) => {
      if (at < swept) kinds[cell] = at === swept - 1 ? "rule-dot" : "rule-swept";
    });
    return { kinds, texts };
  }
  for (const [cell, options] of rule.options) {
    kinds[cell] = part > 0.4 && rule.best.includes(cell) ? "rule-best" : "rule-options";
    texts[cell] = String(options);
  }
  return { kinds, texts };
}
