// The panels of the page, each added by its module in panels/, and those that are shown: the panels
// of the film, or those that the reader has chosen.

/** @typedef {import("./chart-canvas.js").Palette} Palette */
/** @typedef {import("./content.js").Content} Content */
/** @typedef {import("./player.js").Player} Player */
/** @typedef {import("./search-state.js").SearchState} SearchState */
/** @typedef {import("./texts.js").Texts} Texts */

/**
 * How the film moves: whether single steps can be followed, are blurred, and follow by themselves.
 * @typedef {{slow: boolean, blurred: boolean, playing: boolean}} Pace
 */

/**
 * A part below the boards.
 * @typedef {{root: HTMLElement, draw: (palette: Palette) => void}} ChartPart
 */

/**
 * A part below the board of a search. `show` returns the text for screen readers, "" for none.
 * `room` is the height that it always takes; without it, it takes what its content needs.
 * @typedef {{root: HTMLElement, room?: number, show: (pace: Pace) => string}} BoardPart
 */

/**
 * A panel: the text `player-panel-NAME` is its name in the menu, and the page has the class
 * `with-NAME` while it is shown. Panels of a higher rank come first.
 * @typedef {object} Panel
 * @property {string} name
 * @property {number} rank
 * @property {(content: Content) => boolean} [has] whether the film has it; by default all have it
 * @property {(content: Content) => boolean} [usual] whether it is shown without being named
 * @property {(content: Content, player: Player, texts: Texts) => ChartPart} [chart]
 * @property {(content: Content, number: number, state: SearchState, texts: Texts) => BoardPart}
 *   [below] makes the part below the board of search `number`
 */

/** @type {Panel[]} */
const PANELS = [];

/** @param {Panel} panel */
export function addPanel(panel) {
  PANELS.push(panel);
}

/** Events: "change" when the visible panels change. */
export class PanelChoice extends EventTarget {
  /** @param {Content} content */
  constructor(content) {
    super();
    this.panels = PANELS.filter((panel) => panel.has?.(content) ?? true)
      .sort((one, other) => other.rank - one.rank);
    /** The names of the panels that this film has. */
    this.names = this.panels.map((panel) => panel.name);
    this.shown = new Set(this.panels
      .filter((panel) => content.panels.includes(panel.name) || panel.usual?.(content))
      .map((panel) => panel.name));
    this.usual = [...this.shown].join();
    /** @type {[string, HTMLElement][]} the names of panels and the roots of their parts */
    this.roots = [];
  }

  /**
   * The parts of the panels that have one, in their order.
   * @template {{root: HTMLElement}} Part
   * @param {(panel: Panel) => Part | undefined} make
   * @returns {Part[]}
   */
  parts(make) {
    return this.panels.flatMap((panel) => {
      const part = make(panel);
      if (!part) return [];
      this.roots.push([panel.name, part.root]);
      return [part];
    });
  }

  /**
   * Show the parts of the chosen panels alone.
   * @param {HTMLElement} page
   */
  reveal(page) {
    for (const name of this.names) page.classList.toggle(`with-${name}`, this.has(name));
    for (const [name, root] of this.roots) root.hidden = !this.has(name);
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
