// A board: its cells, and what their values exclude.

/** @typedef {import("./content.js").Board} Board */

export class Geometry {
  /** @param {Board} board */
  constructor(board) {
    this.board = board;
    this.size = board.size;
    this.cells = board.cells.length;
    this.names = board.names;
    this.units = board.units.map((unit) => unit.cells);
    this.unitNames = board.units.map((unit) => unit.name);
    this.unitKeys = board.units.map((unit) => unit.key.toLowerCase());
    this.aligned = board.units.map((unit) => !unit.shifts.length);
    this.extra = new Set(board.extra);
    this.full = 2 ** board.size - 1;
    this.givens = Uint8Array.from(board.givens);
    /** @type {number[][]} */
    this.unitsOf = Array.from({ length: this.cells }, () => []);
    /** @type {Map<string, [number, number]>[]} */
    const excluded = Array.from({ length: this.cells }, () => new Map());
    board.units.forEach(({ cells, shifts }, number) => {
      cells.forEach((cell, at) => {
        this.unitsOf[cell].push(number);
        cells.forEach((other, place) => {
          const offset = (shifts[at] ?? 0) - (shifts[place] ?? 0);
          if (other !== cell && Math.abs(offset) < this.size) {
            excluded[cell].set(`${other} ${offset}`, [other, offset]);
          }
        });
      });
    });
    /** For each cell its peers and an offset: value v excludes v + offset in the peer. */
    this.exclusions = excluded.map((pairs) =>
      [...pairs.values()].sort(([a, x], [b, y]) => a - b || x - y));
    /** Whether nothing excludes anything. */
    this.free = !board.domains.length && this.exclusions.every((pairs) => !pairs.length);
  }

  /**
   * The values that a cell may take at all, as a mask.
   * @param {number} cell
   */
  domain(cell) {
    return this.board.domains[cell] ?? this.full;
  }

  /**
   * The names of a mask of values, bit v - 1 for value v.
   * @param {number} mask
   */
  namesOf(mask) {
    return this.names.filter((_, number) => (mask >>> number) & 1);
  }

  /**
   * Whether two cells exclude each other on a full board.
   * @param {Uint8Array} board
   */
  conflicts(board) {
    return this.exclusions.some((pairs, cell) =>
      pairs.some(([peer, offset]) => board[peer] === board[cell] + offset));
  }
}
