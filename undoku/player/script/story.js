// The story on each frame: its passage and its sentences.

import { visible } from "./texts.js";

/** @typedef {import("./content.js").Callout} Callout */
/** @typedef {import("./content.js").Content} Content */
/** @typedef {import("./player.js").Player} Player */

/** The share of the passage about the rules after which a rule is shown completely. */
const SHOWN_BY = 0.85;

/** Seconds in which the ring is drawn around the board of a search that has ended. */
const SWEEP = 0.4;

/** Seconds for which a found solution is shown on the board of a search that continues. */
const FLASH = 0.35;

/** Seconds for which cells glow after their step, and the highest speed at which they do. */
const GLOW = 0.4;
const GLOWING_UP_TO = 40;

export class Story {
  /**
   * @param {Content} content
   * @param {Player} player
   */
  constructor(content, player) {
    this.content = content;
    this.player = player;
    this.calm = matchMedia("(prefers-reduced-motion: reduce)");
  }

  get frame() {
    return Math.floor(this.player.frame);
  }

  /** Whether the position is a frame of the film, not a step that the reader chose. */
  get filmed() {
    return this.player.exact === null;
  }

  /** Whether options are dots, as in the film; they are digits at steps that the reader chose. */
  get dotted() {
    return this.filmed && this.content.dots;
  }

  /** Whether the title card is shown. */
  get onTitle() {
    const { titleCard } = this.content;
    return titleCard !== null && this.filmed && this.frame < titleCard.frames;
  }

  /** The elapsed share of the passage about the rules; null in other passages. */
  get ruled() {
    const { timeline, step } = this.player;
    // In a tall film the second search shows its rule after the first steps, when it is large.
    const beats = timeline.content.beats.filter(([kind, , , first]) => kind === "rules" && !first);
    if (!beats.length || step || !this.filmed) return null;
    const start = beats[0][1];
    const [, last, frames] = beats[beats.length - 1];
    if (this.frame < start || this.frame >= last + frames) return null;
    const whole = (last + frames - start) * SHOWN_BY;
    return this.calm.matches ? 1 : Math.min(1, (this.frame - start) / whole);
  }

  /**
   * The sentence about a search.
   * @param {number} number
   * @returns {Callout | null}
   */
  calloutOf(number) {
    const found = this.content.callouts.filter((one) =>
      one.search === number && one.start <= this.frame && this.frame < one.end);
    return found[found.length - 1] ?? null;
  }

  /** The title, or the sentence that replaces it. */
  get title() {
    const { title, explanation } = this.content;
    if (!explanation || !this.filmed) return visible(title);
    const [start, end, sentence] = explanation;
    return visible(start <= this.frame && this.frame < end ? sentence : title);
  }

  /** The sentence about the whole film. */
  get notice() {
    const found = this.content.notices.filter(([start, end]) =>
      start <= this.frame && this.frame < end);
    return visible(found[found.length - 1]?.[2] ?? "");
  }

  /**
   * The drawn share, 0..1, of the ring around a board whose search has just found its solution; 1
   * also if no ring is being drawn.
   * @param {number} number
   */
  swept(number) {
    const { player } = this;
    const { timeline } = player;
    const total = timeline.totals[number];
    const { outcome } = this.content.searches[number];
    if (!timeline.content.beats.length || this.calm.matches || !this.filmed || !total) return 1;
    if (outcome !== "solved" || player.states[number].steps < total) return 1;
    const begun = timeline.frameOf(player.common(number, total));
    return Math.min(1, (this.frame - begun + 1) / Math.max(1, SWEEP * timeline.rate));
  }

  /**
   * Whether a search that continues has just found a solution.
   * @param {number} number
   */
  found(number) {
    const state = this.player.states[number];
    if (!this.content.searches[number].exhaustive || state.over || !state.solutions) return false;
    const step = state.history.solutionSteps.items[state.solutions - 1];
    if (!this.player.playing) return step === state.steps;
    return step > this.stepsBefore(FLASH)[number];
  }

  /**
   * For each search the step after which its cells glow; null if none do.
   * @returns {number[] | null}
   */
  get glowing() {
    const { player } = this;
    const speed = player.timeline.speedAt(this.frame) * player.speed;
    if (!player.playing || !player.timeline.content.beats.length || this.calm.matches) return null;
    return speed > 0 && speed <= GLOWING_UP_TO ? this.stepsBefore(GLOW) : null;
  }

  /**
   * The steps of each search some seconds ago.
   * @param {number} seconds
   */
  stepsBefore(seconds) {
    const { timeline, speed } = this.player;
    const elapsed = timeline.elapsed(this.frame) - seconds * timeline.rate * Math.max(1, speed);
    return timeline.stepsAt(Math.max(0, Math.floor(elapsed)));
  }
}
