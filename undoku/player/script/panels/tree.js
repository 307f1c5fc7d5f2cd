// The tree of a search, up to the step that the reader has seen.

import { captioned, Chart } from "../chart-canvas.js";
import { followPointer } from "../chart-pointer.js";
import { element } from "../elements.js";
import { addPanel } from "../panels.js";
import { visible } from "../texts.js";
import { currentPath, treePlaces } from "../tree-places.js";

/** @typedef {import("../chart-canvas.js").Palette} Palette */
/** @typedef {import("../search-state.js").SearchState} SearchState */

/** Trees of up to this number of nodes are shown by default. */
const SMALL_TREE = 120;

addPanel({
  name: "tree",
  rank: 600,
  usual: ({ panels, searches }) =>
    !panels.length && searches.every((search) => search.nodes <= SMALL_TREE),
  chart: ({ searches }, player, texts) => {
    const labels = searches.map((search) => visible(search.label));
    const trees = player.states.map((state, number) =>
      new TreeChart(state, number, texts.say("player-tree-of", { label: labels[number] })));
    trees.forEach((tree, number) =>
      followPointer(tree.canvas, player, (x, y) => player.common(number, tree.stepAt(x, y))));
    return {
      root: element("div", { class: "trees" }, ...trees.map((tree, number) =>
        captioned(tree.canvas, `${texts.say("tree")} · ${labels[number]}`))),
      draw: (palette) => {
        const known = player.timeline.stepsOf(player.seen);
        trees.forEach((tree, number) => tree.draw(palette, player.steps[number], known[number]));
      },
    };
  },
});

/** Trees with more nodes are icicle plots. */
const MAX_LINKED = 400;

/** The tree of a search: nodes and links if they are few, else an icicle plot in order of visits. */
class TreeChart extends Chart {
  /**
   * @param {SearchState} state
   * @param {number} number
   * @param {string} label
   */
  constructor(state, number, label) {
    super(label);
    this.state = state;
    this.number = number;
    this.end = 1;
    /** @type {number[]} */
    this.places = [];
    /** @type {{x: number, y: number, node: number}[]} */
    this.dots = [];
    this.counted = 0;
    this.shares = new Uint32Array(0);
    this.columns = 0;
  }

  /** Whether all nodes of the tree are shown. */
  get linked() {
    return this.state.history.nodeSteps.length <= MAX_LINKED;
  }

  /**
   * The number of nodes after `step` steps of the search.
   * @param {number} step
   */
  nodesAt(step) {
    const { items, length } = this.state.history.nodeSteps;
    let low = 0;
    let high = length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (items[middle] <= step) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /**
   * @param {Palette} palette
   * @param {number} step of the search
   * @param {number} seen
   */
  draw(palette, step, seen) {
    if (!this.begin()) return;
    if (this.linked) this.drawLinks(palette, step, seen);
    else this.drawIcicle(palette, step, seen);
  }

  /**
   * @param {Palette} palette
   * @param {number} step
   * @param {number} seen
   */
  drawLinks(palette, step, seen) {
    const { context, width, height, state } = this;
    const parents = state.history.nodeParents.items;
    const depths = state.history.nodeDepths.items;
    if (this.places.length !== state.history.nodeSteps.length) this.places = treePlaces(state);
    const widest = Math.max(1, ...this.places);
    const pad = 6;
    const across = Math.min(16, (width - 2 * pad) / widest);
    const down = Math.min(22, (height - 2 * pad) / Math.max(1, state.deepest));
    const left = (width - across * widest) / 2;
    const x = (/** @type {number} */ node) => left + this.places[node] * across;
    const y = (/** @type {number} */ node) => pad + depths[node] * down;
    const now = this.nodesAt(step);
    const known = this.nodesAt(Math.min(seen, state.total));
    const path = currentPath(state, now, step);
    context.lineWidth = 1.2;
    for (let node = 1; node < known; node += 1) {
      const onPath = path.has(node);
      context.strokeStyle = onPath ? palette[`search-${this.number}`] : palette["muted"];
      context.globalAlpha = node < now ? (onPath ? 1 : 0.55) : 0.18;
      context.beginPath();
      context.moveTo(x(parents[node]), y(parents[node]));
      context.lineTo(x(node), y(node));
      context.stroke();
    }
    this.dots = [];
    const radius = Math.max(1.4, Math.min(4, across * 0.36, down * 0.36));
    for (let node = 0; node < known; node += 1) {
      const onPath = path.has(node);
      context.globalAlpha = node < now ? 1 : 0.25;
      context.fillStyle = onPath ? palette[`search-${this.number}`] : palette["muted"];
      context.beginPath();
      context.arc(x(node), y(node), onPath ? radius + 0.8 : radius, 0, 7);
      context.fill();
      this.dots.push({ x: x(node), y: y(node), node });
    }
    context.globalAlpha = 1;
  }

  /**
   * @param {Palette} palette
   * @param {number} step
   * @param {number} seen
   */
  drawIcicle(palette, step, seen) {
    const { context, width, height, state } = this;
    const known = this.nodesAt(Math.min(seen, state.total));
    const end = state.history.nodeSteps.length;
    const columns = Math.max(1, Math.min(Math.round(width), end));
    const rows = state.deepest + 1;
    if (end !== this.end || columns !== this.columns || this.shares.length !== columns * rows) {
      this.end = end;
      this.columns = columns;
      this.counted = 0;
      this.shares = new Uint32Array(columns * rows);
    }
    const depths = state.history.nodeDepths.items;
    for (; this.counted < known; this.counted += 1) {
      const column = Math.min(columns - 1, Math.floor((this.counted * columns) / end));
      this.shares[column * rows + depths[this.counted]] += 1;
    }
    const now = this.nodesAt(step);
    const nowColumn = (now / end) * columns;
    const high = height / rows;
    const wide = width / columns;
    const each = end / columns;
    context.fillStyle = palette[`search-${this.number}`];
    const last = Math.min(columns, Math.ceil((known / end) * columns));
    for (let column = 0; column < last; column += 1) {
      let below = 0;
      const strength = column <= nowColumn ? 1 : 0.3;
      for (let row = rows - 1; row >= 0; row -= 1) {
        below += this.shares[column * rows + row];
        if (!below) continue;
        context.globalAlpha = strength * Math.min(1, 0.15 + (0.85 * below) / each);
        context.fillRect(column * wide, row * high, wide + 0.3, Math.max(1, high - 0.3));
      }
    }
    context.globalAlpha = 1;
    context.fillStyle = palette["text"];
    context.fillRect(Math.min(width - 1.5, nowColumn * wide), 0, 1.5, height);
  }

  /**
   * The step of the search at a position in the tree; -1 if there is nothing.
   * @param {number} x
   * @param {number} y
   */
  stepAt(x, y) {
    if (!this.linked) {
      const node = Math.floor((x / Math.max(1, this.width)) * this.end);
      const last = this.counted - 1;
      return this.state.history.nodeSteps.items[Math.max(0, Math.min(node, last))];
    }
    let nearest = -1;
    let least = 18 ** 2;
    for (const dot of this.dots) {
      const far = (dot.x - x) ** 2 + (dot.y - y) ** 2;
      if (far < least) {
        least = far;
        nearest = dot.node;
      }
    }
    return nearest < 0 ? -1 : this.state.history.nodeSteps.items[nearest];
  }
}
