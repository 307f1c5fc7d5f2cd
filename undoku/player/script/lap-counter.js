// The number of laps: how often the longest search has done the steps of another one.

import { element, put } from "./elements.js";
import { visible } from "./texts.js";

/** @typedef {import("./content.js").LapsContent} LapsContent */
/** @typedef {import("./texts.js").Texts} Texts */

export class LapCounter {
  /**
   * @param {LapsContent | null} laps
   * @param {Texts} texts
   */
  constructor(laps, texts) {
    this.laps = laps;
    this.texts = texts;
    this.number = element("b", {});
    this.root = element("div", { class: "laps", dir: "auto", hidden: true }, this.number,
      element("span", {}, visible(laps?.caption ?? "")));
  }

  /**
   * @param {boolean} shown
   * @param {number} steps of the longest search
   * @param {boolean} over whether it has ended
   */
  show(shown, steps, over) {
    this.root.hidden = !shown;
    if (!shown || !this.laps) return;
    const factor = Math.floor(steps / Math.max(1, this.laps.steps));
    const text = over && this.laps.ratio ? this.laps.ratio : this.texts.say("times", { factor });
    put(this.number, text);
    this.root.style.setProperty("--letters", String(Math.max(3, text.length)));
  }
}
