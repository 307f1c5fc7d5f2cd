// Arranges the boards in the space that the page has for them.

import { element } from "./elements.js";
import { arranged, spotlit } from "./layout.js";

/** @typedef {import("./layout.js").Column} Column */
/** @typedef {import("./search-view.js").SearchView} SearchView */

/** The widths of names beside boards, and the gap between a name and its board. */
const BESIDE = [152, 210, 280, 340];
const SIDE_GAP = 16;

/** In pages narrower than this, names are above boards. */
const NARROW = 560;

/** With more boards than this, names are smaller and there are no reasons below boards. */
const MANY = 3;

/** The height of the bar below the board of a story, and that of a sentence below the bar. */
const BAR = 54;
const SENTENCE = 54;

/** The gap between searches of which one has a board, and the least side of that board. */
const ONE_GAP = 4;
const MIN_ONE = 200;

/** Pages lower than this with at most so many boards have everything beside the boards. */
export const LOW = 480;
const MOST_LOW = 2;
const LOW_COLUMN = 128;

/** The gap above a part of a panel, in pixels. */
const PART_GAP = 6;

/** Whether the page has room for one board only, as on a phone upright. */
export function hasRoomForOne() {
  return innerWidth < NARROW && innerWidth < innerHeight;
}

/**
 * Whether the page is so low that everything is beside the boards, as on a phone on its side.
 * @param {number} count of boards
 */
function hasRoomBesides(count) {
  return innerHeight < LOW && innerWidth > innerHeight && count <= MOST_LOW;
}

/**
 * Set the side of each board; `large` is the search whose board is enlarged, null for none.
 * @param {HTMLElement} root
 * @param {HTMLElement} boards
 * @param {SearchView[]} views
 * @param {number | null} large
 */
export function arrange(root, boards, views, large) {
  const count = views.length;
  const many = count > MANY;
  const low = hasRoomBesides(count);
  // The space for the boards depends on what the page was last arranged as.
  root.classList.remove("tight");
  root.classList.toggle("many", many);
  root.classList.toggle("low", low);
  boards.classList.remove("spotlit", "solo");
  const { clientWidth, clientHeight } = boards;
  if (!clientWidth) return;
  views.forEach((view, number) => {
    view.root.classList.remove("small");
    view.enlarge?.setAttribute("aria-pressed", String(number === large));
  });
  if (large !== null && hasRoomForOne()) {
    arrangeOne(root, boards, views, large);
    return;
  }
  if (low) {
    arrangeLow(root, boards, views, large);
    return;
  }
  const story = root.classList.contains("story");
  const own = story ? BAR + (root.classList.contains("tells") ? SENTENCE : 0) : many ? 30 : 34;
  const below = own + Math.max(...views.map(roomOfParts));
  const measure = new Measure(root, views);
  const named = story && !root.classList.contains("with-counters");
  const columns = innerWidth < NARROW || named ? [] : measure.columns();
  const headOf = (/** @type {number} */ side) => measure.head(side) + SIDE_GAP / 2;
  const found = arranged(count, clientWidth, clientHeight,
    { below, headOf, beside: columns });
  root.classList.toggle("beside", found.beside !== null);
  root.classList.toggle("dense", found.beside?.dense === true);
  root.classList.toggle("tight", found.tight);
  boards.style.setProperty("--columns", String(found.columns));
  boards.classList.toggle("spotlit", large !== null);
  const wide = found.beside?.wide ?? 0;
  boards.style.setProperty("--wide", `${wide - SIDE_GAP}px`);
  const head = found.beside ? 0 : headOf(found.side);
  const lit = large === null ? { large: 0, small: 0 }
    : spotlit(count, clientWidth, clientHeight, { head, below, wide });
  measure.end();
  views.forEach((view, number) => {
    const side = large === null ? found.side : number === large ? lit.large : lit.small;
    view.root.classList.toggle("small", large !== null && number !== large);
    view.root.style.setProperty("--side", `${side}px`);
  });
}

/**
 * Show boards as high as the page, and names, bars and sentences beside them.
 * @param {HTMLElement} root
 * @param {HTMLElement} boards
 * @param {SearchView[]} views
 * @param {number | null} large
 */
function arrangeLow(root, boards, views, large) {
  root.classList.remove("beside", "dense");
  boards.style.setProperty("--columns", String(views.length));
  boards.style.setProperty("--wide", `${LOW_COLUMN}px`);
  const room = boards.clientWidth - views.length * (LOW_COLUMN + 2 * SIDE_GAP);
  views.forEach((view, number) => {
    const share = large === null ? 1 / views.length : number === large ? 0.7 : 0.3;
    const side = Math.max(0, Math.floor(Math.min(boards.clientHeight - PART_GAP, room * share)));
    view.root.style.setProperty("--side", `${side}px`);
  });
}

/**
 * Show the board of search `large`, as large as there is room for, and of the others the names.
 * @param {HTMLElement} root
 * @param {HTMLElement} boards
 * @param {SearchView[]} views
 * @param {number} large
 */
function arrangeOne(root, boards, views, large) {
  root.classList.remove("beside", "dense");
  boards.classList.add("solo");
  views.forEach((view, number) => {
    view.root.classList.toggle("small", number !== large);
    view.root.style.setProperty("--side", `${boards.clientWidth}px`);
  });
  const around = views.reduce((sum, { root: one }) => sum + one.offsetHeight + ONE_GAP, 0)
    - views[large].board.root.offsetHeight;
  const room = boards.clientHeight - around;
  const side = Math.max(MIN_ONE, Math.min(boards.clientWidth, room));
  root.classList.toggle("tight", side > room);
  views[large].root.style.setProperty("--side", `${side}px`);
}

/**
 * The height of the parts of panels below a board.
 * @param {SearchView} view
 */
function roomOfParts(view) {
  const shown = view.parts.filter((part) => part.root.getClientRects().length);
  return shown.reduce((sum, { root, room }) => sum + (room ?? root.offsetHeight + PART_GAP), 0);
}

/**
 * Measures the height of names and counters at a given width. It uses copies of them, because
 * changing the originals would make the browser lay out the whole page again.
 */
class Measure {
  /**
   * @param {HTMLElement} root
   * @param {SearchView[]} views
   */
  constructor(root, views) {
    this.kind = [...root.classList].filter((name) => !["beside", "dense"].includes(name)).join(" ");
    this.views = views;
    this.place = element("div", { class: "measure", "aria-hidden": "true" });
    this.above = this.copies("");
    document.body.append(this.place);
  }

  /** @param {string} kind */
  copies(kind) {
    const made = this.views.map((view) => {
      const search = element("div", { class: "search" }, view.side.cloneNode(true));
      search.style.display = "block";
      return search;
    });
    this.place.append(element("div", { class: `${this.kind} ${kind}` }, ...made));
    return made;
  }

  /** @param {number} side of the boards below */
  head(side) {
    for (const copy of this.above) copy.style.width = `${side}px`;
    return Math.max(...this.above.map((copy) => copy.offsetHeight));
  }

  /**
   * The possible columns beside a board, the preferred ones first.
   * @returns {Column[]}
   */
  columns() {
    const wanted = ["beside", "beside dense"].flatMap((kind) =>
      BESIDE.map((wide) => {
        const copies = this.copies(kind);
        for (const copy of copies) copy.style.width = `${wide}px`;
        return { wide: wide + SIDE_GAP, copies, dense: kind !== "beside" };
      }));
    return wanted.map(({ wide, copies, dense }) =>
      ({ wide, dense, high: Math.max(...copies.map((copy) => copy.offsetHeight)) }));
  }

  end() {
    this.place.remove();
  }
}
