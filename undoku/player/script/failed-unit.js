// A unit that has too few values left: undoku/render/panels/board_looks.py in JavaScript.

/** @typedef {import("./geometry.js").Geometry} Geometry */

/**
 * The first unit without shifts whose cells can't all differ any more, because fewer values are left than it has
 * cells. `open` are the candidates of empty cells, `reach` all values left for the unit. Null if
 * there is none.
 * @param {Geometry} geometry
 * @param {Uint8Array} board
 * @param {Uint32Array} open
 * @returns {{number: number, reach: number} | null}
 */
export function failedUnit(geometry, board, open) {
  for (let number = 0; number < geometry.units.length; number += 1) {
    if (!geometry.aligned[number]) continue;
    const cells = geometry.units[number];
    let reach = 0;
    for (const cell of cells) reach |= board[cell] ? 1 << (board[cell] - 1) : open[cell];
    if (bitCount(reach) < cells.length) return { number, reach };
  }
  return null;
}

/** @param {number} mask */
export function bitCount(mask) {
  let count = 0;
  for (let left = mask; left; left &= left - 1) count += 1;
  return count;
}

/**
 * For each cell of a unit of a grid, the classes of the sides that are on the unit's edge.
 * @param {Geometry} geometry
 * @param {number} unit
 * @returns {Map<number, string>}
 */
export function outlineOf(geometry, unit) {
  const { fields } = geometry.board;
  const cells = new Set(geometry.units[unit]);
  const key = (/** @type {number} */ row, /** @type {number} */ column) => `${row} ${column}`;
  const inside = new Set(fields.filter(([cell]) => cells.has(cell))
    .map(([, row, column]) => key(row, column)));
  /** @type {Map<number, string>} */
  const found = new Map();
  for (const [cell, row, column] of fields) {
    if (!cells.has(cell)) continue;
    /** @type {[string, string][]} */
    const sides = [
      ["left", key(row, column - 1)],
      ["top", key(row - 1, column)],
      ["right", key(row, column + 1)],
      ["bottom", key(row + 1, column)],
    ];
    const ends = sides.filter(([, beside]) => !inside.has(beside));
    found.set(cell, ["failed", ...ends.map(([name]) => `failed-${name}`)].join(" "));
  }
  return found;
}
