// The tree of a search, up to the step that the reader has seen.

import { captioned, Chart } from "../chart-canvas.js";
import { followPointer } from "../chart-pointer.js";
import { element } from "../elements.js";
import { addPanel } from "../panels.js";
import { visible } from "../texts.js";

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
    const most = Math.max(...searches.map((search) => search.nodes));
    const deepest = Math.max(1, ...searches.map((search) => search.deepest));
    const trees = player.states.map((state, number) => new TreeChart(
      state, number, texts.say("player-tree-of", { label: labels[number] }), most, deepest));
    trees.forEach((tree, number) =>
      followPointer(tree.canvas, player, (x) => player.common(number, tree.stepAt(x))));
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

const PAD = 6;
const MOST_ACROSS = 16;

/**
 * The branches of a search tree, from the top down and from left to right in the order in which
 * nodes were created, on the same scale for all searches. Equal numbers of nodes share a column.
 */
class TreeChart extends Chart {
  /**
   * @param {SearchState} state
   * @param {number} number
   * @param {string} label
   * @param {number} most the nodes of the largest tree
   * @param {number} deepest of all searches
   */
  constructor(state, number, label, most, deepest) {
    super(label);
    this.state = state;
    this.number = number;
    this.most = most;
    this.deepest = deepest;
    this.size = "";
    this.branches = new Path2D();
    /** @type {Set<string>} */
    this.drawn = new Set();
    this.counted = 1;
    this.perColumn = 1;
    this.across = 1;
    this.down = 1;
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

  /** @param {number} node */
  column(node) {
    return Math.floor(node / this.perColumn);
  }

  /**
   * Add the branch to a node.
   * @param {Path2D} branches
   * @param {number} node
   */
  add(branches, node) {
    const { nodeParents, nodeDepths } = this.state.history;
    const from = this.column(nodeParents.items[node]);
    const depth = nodeDepths.items[node];
    branches.moveTo(PAD + from * this.across, PAD + (depth - 1) * this.down);
    branches.lineTo(PAD + this.column(node) * this.across, PAD + depth * this.down);
  }

  /**
   * Add the branches to all nodes before `known`; those of two columns and one depth only once.
   * @param {number} known
   */
  grow(known) {
    const { nodeParents, nodeDepths } = this.state.history;
    for (; this.counted < known; this.counted += 1) {
      const column = this.column(this.counted);
      const isSame = column === this.column(nodeParents.items[this.counted]);
      const branch = `${column} ${nodeDepths.items[this.counted]} ${isSame}`;
      if (!this.drawn.has(branch)) this.add(this.branches, this.counted);
      this.drawn.add(branch);
    }
  }

  /**
   * @param {Palette} palette
   * @param {number} step of the search
   * @param {number} seen
   */
  draw(palette, step, seen) {
    if (!this.begin()) return;
    const { context, width, height, state } = this;
    const inner = Math.max(1, width - 2 * PAD);
    const size = `${width} ${height}`;
    if (size !== this.size) {
      this.size = size;
      this.perColumn = Math.ceil(this.most / inner);
      this.across = Math.min(MOST_ACROSS, inner / Math.max(1, this.column(this.most - 1)));
      this.down = (height - 2 * PAD) / this.deepest;
      this.branches = new Path2D();
      this.drawn.clear();
      this.counted = 1;
    }
    const known = this.nodesAt(Math.min(seen, state.total));
    this.grow(known);
    const now = this.nodesAt(step);
    context.lineWidth = 1.2;
    context.strokeStyle = palette["muted"];
    context.globalAlpha = 0.18;
    context.stroke(this.branches);
    context.save();
    context.beginPath();
    context.rect(0, 0, PAD + (this.column(now - 1) + 0.5) * this.across, height);
    context.clip();
    context.globalAlpha = 0.55;
    context.stroke(this.branches);
    context.restore();
    const path = new Path2D();
    for (const node of currentPath(state, now, step)) this.add(path, node);
    context.globalAlpha = 1;
    context.lineWidth = 2;
    context.strokeStyle = palette[`search-${this.number}`];
    context.stroke(path);
  }

  /**
   * The step of the search at a position in the tree.
   * @param {number} x
   */
  stepAt(x) {
    const node = Math.round((x - PAD) / this.across) * this.perColumn;
    const { items } = this.state.history.nodeSteps;
    return items[Math.max(0, Math.min(node, this.counted - 1))];
  }
}

/**
 * The nodes from the current one after `step` steps up to the root, without the root.
 * @param {SearchState} state
 * @param {number} now how many nodes there are
 * @param {number} step
 */
function currentPath(state, now, step) {
  const depth = state.history.depthAfter.items[Math.min(step, state.total)];
  const { nodeDepths, nodeParents } = state.history;
  const found = [];
  for (let node = now - 1; node > 0; node = nodeParents.items[node]) {
    if (nodeDepths.items[node] <= depth) found.push(node);
  }
  return found;
}
