// A board: its units, and which cells share one.

/** @typedef {import("./content.js").Board} Board */

export class Geometry {
  /** @param {Board} board */
  constructor(board) {
    this.size = board.size;
    this.cells = board.size * board.size;
    this.symbols = board.symbols;
    this.units = board.units.map((unit) => unit.cells);
    this.unitNames = board.units.map((unit) => unit.name);
    this.unitKeys = board.units.map((unit) => unit.key.toLowerCase());
    this.regions = board.regions;
    this.extra = new Set(board.extra);
    this.full = 2 ** board.size - 1;
    this.givens = new Uint8Array(this.cells);
    for (let cell = 0; cell < this.cells; cell += 1) {
      this.givens[cell] = board.symbols.indexOf(board.givens[cell]) + 1;
    }
    /** @type {number[][]} */
    this.unitsOf = Array.from({ length: this.cells }, () => []);
    /** @type {Set<number>[]} */
    const together = Array.from({ length: this.cells }, () => new Set());
    this.units.forEach((cells, number) => {
      for (const cell of cells) {
        this.unitsOf[cell].push(number);
        for (const other of cells) if (other !== cell) together[cell].add(other);
      }
    });
    this.peers = together.map((cells) => [...cells].sort((a, b) => a - b));
  }

  /**
   * The row and the column of a cell, from 0.
   * @param {number} cell
   * @returns {[number, number]}
   */
  position(cell) {
    return [Math.floor(cell / this.size), cell % this.size];
  }

  /**
   * The symbols of a mask of values, bit v - 1 for value v.
   * @param {number} mask
   */
  symbolsOf(mask) {
    return [...this.symbols].filter((_, number) => (mask >>> number) & 1);
  }

  /**
   * Whether two cells of a unit hold the same value on a full board.
   * @param {Uint8Array} board
   */
  conflicts(board) {
    return this.units.some((cells) => {
      let seen = 0;
      return cells.some((cell) => {
        const bit = 1 << board[cell];
        const twice = (seen & bit) !== 0;
        seen |= bit;
        return twice;
      });
    });
  }
}
