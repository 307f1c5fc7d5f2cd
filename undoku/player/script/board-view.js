// A board in the page: a grid of cells for screen readers, with focus by arrow keys.

import { CellLooks, STRUCK_OUT } from "./cell-looks.js";
import { element } from "./elements.js";
import { outlineOf } from "./failed-unit.js";

/** @typedef {import("./cell-looks.js").LookSettings} LookSettings */
/** @typedef {import("./content.js").Callout} Callout */
/** @typedef {import("./search-state.js").SearchState} SearchState */

/** Events: "inspect" with the cell under the pointer or the focus, -1 for none. */
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
    const { columns } = this.looks;
    this.root.style.setProperty("--pencils", String(columns));
    this.root.style.setProperty("--lines", String(Math.ceil(size / columns)));
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
        const pencil = element("span", {});
        const one = element("div", { role: "gridcell", tabindex: cell ? -1 : 0 }, digit,
          element("span", { class: "marks", "aria-hidden": "true" }, pencil));
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
    this.swept = "";
    /** @type {Set<number>} */
    this.excluding = new Set();
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
   * Mark the cells that exclude values from the inspected cell.
   * @param {Iterable<number>} cells
   */
  markExcluding(cells) {
    this.excluding = new Set(cells);
  }

  /**
   * Show the state.
   * @param {LookSettings} settings
   * @param {Callout | null} callout
   */
  show(settings, callout) {
    const looks = this.looks.update(settings);
    const rings = callout && settings.frame < callout.rings && !settings.blurred ? callout : null;
    const failed = this.looks.failed < 0 ? null
      : outlineOf(this.state.geometry, this.looks.failed);
    for (let cell = 0; cell < looks.length; cell += 1) {
      const look = looks[cell];
      let kind = this.fixed[cell] + look.kind;
      let { text, marks } = look;
      if (rings?.placed === cell) kind += ` ring ${rings.tone}`;
      else if (rings?.shown.includes(cell)) {
        kind += ` ringed ${rings.tone}`;
        if (rings.wanted && !text) {
          kind += " wanted";
          text = this.state.geometry.symbols[rings.wanted - 1];
          marks = "";
        }
      }
      else if (rings?.lit.includes(cell)) kind += ` lit ${rings.tone}`;
      else if (this.looks.glows(cell, settings)) kind += " glow";
      if (failed?.has(cell)) kind += ` ${failed.get(cell)}`;
      if (this.excluding.has(cell)) kind += " excluding";
      this.put(cell, kind, text, marks);
    }
  }

  /**
   * Show a share, 0..1, of the ring around the board, and whether a solution was just found.
   * @param {number} part
   * @param {boolean} found
   */
  frame(part, found) {
    const sweep = part < 1 ? String(4 * eased(part)) : "";
    if (this.swept !== sweep) {
      this.swept = sweep;
      this.root.classList.toggle("sweeping", sweep !== "");
      this.root.style.setProperty("--sweep", sweep || "0");
    }
    this.root.classList.toggle("just-found", found);
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
      if (marks.includes(STRUCK_OUT)) this.pencils[cell].replaceChildren(...struck(marks));
      else this.pencils[cell].textContent = marks;
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
 * The progress, 0..1, of a movement that is slow at both ends.
 * @param {number} part
 */
function eased(part) {
  return part < 0.5 ? 4 * part ** 3 : 1 - 4 * (1 - part) ** 3;
}

/**
 * Pencil marks, some of them struck out.
 * @param {string} marks
 */
function struck(marks) {
  const [first, ...rest] = marks.split(STRUCK_OUT);
  return [first, ...rest.flatMap((part) => [element("s", {}, part[0]), part.slice(1)])];
}
