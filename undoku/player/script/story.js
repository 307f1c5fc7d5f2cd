// The story on each frame: its passage and its sentences.

import { visible } from "./texts.js";

/** @typedef {import("./content.js").Callout} Callout */
/** @typedef {import("./content.js").Content} Content */
/** @typedef {import("./player.js").Player} Player */

/** The beats about single steps of one search. */
const EXPLAINING = ["first", "second", "mistake", "fastest"];

/** The beats in which empty cells show their options. */
const WITH_OPTIONS = [...EXPLAINING, "race"];

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

  /** The beat of the frame; null at a step that the reader chose, and in a film without beats. */
  get beat() {
    return this.filmed ? this.player.timeline.beatAt(this.frame) : null;
  }

  /** The kind of the beat, "" for none. */
  get kind() {
    return this.beat?.[0] ?? "";
  }

  /** Whether the film is a story. */
  get tells() {
    return this.player.timeline.content.beats.length > 0;
  }

  /** Whether empty cells show their options. */
  get withOptions() {
    return !this.beat || WITH_OPTIONS.includes(this.kind);
  }

  /** What the bars below the boards show. */
  get tallied() {
    if (this.filmed && this.player.timeline.answers(this.frame)) return "steps";
    return EXPLAINING.includes(this.kind) ? "doors" : "digits";
  }

  /** The search that the frame is about, while the others are dimmed; -1 for none. */
  get lit() {
    return EXPLAINING.includes(this.kind) ? (this.beat?.[5] ?? -1) : -1;
  }

  /** The search that goes on alone; -1 if none does yet. */
  get alone() {
    const { player } = this;
    const laps = player.timeline.content.beats.find(([kind]) => kind === "laps");
    return laps && this.frame >= laps[1] && player.step ? laps[5] : -1;
  }

  /** The search whose board is shown where there is room for one. */
  get main() {
    const { totals, longest } = this.player.timeline;
    if (this.lit >= 0) return this.lit;
    const slow = this.alone >= 0 ? this.alone : totals.indexOf(longest);
    if (this.kind !== "finish") return slow;
    return totals.indexOf(Math.min(...totals.filter((total) => total > 0)));
  }

  /** The share of the digits that are taken from the boards while they are emptied; or null. */
  get rewound() {
    const { beat } = this;
    if (!beat || beat[0] !== "rewind") return null;
    return this.calm.matches ? 1 : (this.frame - beat[1] + 1) / beat[2];
  }

  /** The beat before which a lesson has stopped; null while it does not wait. */
  get asked() {
    const { asked, playing } = this.player;
    return playing ? null : asked;
  }

  /** Whether the card with the ratio is shown. */
  get onRatio() {
    return this.kind === "ratio";
  }

  /**
   * The sentence about a search.
   * @param {number} number
   * @returns {Callout | null}
   */
  calloutOf(number) {
    if (!this.filmed && this.tells) return null;
    const found = this.content.callouts.filter((one) =>
      one.search === number && one.start <= this.frame && this.frame < one.end);
    return found[found.length - 1] ?? null;
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
    if (timeline.answers(this.frame)) return 1;
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
    const first = timeline.answers(this.frame) ? 0 : (timeline.content.answer?.[2] ?? 0);
    const before = this.frame - seconds * timeline.rate * Math.max(1, speed);
    return timeline.stepsAt(Math.max(first, Math.floor(before)));
  }
}
