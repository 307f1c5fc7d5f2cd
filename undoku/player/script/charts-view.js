// The charts below the boards: depth, trees and solutions.

import { followPointer } from "./chart-pointer.js";
import { DepthChart } from "./depth-chart.js";
import { element, put } from "./elements.js";
import { SolutionsChart } from "./solutions-chart.js";
import { visible } from "./texts.js";
import { TreeChart } from "./tree-chart.js";

/** @typedef {import("./chart-canvas.js").Palette} Palette */
/** @typedef {import("./content.js").Content} Content */
/** @typedef {import("./player.js").Player} Player */
/** @typedef {import("./texts.js").Texts} Texts */

/** Milliseconds between two updates of the charts at high speed. */
const PAUSE = 66;

export class ChartsView {
  /**
   * @param {Content} content
   * @param {Player} player
   * @param {Texts} texts
   */
  constructor(content, player, texts) {
    this.player = player;
    this.texts = texts;
    this.drawn = 0;
    const { states } = player;
    const labels = content.searches.map((search) => visible(search.label));
    this.depth = new DepthChart(states, texts.say("player-depth-of-all"));
    this.depthEnd = element("span", { class: "axis-end" });
    const depth = element("figure", { class: "depth" },
      element("figcaption", {}, element("span", {}, texts.say("depth")), ...legend(labels),
        this.depthEnd),
      this.depth.canvas);
    this.trees = states.map((state, number) =>
      new TreeChart(state, number, texts.say("player-tree-of", { label: labels[number] })));
    const trees = element("div", { class: "trees" }, ...this.trees.map((tree, number) =>
      captioned(tree.canvas, `${texts.say("tree")} · ${labels[number]}`)));
    const goesOn = content.searches.some((search) => search.exhaustive);
    this.solutions = (goesOn ? states : []).map((state, number) =>
      new SolutionsChart(state, texts, texts.say("player-solutions-of", { label: labels[number] })));
    this.counts = this.solutions.map(() => element("span", { class: "found", dir: "auto" }));
    const solutions = element("div", { class: "solutions" },
      ...this.solutions.map((chart, number) =>
        captioned(chart.canvas, labels.length > 1 ? `${labels[number]} · ` : "",
          this.counts[number])));
    this.root = element("div", { class: "charts" }, solutions, depth, trees);
    followPointer(this.depth.canvas, player, (x) => this.depth.stepAt(x));
    this.trees.forEach((tree, number) =>
      followPointer(tree.canvas, player, (x, y) => player.common(number, tree.stepAt(x, y))));
    this.solutions.forEach((chart, number) =>
      followPointer(chart.canvas, player, (x) => player.common(number, chart.stepAt(x))));
  }

  /**
   * Update the visible charts; at high speed not on every frame.
   * @param {Palette} palette
   * @param {Set<string>} shown
   */
  draw(palette, shown) {
    const { player, texts } = this;
    const now = performance.now();
    if (player.blurred && now - this.drawn < PAUSE) return;
    this.drawn = now;
    const { steps, seen, longest, timeline } = player;
    if (shown.has("depth")) {
      this.depth.draw(palette, steps, seen, longest);
      put(this.depthEnd, texts.say("steps", { count: this.depth.end }));
    }
    if (shown.has("tree")) {
      const known = timeline.stepsOf(seen);
      this.trees.forEach((tree, number) => tree.draw(palette, steps[number], known[number]));
    }
    if (shown.has("solutions")) {
      this.solutions.forEach((chart, number) => {
        chart.draw(palette);
        put(this.counts[number], texts.say("solutions-found", { count: chart.state.solutions }));
      });
    }
  }
}

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

/**
 * @param {HTMLCanvasElement} canvas
 * @param {(Node | string)[]} caption
 */
function captioned(canvas, ...caption) {
  return element("figure", {},
    element("figcaption", { dir: "auto" }, element("span", {}, ...caption)), canvas);
}
