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

/** The gap above a part of a panel, in pixels. */
const PART_GAP = 6;

/**
 * Set the side of each board; `large` is the search whose board is enlarged, null for none.
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
  const below = (many ? 30 : 34) + Math.max(...views.map(roomOfParts));
  const measure = new Measure(root, views);
  const columns = innerWidth < NARROW ? [] : measure.columns();
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
    view.enlarge?.setAttribute("aria-pressed", String(number === large));
  });
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
