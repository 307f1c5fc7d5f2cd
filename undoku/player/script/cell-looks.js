// What each cell of a board shows: undoku/render/panels/board_looks.py in JavaScript.

import { failedUnit } from "./failed-unit.js";
import { FORCED, UNDO } from "./operations.js";

/** @typedef {import("./search-state.js").SearchState} SearchState */

/**
 * How a cell looks: `kind`, its `value`, the `text` of its digit and its pencil `marks`; `open` are
 * its candidates where they are shown, as a mask.
 * @typedef {{kind: string, value: number, text: string, marks: string, open: number}} Look
 */

export const TINTS = 4;
const SHADES = 7;
const TURN = 0.2;
const WARM = [9, 24, 40];
const SLACK = 3;
const BLANK = "\u00a0";

/** The prefix of a pencil mark that is struck out. */
export const STRUCK_OUT = "~";

/** The mark of an option where options are dots. */
const DOT = "\u2022";

/** @type {Look} */
export const NOTHING = { kind: "empty", value: 0, text: "", marks: "", open: 0 };

/**
 * How a board is drawn: `deepest` is the depth of the last tint; `blurred`: steps are too fast to
 * show single ones; `story`: digits are guessed or forced instead of tinted; `dots`: options are
 * dots, not digits; `spots`: a unit that has failed has an outline; `frame` and `rate` determine
 * when fast boards change; `most` is the largest number of tries of a cell, for backgrounds that
 * show tries; `glowing` the step after which cells glow (null for none); `rewound` the share of the
 * film's last digits that have been taken from the board (null for none).
 * @typedef {{deepest: number, blurred: boolean, pencils: boolean, story: boolean, dots: boolean,
 *   spots: boolean, frame: number, rate: number, most: number, glowing: number | null,
 *   rewound: number | null}} LookSettings
 */

/**
 * The warmth, 0..3, of a cell from the number of steps for which each value was in it, and its
 * warmth before.
 * @param {number[]} stood
 * @param {number} before
 */
export function warmth(stood, before) {
  const whole = stood.reduce((sum, steps) => sum + steps, 0);
  if (!whole) return 0;
  const churn = 64 - Math.floor((Math.max(...stood) * 64) / whole);
  return WARM.filter((bound, at) => churn >= (before > at ? bound - SLACK : bound)).length;
}

/** The looks of the cells of a board, with the state of fast passages. */
export class CellLooks {
  /** @param {SearchState} state */
  constructor(state) {
    this.state = state;
    const { cells, size } = state.geometry;
    /** @type {Look[]} */
    this.looks = Array.from({ length: cells }, () => NOTHING);
    this.turn = -1;
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
    const begins = settings.blurred && !this.blurred;
    const turn = Math.floor(settings.frame / Math.ceil(TURN * settings.rate));
    const due = begins || turn !== this.turn;
    this.turn = turn;
    this.blurred = settings.blurred;
    this.dead = false;
    const { givens } = this.state.geometry;
    for (let cell = 0; cell < givens.length; cell += 1) {
      if (givens[cell]) this.looks[cell] = this.digit("given", givens[cell]);
      else if (settings.rewound !== null) this.looks[cell] = this.rewound(cell, settings.rewound);
      else if (!settings.blurred) this.looks[cell] = this.plain(cell, settings);
      else if (due) this.blur(cell, settings);
    }
    const spots = settings.spots && this.state.geometry.board.form === "grid";
    this.failed = settings.blurred || !spots ? -1 : this.failedNow();
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
    const { symbols } = this.state.geometry.board;
    return { ...NOTHING, kind, value, text: value ? symbols[value - 1] : "" };
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
    this.warmth[cell] = 0;
    if (last && last.cell === cell && last.op === UNDO) {
      return this.digit(`undoing${shade}`, last.value);
    }
    if (value) {
      if (last && last.cell === cell) {
        return this.digit(`trying${this.placed(cell, settings)}`, value);
      }
      return this.digit(this.held(cell, settings), value);
    }
    const open = state.candidates(cell);
    this.open[cell] = open;
    if (!open) this.dead = true;
    if (!open) return { ...NOTHING, kind: `dead${shade}`, text: "×" };
    if (!settings.pencils || state.geometry.free) return this.nothing(shade);
    const { board } = state.geometry;
    if (settings.dots || board.coloured || board.form !== "grid") return this.dotted(open, shade);
    const marks = this.pencils(open, state.free(cell));
    return { ...NOTHING, kind: `pencil${shade}`, marks, open };
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
    const { symbols } = this.state.geometry.board;
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
    const kind = `pencil dotted${single ? " single" : ""}${shade}`;
    return { ...NOTHING, kind, marks, open };
  }

  /**
   * Whether the value of a cell was forced or, in a story, guessed.
   * @param {number} cell
   * @param {LookSettings} settings
   */
  placed(cell, { story }) {
    if (story) return this.told(this.state.guessedCells[cell]);
    return this.state.kinds[cell] === FORCED ? " forced" : "";
  }

  /**
   * The kind of a digit in a story. Of a puzzle without rules nobody knows what was guessed.
   * @param {number} guessed
   */
  told(guessed) {
    return guessed && !this.state.geometry.free ? " guess" : " forced";
  }

  /**
   * The kind of a cell that holds a value.
   * @param {number} cell
   * @param {LookSettings} settings
   */
  held(cell, settings) {
    const shade = this.shade(cell, settings);
    const tint = settings.story ? "" : ` ${this.tint(cell, settings)}`;
    return `held${this.placed(cell, settings)}${shade || tint}`;
  }

  /**
   * A cell in a fast passage: its present value, on a warmer background the more it changed since
   * the last turn.
   * @param {number} cell
   * @param {LookSettings} settings
   */
  blur(cell, settings) {
    const value = this.state.board[cell];
    this.state.takeStood(cell, this.stood);
    const warm = warmth(this.stood, this.warmth[cell]);
    const shade = this.shade(cell, settings);
    this.warmth[cell] = shade ? 0 : warm;
    if (warm) this.looks[cell] = this.digit(`ghost${shade || ` warm-${warm}`}`, value);
    else if (value) this.looks[cell] = this.digit(this.held(cell, settings), value);
    else this.looks[cell] = this.nothing(shade);
  }

  /**
   * @param {string} shade
   * @returns {Look}
   */
  nothing(shade) {
    return shade ? { ...NOTHING, kind: `empty${shade}` } : NOTHING;
  }

  /**
   * A cell of the last board while that is emptied, the digit that was placed last first.
   * @param {number} cell
   * @param {number} part
   * @returns {Look}
   */
  rewound(cell, part) {
    const { board, order, guessed } = this.state.ending;
    const gone = order.indexOf(cell) < Math.ceil(part * order.length);
    if (gone || !board[cell]) return NOTHING;
    return this.digit(`held${this.told(guessed[cell])}`, board[cell]);
  }
}

/**
 * What a field shows of the look of its cell.
 * @param {Look} look
 * @param {import("./content.js").Field} field
 * @param {boolean} coloured
 * @returns {Look}
 */
export function fieldLook(look, [, , , place, bare], coloured) {
  let shown = look;
  if (place && look.open) {
    const own = (look.open >>> (place - 1)) & 1;
    const kind = look.kind.replace("dotted", "dotted single").replace("single single", "single");
    shown = own ? { ...look, kind, marks: DOT } : NOTHING;
  } else if (place && look.value && look.value !== place) {
    shown = look.kind.startsWith("ghost") ? { ...NOTHING, kind: look.kind } : NOTHING;
  }
  if (coloured && shown.value && !/undoing|shade-/.test(shown.kind)) {
    shown = { ...shown, kind: `${shown.kind} value value-${(shown.value - 1) % 7}` };
  }
  if (shown.text === "\u2588") shown = { ...shown, kind: `${shown.kind} block` };
  return bare ? { ...shown, text: "", marks: "", open: 0 } : shown;
}
