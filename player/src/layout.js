// Gives the boards the largest size that the page has room for.

/**
 * The side of boards, how many stand beside each other, whether their names stand beside them, and
 * whether there is too little room, so that the page must scroll.
 * @typedef {{side: number, columns: number, beside: boolean, tight: boolean}} Arrangement
 */

const BETWEEN = 20;
const MARGIN = 12;
const SMALLEST = 132;
const SMALL_SHARE = 0.42;

/**
 * The arrangement of `count` boards in an area in which they are largest. `head` and `below` are
 * the heights of what stands above a board and below it, `wide` the width of what stands beside it.
 * @param {number} count
 * @param {number} width
 * @param {number} height
 * @param {{head: number, below: number, wide: number}} sizes
 * @returns {Arrangement}
 */
export function arranged(count, width, height, { head, below, wide }) {
  let best = { side: 0, columns: Math.min(2, count), beside: false };
  for (let columns = 1; columns <= count; columns += 1) {
    const rows = Math.ceil(count / columns);
    const room = (width - BETWEEN * (columns - 1)) / columns;
    const high = height / rows - below - MARGIN;
    const beside = Math.floor(Math.min(room - wide, high));
    const above = Math.floor(Math.min(room, high - head));
    if (above > best.side) best = { side: above, columns, beside: false };
    if (beside >= best.side) best = { side: beside, columns, beside: true };
  }
  if (best.side >= SMALLEST) return { ...best, tight: false };
  const columns = Math.max(1, Math.min(2, count, Math.floor((width + BETWEEN) / SMALLEST)));
  const side = Math.floor((width - BETWEEN * (columns - 1)) / columns);
  return { side, columns, beside: false, tight: true };
}

/**
 * The sides of boards of which one is large and the others are small, side by side.
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
    Math.min(height - MARGIN - below - (wide ? 0 : head), room / (1 + SMALL_SHARE * others)),
  );
  const side = Math.max(SMALLEST, large);
  return { large: side, small: Math.floor(side * SMALL_SHARE) };
}
