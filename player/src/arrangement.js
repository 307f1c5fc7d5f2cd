// Lays the boards out in the room that the page has for them.

import { arranged, spotlit } from "./layout.js";

/** @typedef {import("./layout.js").Column} Column */
/** @typedef {import("./search-view.js").SearchView} SearchView */

/** Widths of the names beside boards, and what is between the two. */
const BESIDE = [152, 210, 280, 340];
const SIDE_GAP = 16;

/** A side of boards at which names are measured, as good as any. */
const SMALL_BOARD = 100;

/** Pages narrower than this have names above boards. */
const NARROW = 560;

/** More boards than this have smaller names and no reasons below them. */
const MANY = 3;

/**
 * Give each board its side; `large` is the search that is shown large, null where all are alike.
 * @param {HTMLElement} root
 * @param {HTMLElement} boards
 * @param {SearchView[]} views
 * @param {number | null} large
 */
export function arrange(root, boards, views, large) {
  root.classList.remove("tight");
  const { clientWidth, clientHeight } = boards;
  if (!clientWidth) return;
  const count = views.length;
  const many = count > MANY;
  root.classList.toggle("many", many);
  boards.classList.remove("spotlit");
  for (const view of views) view.root.classList.remove("small");
  const code = Math.max(...views.map((view) => view.code?.root.offsetHeight ?? 0));
  const told = many ? 30 : root.classList.contains("with-why") ? 66 : 34;
  const below = told + (code && code + 6);
  const highest = () => Math.max(...views.map((view) => view.side.offsetHeight));
  const put = (/** @type {number} */ side, /** @type {Column | null} */ beside) => {
    root.classList.toggle("beside", beside !== null);
    root.classList.toggle("dense", beside?.dense === true);
    boards.style.setProperty("--wide", `${(beside?.wide ?? 0) - SIDE_GAP}px`);
    for (const view of views) view.root.style.setProperty("--side", `${side}px`);
  };
  // How high names and counters are depends on their width: it is measured.
  const headOf = (/** @type {number} */ side) => {
    put(side, null);
    return highest() + 8;
  };
  const beside = innerWidth < NARROW ? [] : besides().map((column) => {
    put(SMALL_BOARD, column);
    return { ...column, high: highest() };
  });
  const found = arranged(count, clientWidth, clientHeight, { below, headOf, beside });
  put(found.side, found.beside);
  root.classList.toggle("tight", found.tight);
  boards.style.setProperty("--columns", String(found.columns));
  boards.classList.toggle("spotlit", large !== null);
  const head = found.beside ? 0 : highest() + 8;
  const wide = found.beside?.wide ?? 0;
  const lit = spotlit(count, clientWidth, clientHeight, { head, below, wide });
  views.forEach((view, number) => {
    const side = large === null ? found.side : number === large ? lit.large : lit.small;
    view.root.classList.toggle("small", large !== null && number !== large);
    view.root.style.setProperty("--side", `${side}px`);
    view.enlarge?.setAttribute("aria-pressed", String(number === large));
  });
}

/**
 * The columns that may stand beside a board, the better ones first.
 * @returns {Column[]}
 */
function besides() {
  return [false, true].flatMap((dense) =>
    BESIDE.map((wide) => ({ wide: wide + SIDE_GAP, high: 0, dense })));
}
