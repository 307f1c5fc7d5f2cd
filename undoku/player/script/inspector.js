// The inspected cell, under the pointer or the focus, and its details.

import { aboutCell, CellCard } from "./cell-card.js";

/** @typedef {import("./search-view.js").SearchView} SearchView */
/** @typedef {import("./texts.js").Texts} Texts */

/** Events: "change" when the marked cells change. */
export class Inspector extends EventTarget {
  /**
   * @param {SearchView[]} views
   * @param {Texts} texts
   */
  constructor(views, texts) {
    super();
    this.texts = texts;
    this.card = new CellCard();
    /** @type {{view: SearchView, cell: number} | null} */
    this.at = null;
    for (const view of views) {
      view.board.addEventListener("inspect", (event) =>
        this.inspect(view, /** @type {CustomEvent} */ (event).detail));
    }
    document.addEventListener("keydown", (event) => {
      if (event.key === "Escape" && this.at) this.inspect(this.at.view, -1);
    });
  }

  /**
   * @param {SearchView} view
   * @param {number} cell -1 for none
   */
  inspect(view, cell) {
    if (this.at && this.at.view !== view) this.at.view.board.markExcluding([]);
    this.at = cell < 0 ? null : { view, cell };
    if (cell < 0) {
      view.board.markExcluding([]);
      this.card.hide();
    }
    this.dispatchEvent(new Event("change"));
  }

  /**
   * Show the details of the cell in the current state; nothing while steps are too fast (`slow` is
   * false). Returns the text for screen readers, if the cell has the focus.
   * @param {boolean} slow
   */
  show(slow) {
    if (!this.at) return "";
    const { view, cell } = this.at;
    if (!slow) {
      this.card.hide();
      view.board.markExcluding([]);
      return "";
    }
    const { lines, excluding } = aboutCell(view.state, cell, this.texts);
    const before = [...view.board.excluding].join();
    view.board.markExcluding(excluding);
    if (before !== [...view.board.excluding].join()) this.dispatchEvent(new Event("change"));
    const place = view.board.cells[cell];
    this.card.show(lines, place);
    return document.activeElement === place ? lines.join(". ") : "";
  }
}
