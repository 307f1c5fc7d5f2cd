// The chart of depths: the depth of all searches over the steps that the reader has seen.

import { Chart } from "../chart-canvas.js";
import { followPointer } from "../chart-pointer.js";
import { element, put } from "../elements.js";
import { addPanel } from "../panels.js";
import { visible } from "../texts.js";

/** @typedef {import("../chart-canvas.js").Palette} Palette */
/** @typedef {import("../search-state.js").SearchState} SearchState */

addPanel({
  name: "depth",
  rank: 700,
  usual: ({ panels }) => !panels.length,
  chart: ({ searches }, player, texts) => {
    const chart = new DepthChart(player.states, texts.say("player-depth-of-all"));
    // Its line is there from the start: boards take what room the charts leave.
    const end = element("span", { class: "axis-end" },
      texts.say("steps", { count: Math.max(1, player.longest) }));
    const labels = searches.map((search) => visible(search.label));
    followPointer(chart.canvas, player, (x) => chart.stepAt(x));
    const caption = element("figcaption", {}, element("span", {}, texts.say("depth")),
      ...legend(labels), end);
    return {
      root: element("figure", { class: "depth" }, caption, chart.canvas),
      draw: (palette) => {
        chart.draw(palette, player.steps, player.seen, player.longest);
        put(end, texts.say("steps", { count: chart.end }));
      },
    };
  },
});

/**
 * The legend: the colour of each search.
 * @param {string[]} labels
 */
function legend(labels) {
  if (labels.length < 2) return [];
  return labels.map((label, number) => {
    const key = element("i", {});
    key.style.backgroundColor = `var(--search-${number})`;
    return element("span", { class: "key" }, key, element("bdi", {}, label));
  });
}

/** The lowest and the highest depth of a search in each column; columns have equal numbers of steps. */
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
    const { items } = this.state.history.depthAfter;
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
class DepthChart extends Chart {
  /**
   * @param {SearchState[]} states
   * @param {string} label
   */
  constructor(states, label) {
    super(label);
    this.columns = states.map((state) => new Columns(state));
    this.end = 1;
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
    const end = Math.max(1, longest);
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
   * The step at a position in the chart.
   * @param {number} x from the left, in pixels
   */
  stepAt(x) {
    return Math.round((Math.max(0, Math.min(this.width, x)) / Math.max(1, this.width)) * this.end);
  }
}
