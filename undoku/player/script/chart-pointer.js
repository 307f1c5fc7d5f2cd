// Pointing at a chart shows the step at that position.

/** @typedef {import("./player.js").Player} Player */

/**
 * Connect a chart with its steps: a mouse over it shows them, and the film returns to its position
 * when the mouse leaves; a press goes to the step. While the film plays, only a press has an effect.
 * @param {HTMLCanvasElement} canvas
 * @param {Player} player
 * @param {(x: number, y: number) => number} stepAt the step at a place, -1 for none
 */
export function followPointer(canvas, player, stepAt) {
  /** @type {number | null} where the film stood before the pointer came */
  let home = null;
  const go = (/** @type {PointerEvent} */ event) => {
    const box = canvas.getBoundingClientRect();
    const step = stepAt(event.clientX - box.left, event.clientY - box.top);
    if (step >= 0) player.seek(step);
  };
  canvas.addEventListener("pointerdown", (event) => {
    canvas.setPointerCapture(event.pointerId);
    go(event);
    home = null;
  });
  canvas.addEventListener("pointermove", (event) => {
    if (event.buttons) {
      go(event);
      home = null;
    } else if (event.pointerType === "mouse" && !player.playing) {
      home ??= player.step;
      go(event);
    }
  });
  canvas.addEventListener("pointerleave", () => {
    if (home !== null && !player.playing) player.seek(home);
    home = null;
  });
}
