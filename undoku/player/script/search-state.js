// The state of a search after any of its steps: `undoku/solver/trace/state.py` in JavaScript, with checkpoints, so
// that any step is reached by applying a few thousand events at most.

import { GrowingArray } from "./growing-array.js";
import { ELIMINATE, GUESS, LEARN, PROBE, RESTART, RESTORE, UNDO } from "./operations.js";
import { IS_BACKTRACK, IS_DEAD_END, SearchHistory } from "./search-history.js";

/** @typedef {import("./geometry.js").Geometry} Geometry */

export const OPEN = 255;
const EVERY = 4096;

const STEPS = 0;
const DECISIONS = 1;
const UNDOS = 2;
const BACKTRACKS = 3;
const DEAD_ENDS = 4;
const DEPTH = 5;
const FILLED = 6;
const SOLUTIONS = 7;
const CHILD_UNDONE = 8;
const SOLVED_HERE = 9;
const LAST_OP = 10;
const LAST_CELL = 11;
const LAST_VALUE = 12;
const AT = 13;
const RESTARTING = 14;
const RESTARTS = 15;
const NOGOODS = 16;
const PROBES = 17;
const GUESSED = 18;
const REGISTERS = 19;

/**
 * A search. `board`, `kinds` (the op that placed a cell, OPEN for none), `depths`, `removed` (bit
 * v - 1 for a value that inference removed), `tries` and `changed` (the last step that changed a
 * cell, 0 for none) are the current state of each cell; they are changed in place. `history` is that
 * of the whole search.
 */
export class SearchState {
  /**
   * @param {Geometry} geometry
   * @param {Uint32Array} events
   */
  constructor(geometry, events) {
    const cells = geometry.cells;
    this.geometry = geometry;
    this.board = geometry.givens.slice();
    this.kinds = new Uint8Array(cells).fill(OPEN);
    this.depths = new Uint16Array(cells);
    this.removed = new Uint32Array(cells);
    this.tries = new Uint32Array(cells);
    this.changed = new Uint32Array(cells);
    /** 1 where a value was placed as a guess although the cell had another option. */
    this.guessedCells = new Uint8Array(cells);
    this.registers = new Int32Array(REGISTERS);
    /** The number of steps for which each cell held each value since `forget`; ghosts show these. */
    this.stood = new Uint32Array(cells * (geometry.size + 1));
    this.since = new Uint32Array(cells);
    this.events = new GrowingArray(Uint32Array, Math.max(1024, events.length));
    this.history = new SearchHistory(events.length);
    /** @type {ArrayBuffer[]} */
    this.checkpoints = [];
    this.registers[FILLED] = this.board.reduce((sum, value) => sum + (value ? 1 : 0), 0);
    if (this.registers[FILLED] === cells) {
      this.registers[SOLUTIONS] = 1;
      this.registers[SOLVED_HERE] = 1;
    }
    /** Whether more events may come. */
    this.written = false;
    /** Whether the search has searched the whole tree. */
    this.proved = false;
    this.total = 0;
    /** @type {{board: Uint8Array, guessed: Uint8Array, order: number[]} | null} */
    this.end = null;
    this.append(events);
    this.seek(0);
  }

  get steps() {
    return this.registers[STEPS];
  }
  get undos() {
    return this.registers[UNDOS];
  }
  get depth() {
    return this.registers[DEPTH];
  }
  get solutions() {
    return this.registers[SOLUTIONS];
  }
  get backtracks() {
    return this.registers[BACKTRACKS];
  }
  get restarts() {
    return this.registers[RESTARTS];
  }
  get nogoods() {
    return this.registers[NOGOODS];
  }
  get probes() {
    return this.registers[PROBES];
  }

  /** Decisions per node, over the nodes with decisions below them. */
  get branching() {
    // Every decision is a child of an inner node; the current node is still a leaf.
    const open = this.steps === 0 || this.registers[LAST_OP] !== UNDO ? 1 : 0;
    return this.decisions / Math.max(1, this.decisions + 1 - this.deadEnds - open);
  }

  /** Whether the board is full and has no conflict. */
  get solvedHere() {
    return this.registers[SOLVED_HERE] === 1;
  }

  /**
   * The number of digits on the board that are not given; `guessed`, their part that is as large as
   * that of guesses in all digits that were written so far; and the cells that were empty.
   */
  get tally() {
    const given = this.geometry.givens.filter((value) => value).length;
    const filled = this.registers[FILLED] - given;
    const places = this.guessed + this.forced;
    const guessed = places ? (filled * this.guessed) / places : 0;
    return { filled, guessed, cells: this.board.length - given };
  }

  /** The greatest depth of all steps that are known. */
  get deepest() {
    return this.history.deepest;
  }

  /** Whether the last step took back a value for a restart. */
  get restarting() {
    return this.registers[RESTARTING] === 2;
  }

  get deadEnds() {
    return this.registers[DEAD_ENDS];
  }
  /** The places that the search made; inference made the others. */
  get decisions() {
    return this.registers[DECISIONS];
  }
  /** The places whose cell had another option: see `State` in Python. */
  get guessed() {
    return this.registers[GUESSED];
  }
  get forced() {
    return this.steps - this.undos - this.guessed;
  }

  /** Whether the search has ended; its last step is then not highlighted. */
  get over() {
    return !this.written && this.steps === this.total;
  }

  /** The board to show: at the end of an exhaustive search the last solution. */
  get shown() {
    const last = this.proved && this.over ? this.history.lastSolution : null;
    return last?.board ?? this.board;
  }

  /**
   * The board at the end, and the `order` in which it is emptied.
   * @returns {{board: Uint8Array, guessed: Uint8Array, order: number[]}}
   */
  get ending() {
    if (this.end) return this.end;
    const { steps } = this;
    this.seek(this.total);
    const { depths, guessedCells, geometry } = this;
    const order = [...geometry.givens.keys()].filter((cell) => !geometry.givens[cell])
      .sort((a, b) => depths[b] - depths[a]);
    this.end = { board: this.shown.slice(), guessed: guessedCells.slice(), order };
    this.seek(steps);
    return this.end;
  }

  /**
   * The last step, null before the first.
   * @returns {{op: number, cell: number, value: number} | null}
   */
  get last() {
    const [op, cell, value] = this.registers.subarray(LAST_OP, LAST_VALUE + 1);
    return this.steps ? { op, cell, value } : null;
  }

  /**
   * Append events. The state is at their end afterwards.
   * @param {Uint32Array} events
   */
  append(events) {
    this.seek(this.total);
    this.events.add(events);
    const { items, length } = this.events;
    while (this.registers[AT] < length) {
      const event = items[this.registers[AT]];
      const op = event & 0xff;
      if (op > UNDO) {
        this.apply(event);
        continue;
      }
      if (this.steps === this.checkpoints.length * EVERY) this.checkpoints.push(this.snapshot());
      const { backtracks, deadEnds } = this;
      this.history.begin(this, op, op === UNDO && this.kinds[event >>> 16] === GUESS);
      this.apply(event);
      const failed = this.backtracks > backtracks ? IS_BACKTRACK : 0;
      this.history.end(this, op, this.deadEnds > deadEnds ? IS_DEAD_END : failed);
    }
    this.total = this.steps;
  }

  /** All arrays that change with a step. */
  get parts() {
    return [this.registers, this.removed, this.tries, this.changed, this.depths, this.board,
      this.kinds, this.guessedCells];
  }

  /** These arrays in one buffer. */
  snapshot() {
    const { parts } = this;
    const bytes = new Uint8Array(parts.reduce((sum, part) => sum + part.byteLength, 0));
    let at = 0;
    for (const part of parts) {
      bytes.set(new Uint8Array(part.buffer), at);
      at += part.byteLength;
    }
    return bytes.buffer;
  }

  /** @param {ArrayBuffer} kept */
  restore(kept) {
    let at = 0;
    for (const part of this.parts) {
      new Uint8Array(part.buffer).set(new Uint8Array(kept, at, part.byteLength));
      at += part.byteLength;
    }
  }

  /**
   * Set the state to that after `step` steps (0..total) and the inference after them.
   * @param {number} step
   */
  seek(step) {
    const wanted = Math.max(0, Math.min(step, this.total));
    if (wanted < this.steps || wanted - this.steps > EVERY) {
      const nearest = Math.min(Math.floor(wanted / EVERY), this.checkpoints.length - 1);
      if (nearest >= 0 && (wanted < this.steps || nearest * EVERY > this.steps)) {
        this.restore(this.checkpoints[nearest]);
        this.forget();
      }
    }
    const { items, length } = this.events;
    while (this.registers[AT] < length) {
      const event = items[this.registers[AT]];
      if ((event & 0xff) <= UNDO && this.steps >= wanted) break;
      this.apply(event);
    }
  }

  /** Reset the measured durations of values. */
  forget() {
    this.stood.fill(0);
    this.since.fill(this.steps);
  }

  /**
   * Apply one event.
   * @param {number} event
   */
  apply(event) {
    const { registers, board, kinds } = this;
    const op = event & 0xff;
    const cell = event >>> 16;
    let value = (event >>> 8) & 0xff;
    registers[AT] += 1;
    if (op === ELIMINATE) {
      this.removed[cell] |= 1 << (value - 1);
      return;
    }
    if (op === RESTORE) {
      this.removed[cell] &= ~(1 << (value - 1));
      return;
    }
    if (op > RESTORE) {
      if (op === RESTART) {
        registers[RESTARTING] = 1;
        registers[RESTARTS] += 1;
      } else if (op === LEARN) registers[NOGOODS] += 1;
      else if (op === PROBE) registers[PROBES] += 1;
      return;
    }
    const step = registers[STEPS];
    this.stood[cell * (this.geometry.size + 1) + board[cell]] += step - this.since[cell];
    this.since[cell] = step;
    if (op === UNDO) {
      if (registers[RESTARTING]) registers[RESTARTING] = 2;
      value = board[cell];
      if (kinds[cell] === GUESS) {
        if (!registers[SOLVED_HERE] && !registers[RESTARTING]) {
          registers[registers[CHILD_UNDONE] ? BACKTRACKS : DEAD_ENDS] += 1;
        }
        registers[CHILD_UNDONE] = 1;
        registers[SOLVED_HERE] = 0;
        registers[DEPTH] -= 1;
      }
      kinds[cell] = OPEN;
      this.guessedCells[cell] = 0;
      board[cell] = 0;
      registers[FILLED] -= 1;
      registers[UNDOS] += 1;
    } else {
      const others = op === GUESS ? this.candidates(cell) & ~(1 << (value - 1)) : 0;
      this.guessedCells[cell] = others ? 1 : 0;
      if (others) registers[GUESSED] += 1;
      board[cell] = value;
      kinds[cell] = op;
      this.tries[cell] += 1;
      registers[RESTARTING] = 0;
      if (op === GUESS) {
        registers[CHILD_UNDONE] = 0;
        registers[SOLVED_HERE] = 0;
        registers[DECISIONS] += 1;
        registers[DEPTH] += 1;
      }
      this.depths[cell] = registers[DEPTH];
      registers[FILLED] += 1;
      if (registers[FILLED] === board.length && !this.geometry.conflicts(board)) {
        registers[SOLVED_HERE] = 1;
        registers[SOLUTIONS] += 1;
      }
    }
    this.changed[cell] = step + 1;
    registers[STEPS] = step + 1;
    registers[LAST_OP] = op;
    registers[LAST_CELL] = cell;
    registers[LAST_VALUE] = value;
  }

  /**
   * The number of steps for which a cell held each value (0 for none) since the last call.
   * @param {number} cell
   * @param {number[]} into
   */
  takeStood(cell, into) {
    const width = this.geometry.size + 1;
    this.stood[cell * width + this.board[cell]] += this.steps - this.since[cell];
    this.since[cell] = this.steps;
    for (let value = 0; value < width; value += 1) {
      into[value] = this.stood[cell * width + value];
      this.stood[cell * width + value] = 0;
    }
  }

  /**
   * The values of a cell's domain that no peer excludes, as a mask.
   * @param {number} cell
   * @param {Uint8Array} board
   */
  free(cell, board = this.board) {
    let taken = 0;
    for (const [peer, offset] of this.geometry.exclusions[cell]) {
      const value = board[peer] - offset;
      if (board[peer] && value >= 1 && value <= this.geometry.size) taken |= 1 << (value - 1);
    }
    return this.geometry.domain(cell) & ~taken;
  }

  /**
   * The candidates of a cell as a mask: the values that no peer holds and that inference has not
   * removed.
   * @param {number} cell
   */
  candidates(cell, board = this.board) {
    return this.free(cell, board) & ~this.removed[cell];
  }

  /**
   * The cells that exclude each value from a cell, ascending; an empty list if only inference
   * does.
   * @param {number} cell
   * @returns {Map<number, number[]>}
   */
  excluders(cell) {
    /** @type {Map<number, number[]>} */
    const found = new Map();
    for (let value = 1; value <= this.geometry.size; value += 1) {
      const holders = this.geometry.exclusions[cell]
        .filter(([peer, offset]) => this.board[peer] && this.board[peer] === value + offset)
        .map(([peer]) => peer);
      if (holders.length || (this.removed[cell] >>> (value - 1)) & 1) found.set(value, holders);
    }
    return found;
  }
}
