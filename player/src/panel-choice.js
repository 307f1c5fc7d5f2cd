// Which panels are shown: those of the film, or as the reader chooses.

/** @typedef {import("./content.js").Content} Content */

const PANELS = ["solutions", "depth", "tree", "why", "code", "candidates", "counters", "heat"];

/** A tree of so few nodes is shown unless the reader chooses. */
const SMALL_TREE = 120;

/** Events: "change" when others are shown. */
export class PanelChoice extends EventTarget {
  /** @param {Content} content */
  constructor(content) {
    super();
    const missing = new Set([
      ...(content.searches.some((search) => search.exhaustive) ? [] : ["solutions"]),
      ...(content.code.length ? [] : ["code"]),
    ]);
    /** The names of those that this film has. */
    this.names = PANELS.filter((name) => !missing.has(name));
    this.shown = new Set(this.names.filter((name) => usual(content).includes(name)));
    this.usual = [...this.shown].join();
  }

  /** The names as an address says them; null where the choice is the usual one. */
  get told() {
    const told = this.names.filter((name) => this.shown.has(name));
    return told.join() === this.usual ? null : told;
  }

  /** @param {string} name */
  has(name) {
    return this.shown.has(name);
  }

  /**
   * @param {string} name
   * @param {boolean} shown
   */
  choose(name, shown) {
    if (shown) this.shown.add(name);
    else this.shown.delete(name);
    this.dispatchEvent(new Event("change"));
  }

  /** @param {string[]} names */
  replace(names) {
    this.shown = new Set(names.filter((name) => this.names.includes(name)));
    this.dispatchEvent(new Event("change"));
  }
}

/**
 * The panels of a film unless the reader chooses.
 * @param {Content} content
 */
function usual({ panels, heat, searches }) {
  const small = searches.every((search) => search.nodes <= SMALL_TREE);
  const asked = panels.length ? panels
    : ["solutions", "depth", "why", ...(small ? ["tree"] : [])];
  return [...asked, "candidates", ...(heat ? ["heat"] : [])];
}
