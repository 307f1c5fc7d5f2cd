// The visible panels: those of the film, or those that the reader has chosen.

/** @typedef {import("./content.js").Content} Content */

const PANELS = ["solutions", "depth", "tree", "why", "code", "candidates", "counters", "heat"];

/** Trees of up to this number of nodes are shown by default. */
const SMALL_TREE = 120;

/** Events: "change" when the visible panels change. */
export class PanelChoice extends EventTarget {
  /** @param {Content} content */
  constructor(content) {
    super();
    const missing = new Set([
      ...(content.searches.some((search) => search.exhaustive) ? [] : ["solutions"]),
      ...(content.code.length ? [] : ["code"]),
    ]);
    /** The names of the panels that this film has. */
    this.names = PANELS.filter((name) => !missing.has(name));
    this.shown = new Set(this.names.filter((name) => usual(content).includes(name)));
    this.usual = [...this.shown].join();
  }

  /** The names for the address; null for the default panels. */
  get addressNames() {
    const names = this.names.filter((name) => this.shown.has(name));
    return names.join() === this.usual ? null : names;
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
 * The default panels of a film.
 * @param {Content} content
 */
function usual({ panels, heat, searches }) {
  const small = searches.every((search) => search.nodes <= SMALL_TREE);
  const asked = panels.length ? panels
    : ["solutions", "depth", "why", ...(small ? ["tree"] : [])];
  return [...asked, "candidates", ...(heat ? ["heat"] : [])];
}
