// Computes the largest size of the boards for which there is room in the page.

/**
 * A column of names and counters beside a board: its width with the gap, its height, and whether its
 * counters are small.
 * @typedef {{wide: number, high: number, dense: boolean}} Column
 */

/**
 * The side of boards, the number of boards in a row, the column of names beside them (null: names
 * are above them), and whether the page must scroll because there is not enough room.
 * @typedef {{side: number, columns: number, beside: Column | null, tight: boolean}} Arrangement
 */

/**
 * The space around a board: the height `below` it, the height above it as a function of the board's
 * side, and the possible columns beside it, the preferred ones first.
 * @typedef {{below: number, headOf: (side: number) => number, beside: Column[]}} Surroundings
 */

const BETWEEN = 20;
const MARGIN = 12;
const MIN_SIDE = 132;
const SMALL_SHARE = 0.42;

/** The factor by which a less preferred arrangement must enlarge the boards. */
const WORTH = 1.06;

/** Iterations to find a board's side, on whose width the height of its head depends. */
const ROUNDS = 3;

/**
 * The arrangement of `count` boards in an area that makes them largest.
 * @param {number} count
 * @param {number} width
 * @param {number} height
 * @param {Surroundings} around
 * @returns {Arrangement}
 */
export function arranged(count, width, height, { below, headOf, beside }) {
  /** @type {{side: number, columns: number, beside: Column | null}} */
  let best = { side: 0, columns: Math.min(2, count), beside: null };
  for (let columns = 1; columns <= count; columns += 1) {
    const rows = Math.ceil(count / columns);
    const room = (width - BETWEEN * (columns - 1)) / columns;
    const high = height / rows - below - MARGIN;
    for (const column of beside) {
      const side = column.high <= high ? Math.floor(Math.min(room - column.wide, high)) : 0;
      if (side > best.side * (best.beside && columns === best.columns ? WORTH : 1)) {
        best = { side, columns, beside: column };
      }
    }
    const above = belowItsHead(Math.min(room, high), high, headOf);
    if (above > best.side * (best.beside ? WORTH : 1)) {
      best = { side: above, columns, beside: null };
    }
  }
  if (best.side >= MIN_SIDE) return { ...best, tight: false };
  const columns = Math.max(1, Math.min(2, count, Math.floor((width + BETWEEN) / MIN_SIDE)));
  const side = Math.floor((width - BETWEEN * (columns - 1)) / columns);
  return { side, columns, beside: null, tight: true };
}

/**
 * The side of a board with its head above it; the head of a narrower board is higher.
 * @param {number} most
 * @param {number} high of both
 * @param {(side: number) => number} headOf
 */
function belowItsHead(most, high, headOf) {
  let side = Math.floor(most);
  for (let round = 0; round < ROUNDS && side >= MIN_SIDE; round += 1) {
    const next = Math.floor(Math.min(side, high - headOf(side)));
    if (next === side) return side;
    side = next;
  }
  return side >= MIN_SIDE && headOf(side) + side <= high ? side : 0;
}

/**
 * The sides of one large board and of the other, small boards, side by side. `head` is the height
 * above a board; 0 if its name is beside it, `wide` pixels wide.
 * @param {number} count
 * @param {number} width
 * @param {number} height
 * @param {{head: number, below: number, wide: number}} sizes
 * @returns {{large: number, small: number}}
 */
export function spotlit(count, width, height, { head, below, wide }) {
  const others = count - 1;
  const room = width - BETWEEN * others - wide;
  const large = Math.floor(
    Math.min(height - MARGIN - below - head, room / (1 + SMALL_SHARE * others)),
  );
  const side = Math.max(MIN_SIDE, large);
  return { large: side, small: Math.floor(side * SMALL_SHARE) };
}
