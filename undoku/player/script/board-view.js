// A board in the page: a grid of fields for screen readers, with focus by arrow keys.

import { CellLooks, fieldLook, STRUCK_OUT } from "./cell-looks.js";
import { element, shape } from "./elements.js";
import { outlineOf } from "./failed-unit.js";

/** @typedef {import("./cell-looks.js").LookSettings} LookSettings */
/** @typedef {import("./content.js").Callout} Callout */
/** @typedef {import("./search-state.js").SearchState} SearchState */

/**
 * The share of the time in which the options of cells shrink to the digit that they need, as in films.
 * @param {Callout} rings
 * @param {LookSettings} settings
 */
function narrowing(rings, settings) {
  const seconds = Math.min(3 / 2, (rings.rings - rings.start) / settings.rate / 2);
  return (settings.frame - rings.start) / settings.rate / seconds;
}

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
    const { board, size } = geometry;
    this.root = element("div", { class: `board ${board.form}`, role: "grid", "aria-label": label });
    this.root.style.setProperty("--cells", String(board.side));
    const { columns } = this.looks;
    this.root.style.setProperty("--pencils", String(columns));
    this.root.style.setProperty("--lines", String(Math.ceil(size / columns)));
    if (board.edges.length) this.root.append(edgesOf(board));
    /** The fields, and what they contain. @type {HTMLElement[]} */
    this.fields = [];
    /** @type {HTMLElement[]} */
    this.digits = [];
    /** @type {HTMLElement[]} */
    this.pencils = [];
    /** The first field of each cell, or the one with its mark. @type {HTMLElement[]} */
    this.cells = [];
    /** @type {Map<number, HTMLElement>} */
    const rows = new Map();
    for (const [cell, row, column, , bare, sides] of board.fields) {
      const digit = element("span", { class: "digit" });
      const pencil = element("span", {});
      const one = element("div", { role: "gridcell", tabindex: -1 }, digit,
        element("span", { class: "marks", "aria-hidden": "true" }, pencil));
      one.dataset.cell = String(cell);
      one.style.setProperty("--row", String(row));
      one.style.setProperty("--column", String(column));
      SIDES.forEach((side, bit) => one.style.setProperty(`--${side}`, String((sides >> bit) & 1)));
      this.fields.push(one);
      this.digits.push(digit);
      this.pencils.push(pencil);
      if (!this.cells[cell] || (!bare && board.form === "regions")) this.cells[cell] = one;
      if (!rows.has(row)) rows.set(row, element("div", { role: "row", class: "row" }));
      rows.get(row)?.append(one);
    }
    this.root.append(...rows.values());
    this.cells[0].tabIndex = 0;
    this.fixed = board.fields.map((field) => fixedClasses(geometry, field));
    /** @type {string[]} */
    this.shown = this.fields.map(() => "?");
    /** @type {string[]} */
    this.texts = this.fields.map(() => "");
    /** @type {string[]} */
    this.marks = this.fields.map(() => "");
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
    const { fields, side } = this.state.geometry.board;
    const at = this.fields.indexOf(this.cells[this.focused]);
    const [, row, column] = fields[at];
    const leftwards = getComputedStyle(this.root).direction === "rtl" ? 1 : -1;
    /** @type {Record<string, [number, number]>} */
    const moves = {
      ArrowUp: [-1, 0],
      ArrowDown: [1, 0],
      ArrowLeft: [0, leftwards],
      ArrowRight: [0, -leftwards],
      Home: [0, -column],
      End: [0, side - 1 - column],
    };
    const move = moves[event.key];
    if (!move) return;
    event.preventDefault();
    event.stopPropagation();
    const to = [row + move[0], column + move[1]];
    const found = fields.find(([, y, x]) => y === to[0] && x === to[1]);
    const next = this.focused + Math.sign(move[0] || move[1]);
    if (found && found[0] !== this.focused) this.focus(found[0]);
    else if (fields.length !== side * side && this.cells[next]) this.focus(next);
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
    const { board } = this.state.geometry;
    board.fields.forEach((field, number) => {
      const [cell] = field;
      const look = fieldLook(looks[cell], field, board.coloured);
      let kind = this.fixed[number] + look.kind;
      let { text, marks } = look;
      // A wrong digit that is explained is more important than the last step.
      if (rings?.tone === "wrong") kind = kind.replace(/\btrying\b/, "");
      if (rings?.placed === cell) kind += ` ring ${rings.tone}`;
      else if (rings?.shown.includes(cell)) {
        kind += ` ringed ${rings.tone}`;
        const share = narrowing(rings, settings);
        if (rings.wanted && !text && board.form === "grid" && share >= 1) {
          kind += " wanted";
          text = board.symbols[rings.wanted - 1];
          marks = "";
        } else if (share < 3 / 8 && rings.narrowed.includes(cell)) {
          kind = kind.replace(" single", "");
          ({ marks } = this.looks.dotted(looks[cell].open | (1 << (rings.value - 1)), ""));
        }
      }
      else if (rings?.lit.includes(cell)) kind += ` lit ${rings.tone}`;
      else if (this.looks.glows(cell, settings)) kind += " glow";
      if (failed?.has(cell)) kind += ` ${failed.get(cell)}`;
      if (this.excluding.has(cell)) kind += " excluding";
      this.put(number, kind, text, marks);
    });
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
   * @param {number} number
   * @param {string} kind
   * @param {string} text
   * @param {string} marks
   */
  put(number, kind, text, marks) {
    if (kind !== this.shown[number]) {
      this.shown[number] = kind;
      this.fields[number].className = kind;
    }
    if (text !== this.texts[number]) {
      this.texts[number] = text;
      this.digits[number].textContent = text;
    }
    if (marks !== this.marks[number]) {
      this.marks[number] = marks;
      const pencils = this.pencils[number];
      if (this.state.geometry.board.coloured) pencils.replaceChildren(...coloured(marks));
      else if (marks.includes(STRUCK_OUT)) pencils.replaceChildren(...struck(marks));
      else pencils.textContent = marks;
    }
  }
}

/** The sides of a field, in the order of the bits of a field's sides. */
export const SIDES = ["left", "top", "right", "bottom"];

/** @param {EventTarget | null} target */
function cellOf(target) {
  const found = target instanceof Element ? target.closest("[data-cell]") : null;
  return found instanceof HTMLElement ? Number(found.dataset.cell) : -1;
}

/**
 * The classes of a field that never change: its strong lines, and whether it is in an extra unit.
 * @param {import("./geometry.js").Geometry} geometry
 * @param {import("./content.js").Field} field
 */
function fixedClasses(geometry, [cell, row, column, , , , strong]) {
  const kinds = SIDES.filter((_, bit) => (strong >> bit) & 1).map((side) => `strong-${side} `);
  const dark = geometry.board.form === "fields" && (row + column) % 2 === 1;
  return `cell ${kinds.join("")}${geometry.extra.has(cell) || dark ? "extra " : ""}`;
}

/**
 * The lines between nodes.
 * @param {import("./content.js").Board} board
 */
function edgesOf({ side, edges }) {
  const drawing = shape("svg", { class: "edges", viewBox: `0 0 ${side} ${side}`,
    "aria-hidden": "true" });
  drawing.append(...edges.map(([x1, y1, x2, y2]) => shape("line", { x1, y1, x2, y2 })));
  return drawing;
}

/**
 * Dots of options in the colours for which they stand, at their places.
 * @param {string} marks
 */
function coloured(marks) {
  let value = 0;
  return [...marks].map((mark) => {
    if (mark === "\n") return mark;
    value += 1;
    return element("span", { class: `option-${(value - 1) % 7}` }, mark);
  });
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
