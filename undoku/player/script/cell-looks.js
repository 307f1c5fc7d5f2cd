// What each cell of a board shows: undoku/render/panels/board_looks.py in JavaScript.

import { failedUnit } from "./failed-unit.js";
import { FORCED, UNDO } from "./operations.js";

/** @typedef {import("./search-state.js").SearchState} SearchState */

/**
 * How a cell looks: `kind`, the `text` of its digit and its pencil `marks`.
 * @typedef {{kind: string, text: string, marks: string}} Look
 */

export const TINTS = 4;
const SHADES = 7;
const TURN = 0.2;
const MIN_SHARE = 8;
const STRONG = 32;
const WARM = [9, 24, 40];
const SLACK = 3;
const BLANK = "\u00a0";

/** The prefix of a pencil mark that is struck out. */
export const STRUCK_OUT = "~";

/** The mark of an option where options are dots. */
const DOT = "\u2022";

/** @type {Look} */
const NOTHING = { kind: "empty", text: "", marks: "" };

/**
 * How a board is drawn: `deepest` is the depth of the last tint; `blurred`: steps are too fast to
 * show single ones; `dots`: options are dots, not digits; `frame` and `rate` determine when ghosts change; `most` is the largest number
 * of tries of a cell, for backgrounds that show tries; `glowing` the step after which cells glow
 * (null for none); `failures` those of each cell's units after the first steps.
 * @typedef {{deepest: number, blurred: boolean, pencils: boolean, dots: boolean, frame: number, rate: number,
 *   most: number, glowing: number | null, failures: number[][]}} LookSettings
 */

/** The looks of the cells of a board, with the state of ghosts. */
export class CellLooks {
  /** @param {SearchState} state */
  constructor(state) {
    this.state = state;
    const { cells, size } = state.geometry;
    /** @type {Look[]} */
    this.looks = Array.from({ length: cells }, () => NOTHING);
    this.turns = new Int32Array(cells).fill(-1);
    this.shown = new Uint8Array(cells);
    this.warmth = new Uint8Array(cells);
    this.blurred = false;
    /** The candidates of empty cells, as masks. */
    this.open = new Uint32Array(cells);
    /** Whether an empty cell has no candidate. */
    this.dead = false;
    this.failed = -1;
    /** @type {number[]} */
    this.stood = new Array(size + 1).fill(0);
    this.columns = Math.ceil(Math.sqrt(size));
  }

  /**
   * Update the looks to the current state.
   * @param {LookSettings} settings
   */
  update(settings) {
    const { state } = this;
    const begins = settings.blurred && !this.blurred;
    if (begins) state.forget();
    this.blurred = settings.blurred;
    this.dead = false;
    const { givens } = state.geometry;
    for (let cell = 0; cell < givens.length; cell += 1) {
      if (givens[cell]) this.looks[cell] = this.digit("given", givens[cell]);
      else if (settings.blurred) this.blur(cell, settings, begins);
      else this.looks[cell] = this.plain(cell, settings);
    }
    this.failed = settings.blurred ? -1 : this.failedNow();
    return this.looks;
  }

  /** The unit in which the last step left no place for a value; -1 if there is none. */
  failedNow() {
    const { state } = this;
    if (this.dead || state.over || !state.last || state.last.op === UNDO) return -1;
    return failedUnit(state.geometry, state.board, this.open)?.number ?? -1;
  }

  /**
   * Whether a cell was changed recently enough to glow.
   * @param {number} cell
   * @param {LookSettings} settings
   */
  glows(cell, { glowing }) {
    return glowing !== null && this.state.changed[cell] > glowing;
  }

  /**
   * @param {string} kind
   * @param {number} value
   * @returns {Look}
   */
  digit(kind, value) {
    return { kind, text: value ? this.state.geometry.symbols[value - 1] : "", marks: "" };
  }

  /**
   * @param {number} cell
   * @param {LookSettings} settings
   * @returns {Look}
   */
  plain(cell, settings) {
    const { state } = this;
    const last = state.over ? null : state.last;
    const value = state.shown[cell];
    const shade = this.shade(cell, settings);
    this.shown[cell] = value;
    this.warmth[cell] = 0;
    if (last && last.cell === cell && last.op === UNDO) {
      return this.digit(`undoing${shade}`, last.value);
    }
    if (value) {
      const forced = state.kinds[cell] === FORCED ? " forced" : "";
      if (last && last.cell === cell) return this.digit(`trying${forced}`, value);
      if (shade) return this.digit(`held${forced}${shade}`, value);
      return this.digit(`held${forced} ${this.tint(cell, settings)}`, value);
    }
    const open = state.candidates(cell);
    this.open[cell] = open;
    if (!open) this.dead = true;
    if (!open) return { kind: `dead${shade}`, text: "×", marks: "" };
    if (!settings.pencils) return shade ? { kind: `empty${shade}`, text: "", marks: "" } : NOTHING;
    if (settings.dots) return this.dotted(open, shade);
    return { kind: `pencil${shade}`, text: "", marks: this.pencils(open, state.free(cell)) };
  }

  /**
   * @param {number} cell
   * @param {LookSettings} settings
   */
  tint(cell, settings) {
    const depth = this.state.depths[cell] - 1;
    const tint = Math.floor((depth * TINTS) / Math.max(1, settings.deepest));
    return `tint-${Math.min(TINTS - 1, Math.max(0, tint))}`;
  }

  /**
   * @param {number} cell
   * @param {LookSettings} settings
   */
  shade(cell, settings) {
    if (!settings.most) return "";
    const tries = this.state.tries[cell];
    if (!tries) return " shade-0";
    const share = settings.most > 1 ? Math.log(tries) / Math.log(settings.most) : 0;
    return ` shade-${Math.min(SHADES - 1, 1 + Math.floor(share * (SHADES - 1)))}`;
  }

  /**
   * Pencil marks as lines of text, each candidate at its position; those that inference has removed
   * have the prefix STRUCK_OUT.
   * @param {number} open
   * @param {number} free
   */
  pencils(open, free) {
    const { symbols } = this.state.geometry;
    let text = "";
    for (let value = 0; value < symbols.length; value += 1) {
      if (value && value % this.columns === 0) text += "\n";
      if ((open >>> value) & 1) text += symbols[value];
      else text += (free >>> value) & 1 ? STRUCK_OUT + symbols[value] : BLANK;
    }
    return text;
  }

  /**
   * A dot for each option at its position; a single one is larger and in the middle.
   * @param {number} open
   * @param {string} shade
   * @returns {Look}
   */
  dotted(open, shade) {
    const single = (open & (open - 1)) === 0;
    const marks = single ? DOT : this.pencils(open, open).replace(/[^\s\u00a0]/g, DOT);
    return { kind: `pencil dotted${single ? " single" : ""}${shade}`, text: "", marks };
  }

  /**
   * A cell that held several values: shows the one that it held longest, on a warmer background the
   * more often it changed. Each cell is updated every fifth of a second.
   * @param {number} cell
   * @param {LookSettings} settings
   * @param {boolean} begins
   */
  blur(cell, settings, begins) {
    const length = Math.max(1, Math.round(TURN * settings.rate));
    const offset = ((Math.imul(cell, 0x9e3779b1) >>> 16) & 0xffff) % length;
    const turn = Math.floor((settings.frame + offset) / length);
    if (!begins && turn === this.turns[cell]) return;
    this.turns[cell] = turn;
    this.state.takeStood(cell, this.stood);
    const { warm, value, strong } = this.ghost(cell);
    this.shown[cell] = value;
    this.warmth[cell] = warm;
    const shade = this.shade(cell, settings);
    if (warm) this.looks[cell] = this.digit(shade ? `ghost${shade}` : `ghost warm-${warm} ${strong}`, value);
    else if (!value) this.looks[cell] = shade ? { kind: `empty${shade}`, text: "", marks: "" } : NOTHING;
    else if (shade) this.looks[cell] = this.digit(`held${shade}`, value);
    else this.looks[cell] = this.digit(`held ${this.tint(cell, settings)}`, value);
  }

  /** @param {number} cell */
  ghost(cell) {
    const { stood } = this;
    let whole = stood[0];
    let longest = 0;
    let most = 0;
    for (let value = 1; value < stood.length; value += 1) {
      whole += stood[value];
      if (stood[value] > most) {
        longest = value;
        most = stood[value];
      }
    }
    if (!whole) return { warm: 0, value: this.state.board[cell], strong: "" };
    const shown = this.shown[cell];
    const kept = shown > 0 && stood[shown] > 0 && stood[shown] * 5 >= most * 4;
    if (kept) longest = shown;
    const churn = 64 - Math.floor((Math.max(most, stood[0]) * 64) / whole);
    const before = this.warmth[cell];
    const warm = WARM.filter((bound, at) => churn >= (before > at ? bound - SLACK : bound)).length;
    if (!warm) return { warm, value: most > stood[0] ? longest : 0, strong: "" };
    const share = longest ? Math.floor((stood[longest] * 64) / whole) : 0;
    if (share < (kept ? MIN_SHARE - SLACK : MIN_SHARE)) return { warm, value: 0, strong: "" };
    return { warm, value: longest, strong: share >= STRONG ? "strong" : "faint" };
  }
}
