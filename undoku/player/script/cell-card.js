// The details of a cell: its candidates, the cells that exclude other values, the number of tries.

import { element } from "./elements.js";
import { capitalised } from "./texts.js";

/** @typedef {import("./search-state.js").SearchState} SearchState */
/** @typedef {import("./texts.js").Texts} Texts */

const MAX_NAMED = 3;

/**
 * Lines about a cell in the current state, and the cells that exclude a value from it.
 * @param {SearchState} state
 * @param {number} cell
 * @param {Texts} texts
 * @returns {{lines: string[], excluding: number[]}}
 */
export function aboutCell(state, cell, texts) {
  const { geometry } = state;
  const lines = [capitalised(geometry.board.cells[cell])];
  const symbol = (/** @type {number} */ value) => geometry.names[value - 1];
  if (geometry.givens[cell]) {
    lines.push(texts.say("player-cell-given", { value: symbol(geometry.givens[cell]) }));
    return { lines, excluding: [] };
  }
  const value = state.board[cell];
  if (value) lines.push(texts.say("player-cell-holds", { value: symbol(value) }));
  const left = geometry.namesOf(state.candidates(cell));
  lines.push(
    left.length
      ? texts.say("player-cell-candidates", { values: texts.listed(left) })
      : texts.say("player-cell-no-candidate"),
  );
  const excluding = [];
  for (const [excluded, cells] of state.excluders(cell)) {
    excluding.push(...cells);
    const name = symbol(excluded);
    if (!cells.length) lines.push(texts.say("player-cell-removed", { value: name }));
    else {
      const names = cells.slice(0, MAX_NAMED).map((one) => geometry.board.cells[one]);
      if (cells.length > MAX_NAMED) names.push("…");
      lines.push(texts.say("player-cell-excluded", { value: name, cells: names.join("; ") }));
    }
  }
  const tries = state.tries[cell];
  lines.push(tries ? texts.say("player-cell-tried", { count: tries })
    : texts.say("player-cell-never-tried"));
  if (state.changed[cell]) {
    lines.push(texts.say("player-cell-changed", { step: state.changed[cell] }));
  }
  return { lines, excluding };
}

/** The hint beside a cell. */
export class CellCard {
  constructor() {
    this.root = element("div", { class: "cell-card", role: "tooltip", id: "cell-card",
      hidden: true });
  }

  /**
   * @param {string[]} lines
   * @param {HTMLElement} cell
   */
  show(lines, cell) {
    const [first, ...rest] = lines;
    this.root.replaceChildren(element("b", {}, first),
      ...rest.map((line) => element("div", { dir: "auto" }, line)));
    this.root.hidden = false;
    const place = cell.getBoundingClientRect();
    const { offsetWidth, offsetHeight } = this.root;
    const right = place.right + 8 + offsetWidth < innerWidth;
    const left = right ? place.right + 8 : Math.max(4, place.left - offsetWidth - 8);
    const top = Math.max(4, Math.min(place.top - 4, innerHeight - offsetHeight - 4));
    this.root.style.left = `${left}px`;
    this.root.style.top = `${top}px`;
  }

  hide() {
    this.root.hidden = true;
  }
}
