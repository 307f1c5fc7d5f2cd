// The interface for scripts: `undoku` in the page itself, messages from the page around a frame.
// docs/player.md describes it.

/** @typedef {import("./player.js").Player} Player */

/** Events: "step", "highlight", "play", "pause", "end". */
export class Interface extends EventTarget {
  #player;
  #picture;

  /**
   * @param {Player} player
   * @param {() => string} picture
   */
  constructor(player, picture) {
    super();
    this.#player = player;
    this.#picture = picture;
    let before = -1;
    player.addEventListener("change", () => {
      if (player.step === before) return;
      before = player.step;
      this.#announce("step", { step: player.step, steps: player.steps });
    });
    player.addEventListener("highlight", (event) => {
      const { step, search, sentence } = /** @type {CustomEvent} */ (event).detail;
      this.#announce("highlight", { step, search, sentence });
    });
    for (const type of ["play", "pause", "end"]) {
      player.addEventListener(type, () => this.#announce(type, { step: player.step }));
    }
    addEventListener("message", (event) => this.#obey(event));
  }

  get step() {
    return this.#player.step;
  }
  get steps() {
    return this.#player.steps;
  }
  get length() {
    return this.#player.longest;
  }
  get playing() {
    return this.#player.playing;
  }
  get labels() {
    return this.#player.content.searches.map((search) => search.label);
  }

  /** @param {number} step */
  seek(step) {
    this.#player.seek(Number(step));
  }
  play() {
    this.#player.play();
  }
  pause() {
    this.#player.pause();
  }

  /** The values of a search's board, row by row, "." for an empty cell. */
  board(search = 0) {
    const state = this.#player.states[search];
    if (!state) throw new RangeError(`there is no search ${search}`);
    return [...state.shown].map((value) => state.geometry.names[value - 1] ?? ".").join("");
  }

  /** The current picture, as the text of an SVG. */
  picture() {
    return this.#picture();
  }

  /**
   * @param {string} type
   * @param {object} detail
   */
  #announce(type, detail) {
    this.dispatchEvent(new CustomEvent(type, { detail }));
    if (parent !== window) parent.postMessage({ undoku: type, ...detail }, "*");
  }

  /** @param {MessageEvent} event */
  #obey(event) {
    const { data, source } = event;
    if (source !== parent || parent === window || typeof data !== "object" || !data) return;
    if (data.undoku === "seek" && Number.isFinite(data.step)) this.seek(data.step);
    else if (data.undoku === "play") this.play();
    else if (data.undoku === "pause") this.pause();
  }
}
