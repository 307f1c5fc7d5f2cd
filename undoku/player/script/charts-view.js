// The charts below the boards.

import { element } from "./elements.js";

/** @typedef {import("./chart-canvas.js").Palette} Palette */
/** @typedef {import("./content.js").Content} Content */
/** @typedef {import("./panels.js").PanelChoice} PanelChoice */
/** @typedef {import("./player.js").Player} Player */
/** @typedef {import("./texts.js").Texts} Texts */

/** Milliseconds between two updates of the charts at high speed. */
const PAUSE = 66;

export class ChartsView {
  /**
   * @param {Content} content
   * @param {Player} player
   * @param {Texts} texts
   * @param {PanelChoice} panels
   */
  constructor(content, player, texts, panels) {
    this.player = player;
    this.drawn = 0;
    this.parts = panels.parts((panel) => panel.chart?.(content, player, texts));
    this.root = element("div", { class: "charts" }, ...this.parts.map((part) => part.root));
  }

  /**
   * Update the visible charts; at high speed not on every frame.
   * @param {Palette} palette
   */
  draw(palette) {
    const now = performance.now();
    if (this.player.blurred && now - this.drawn < PAUSE) return;
    this.drawn = now;
    for (const part of this.parts) if (!part.root.hidden) part.draw(palette);
  }
}
