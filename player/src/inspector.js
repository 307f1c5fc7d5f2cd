// The cell that a reader points at or walks to, and what is told of it.

import { aboutCell, CellCard } from "./cell-card.js";

/** @typedef {import("./search-view.js").SearchView} SearchView */
/** @typedef {import("./texts.js").Texts} Texts */

/** Events: "change" when other cells are marked. */
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
    if (this.at && this.at.view !== view) this.at.view.board.blame([]);
    this.at = cell < 0 ? null : { view, cell };
    if (cell < 0) {
      view.board.blame([]);
      this.card.hide();
    }
    this.dispatchEvent(new Event("change"));
  }

  /**
   * Tell of the cell as its search stands; nothing while steps are too fast (`slow` is false).
   * Returns what screen readers are to say: where the cell has the focus.
   * @param {boolean} slow
   */
  show(slow) {
    if (!this.at) return "";
    const { view, cell } = this.at;
    if (!slow) {
      this.card.hide();
      view.board.blame([]);
      return "";
    }
    const { lines, blamed } = aboutCell(view.state, cell, this.texts);
    const before = [...view.board.blamed].join();
    view.board.blame(blamed);
    if (before !== [...view.board.blamed].join()) this.dispatchEvent(new Event("change"));
    const place = view.board.cells[cell];
    this.card.show(lines, place);
    return document.activeElement === place ? lines.join(". ") : "";
  }
}
