// The depth chart of all searches and the tree of each, drawn on canvases as far as the reader has
// seen them.

import { element } from "./elements.js";

/** @typedef {import("./search-state.js").SearchState} SearchState */
/** @typedef {Record<string, string>} Palette */

export const FIRST_END = 32;
export const MOST_LINKED = 400;

/**
 * Where an axis ends that has room for `count`: it doubles when it is full, and ends with the race
 * when that is known.
 * @param {number} count
 * @param {number} whole
 */
export function axisEnd(count, whole) {
  let end = FIRST_END;
  while (end <= count) end *= 2;
  return count >= whole ? Math.max(1, whole) : end;
}

/** A canvas that keeps its pixels sharp. */
class Chart {
  /** @param {string} label */
  constructor(label) {
    this.canvas = element("canvas", { role: "img", "aria-label": label });
    this.context = /** @type {CanvasRenderingContext2D} */ (this.canvas.getContext("2d"));
    this.width = 0;
    this.height = 0;
  }

  /** Begin a picture: false where the canvas has no size. */
  begin() {
    const { clientWidth, clientHeight } = this.canvas;
    const scale = Math.min(3, window.devicePixelRatio || 1);
    const wide = Math.round(clientWidth * scale);
    const high = Math.round(clientHeight * scale);
    if (this.canvas.width !== wide || this.canvas.height !== high) {
      this.canvas.width = wide;
      this.canvas.height = high;
    }
    this.width = clientWidth;
    this.height = clientHeight;
    this.context.setTransform(scale, 0, 0, scale, 0, 0);
    this.context.clearRect(0, 0, clientWidth, clientHeight);
    return clientWidth > 0 && clientHeight > 0;
  }
}

/** The lowest and the highest depth of a search in columns of equally many steps. */
class Columns {
  /** @param {SearchState} state */
  constructor(state) {
    this.state = state;
    this.end = 0;
    this.low = new Uint16Array(0);
    this.high = new Uint16Array(0);
    this.done = 0;
  }

  /**
   * Fill the columns up to step `until`.
   * @param {number} end
   * @param {number} count
   * @param {number} until
   */
  fill(end, count, until) {
    if (end !== this.end || count !== this.low.length) {
      this.end = end;
      this.low = new Uint16Array(count).fill(65535);
      this.high = new Uint16Array(count);
      this.done = 0;
    }
    const { items } = this.state.depthAfter;
    const last = Math.min(until, this.state.total);
    for (let step = this.done; step <= last; step += 1) {
      const column = Math.min(count - 1, Math.floor((step * count) / end));
      if (items[step] < this.low[column]) this.low[column] = items[step];
      if (items[step] > this.high[column]) this.high[column] = items[step];
    }
    this.done = Math.max(this.done, last + 1);
  }
}

/** The depth of all searches over their steps. */
export class DepthChart extends Chart {
  /**
   * @param {SearchState[]} states
   * @param {string} label
   */
  constructor(states, label) {
    super(label);
    this.columns = states.map((state) => new Columns(state));
    this.end = FIRST_END;
  }

  /**
   * @param {Palette} palette
   * @param {number[]} steps of each search
   * @param {number} seen the furthest step that was shown
   * @param {number} longest
   */
  draw(palette, steps, seen, longest) {
    if (!this.begin()) return;
    const { context, width, height } = this;
    const end = axisEnd(seen, longest);
    this.end = end;
    const count = Math.max(1, Math.round(width));
    const states = this.columns.map((one) => one.state);
    const deepest = Math.max(1, ...states.map((state) => state.deepest));
    const top = 3;
    const scale = (height - top - 1) / deepest;
    for (let number = this.columns.length - 1; number >= 0; number -= 1) {
      const columns = this.columns[number];
      const state = columns.state;
      columns.fill(end, count, seen);
      const colour = palette[`search-${number}`];
      const until = Math.min(seen, state.total);
      const now = Math.min(width, (steps[number] / end) * width);
      const drawn = Math.min(count, Math.ceil((until / end) * count) + 1);
      context.fillStyle = colour;
      context.globalAlpha = 0.16;
      this.area(columns.high, drawn, scale);
      context.globalAlpha = 1;
      context.strokeStyle = colour;
      context.lineWidth = 1.4;
      context.lineJoin = "round";
      this.line(columns, Math.min(drawn, Math.ceil(now) + 1), scale, 0);
      context.globalAlpha = 0.35;
      this.line(columns, drawn, scale, Math.ceil(now));
      context.globalAlpha = 1;
      const y = height - 1 - state.depth * scale;
      context.beginPath();
      context.arc(Math.max(3, Math.min(width - 3, now)), Math.max(4, y), 3.2, 0, 7);
      context.fill();
    }
  }

  /**
   * @param {Uint16Array} high
   * @param {number} drawn
   * @param {number} scale
   */
  area(high, drawn, scale) {
    const { context, height } = this;
    context.beginPath();
    context.moveTo(0, height);
    let before = 0;
    for (let x = 0; x < drawn; x += 1) {
      before = high[x] || before;
      context.lineTo(x, height - 1 - before * scale);
    }
    context.lineTo(drawn, height);
    context.fill();
  }

  /**
   * @param {Columns} columns
   * @param {number} drawn
   * @param {number} scale
   * @param {number} from
   */
  line(columns, drawn, scale, from) {
    const { context, height } = this;
    context.beginPath();
    for (let x = from; x < drawn; x += 1) {
      if (columns.low[x] > columns.high[x]) continue;
      context.lineTo(x, height - 1 - columns.low[x] * scale);
      context.lineTo(x, height - 1 - columns.high[x] * scale);
    }
    context.stroke();
  }

  /**
   * The step at a place of the chart.
   * @param {number} x from the left, in pixels
   */
  stepAt(x) {
    return Math.round((Math.max(0, Math.min(this.width, x)) / Math.max(1, this.width)) * this.end);
  }
}

/** The tree of a search: nodes and links while they are few, else an icicle in order of visit. */
export class TreeChart extends Chart {
  /**
   * @param {SearchState} state
   * @param {number} number
   * @param {string} label
   */
  constructor(state, number, label) {
    super(label);
    this.state = state;
    this.number = number;
    this.end = FIRST_END;
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
    return this.state.nodeSteps.length <= MOST_LINKED;
  }

  /**
   * How many nodes there are after `step` steps of the search.
   * @param {number} step
   */
  nodesAt(step) {
    const { items, length } = this.state.nodeSteps;
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
    const parents = state.nodeParents.items;
    const depths = state.nodeDepths.items;
    if (this.places.length !== state.nodeSteps.length) this.places = treePlaces(state);
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
    const end = axisEnd(known, state.nodeSteps.length);
    const columns = Math.max(1, Math.min(Math.round(width), end));
    const rows = state.deepest + 1;
    if (end !== this.end || columns !== this.columns || this.shares.length !== columns * rows) {
      this.end = end;
      this.columns = columns;
      this.counted = 0;
      this.shares = new Uint32Array(columns * rows);
    }
    const depths = state.nodeDepths.items;
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
   * The step of the search at a place of the tree; -1 where there is nothing.
   * @param {number} x
   * @param {number} y
   */
  stepAt(x, y) {
    if (!this.linked) {
      const node = Math.floor((x / Math.max(1, this.width)) * this.end);
      const last = this.counted - 1;
      return this.state.nodeSteps.items[Math.max(0, Math.min(node, last))];
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
    return nearest < 0 ? -1 : this.state.nodeSteps.items[nearest];
  }
}

/**
 * Where the nodes of a tree stand, from 0 on: leaves side by side in the order of their visit, each
 * parent in the middle above its children.
 * @param {SearchState} state
 * @returns {number[]}
 */
export function treePlaces(state) {
  const count = state.nodeSteps.length;
  const parents = state.nodeParents.items;
  /** @type {number[][]} */
  const children = Array.from({ length: count }, () => []);
  for (let node = 1; node < count; node += 1) children[parents[node]].push(node);
  const places = new Array(count).fill(0);
  let free = 0;
  /** @type {[number, number][]} */
  const path = [[0, 0]];
  while (path.length) {
    const top = path[path.length - 1];
    const [node, at] = top;
    if (at < children[node].length) {
      top[1] += 1;
      path.push([children[node][at], 0]);
      continue;
    }
    const own = children[node];
    places[node] = own.length ? (places[own[0]] + places[own[own.length - 1]]) / 2 : free++;
    path.pop();
  }
  return places;
}

/**
 * The nodes from the root to the one that the search is in after `step` steps.
 * @param {SearchState} state
 * @param {number} now how many nodes there are
 * @param {number} step
 */
function currentPath(state, now, step) {
  const depth = state.depthAfter.items[Math.min(step, state.total)];
  const { nodeDepths, nodeParents } = state;
  let node = now - 1;
  while (node > 0 && nodeDepths.items[node] > depth) node = nodeParents.items[node];
  const found = new Set([0]);
  for (; node > 0; node = nodeParents.items[node]) found.add(node);
  return found;
}
