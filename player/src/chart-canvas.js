// What all charts have in common: a sharp canvas, and axes that grow.

import { element } from "./elements.js";

/** @typedef {Record<string, string>} Palette */

export const FIRST_END = 32;

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
export class Chart {
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
