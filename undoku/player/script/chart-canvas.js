// The base of all charts: a canvas at the resolution of the screen.

import { element } from "./elements.js";

/** @typedef {Record<string, string>} Palette */

/**
 * A chart below its caption.
 * @param {HTMLCanvasElement} canvas
 * @param {(Node | string)[]} caption
 */
export function captioned(canvas, ...caption) {
  return element("figure", {},
    element("figcaption", { dir: "auto" }, element("span", {}, ...caption)), canvas);
}

/** A canvas at the resolution of the screen. */
export class Chart {
  /** @param {string} label */
  constructor(label) {
    this.canvas = element("canvas", { role: "img", "aria-label": label });
    this.context = /** @type {CanvasRenderingContext2D} */ (this.canvas.getContext("2d"));
    this.width = 0;
    this.height = 0;
  }

  /** Begin a picture; returns false if the canvas has no size. */
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
