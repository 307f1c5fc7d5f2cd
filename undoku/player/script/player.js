// The position in the film, and its playback: the part of the player that draws nothing.

import { IS_BACKTRACK } from "./search-history.js";
import { Timeline } from "./timeline.js";

/** @typedef {import("./content.js").Content} Content */
/** @typedef {import("./content.js").Highlight} Highlight */
/** @typedef {import("./search-state.js").SearchState} SearchState */

export const SPEEDS = [0.1, 0.25, 0.5, 1, 2, 4, 8];

/** The beats of a story before which a lesson stops and asks. */
const ASKED = ["first", "second", "mistake", "race", "others", "laps"];

/** Above this number of steps per second single steps can't be followed. */
export const BLURRED_FROM = 60;

/**
 * Events: "change" when the position changes, "play", "pause", "speed", "end", and "highlight" when
 * the film reaches one.
 */
export class Player extends EventTarget {
  /**
   * @param {Content} content
   * @param {SearchState[]} states
   */
  constructor(content, states) {
    super();
    this.content = content;
    this.states = states;
    this.timeline = new Timeline(content.timeline);
    this.frame = 0;
    /** @type {number | null} a step that was asked for, between those that frames show */
    this.exact = null;
    this.playing = false;
    this.speed = 1;
    this.before = 0;
    /** @type {number} the furthest step that was shown */
    this.seen = 0;
    this.ended = false;
    /** @type {import("./address.js").Excerpt} the part that is played */
    this.excerpt = { from: "", to: "", loop: false };
    /** Whether the film stops before each beat, and asks. */
    this.lesson = false;
    /** @type {import("./content.js").Beat | null} the beat before which it has stopped */
    this.asked = null;
    this.sync();
  }

  /**
   * Replace the timeline, because searches have become longer.
   * @param {import("./content.js").TimelineContent} timeline
   */
  replan(timeline) {
    this.content.timeline = timeline;
    this.timeline = new Timeline(timeline);
    this.frame = Math.min(this.frame, timeline.frames - 1);
  }

  /** The step on the common clock. */
  get step() {
    return this.exact ?? this.timeline.stepAt(this.frame);
  }

  get longest() {
    return this.timeline.longest;
  }

  /** The frame with which playing begins. */
  get first() {
    return this.timeline.moment(this.excerpt.from)[0] ?? 0;
  }

  /** The frame with which playing ends. */
  get last() {
    const { frames } = this.timeline;
    return Math.min(this.timeline.moment(this.excerpt.to)[1] ?? frames, frames) - 1;
  }

  /** The steps of each search. */
  get steps() {
    return this.exact === null
      ? this.timeline.stepsAt(this.frame)
      : this.timeline.stepsOf(this.exact);
  }

  /** Whether the end card is shown. */
  get onCard() {
    return this.exact === null && this.frame >= this.timeline.cardStart;
  }

  /** Whether steps are too fast to be followed one by one. */
  get blurred() {
    return this.playing && this.timeline.speedAt(this.frame) * this.speed > BLURRED_FROM;
  }

  sync() {
    this.steps.forEach((step, number) => this.states[number].seek(step));
    // The first pass of a story does not count: charts show what the second one has shown.
    if (this.exact !== null || !this.timeline.answers(this.frame)) {
      this.seen = Math.max(this.seen, this.step);
    }
  }

  changed() {
    this.sync();
    this.dispatchEvent(new Event("change"));
  }

  /**
   * Go to the state after `step` steps of the common clock, and stay there.
   * @param {number} step
   */
  seek(step) {
    const wanted = Math.max(0, Math.min(Math.round(step) || 0, this.longest));
    this.pause();
    this.asked = null;
    this.exact = wanted;
    this.frame = this.timeline.frameOf(wanted);
    this.changed();
  }

  /**
   * Go to a frame of the film; if it plays, it continues from there.
   * @param {number} frame
   */
  seekFrame(frame) {
    this.exact = null;
    this.asked = null;
    this.ended = false;
    this.frame = Math.max(0, Math.min(frame, this.timeline.frames - 1));
    this.changed();
  }

  play() {
    if (this.playing) return;
    if (this.frame >= this.last) this.frame = this.first;
    this.exact = null;
    this.ended = false;
    this.playing = true;
    this.before = 0;
    for (const state of this.states) state.forget();
    this.dispatchEvent(new Event("play"));
    this.changed();
  }

  pause() {
    if (!this.playing) return;
    this.playing = false;
    this.dispatchEvent(new Event("pause"));
    this.changed();
  }

  toggle() {
    if (this.playing) this.pause();
    else this.play();
  }

  /** @param {number} speed */
  setSpeed(speed) {
    this.speed = speed;
    this.dispatchEvent(new Event("speed"));
  }

  /**
   * The next speed in a direction, -1 or 1.
   * @param {number} direction
   */
  changeSpeed(direction) {
    const at = SPEEDS.indexOf(this.speed) + direction;
    if (SPEEDS[at]) this.setSpeed(SPEEDS[at]);
  }

  /**
   * Advance the film by the elapsed time; `now` is in milliseconds.
   * @param {number} now
   */
  tick(now) {
    if (!this.playing) return;
    // A page that was hidden continues where it was.
    const passed = this.before ? Math.min(now - this.before, 250) : 0;
    this.before = now;
    const { last } = this;
    const from = this.frame;
    this.frame = Math.min(last, from + (passed / 1000) * this.timeline.rate * this.speed);
    if (this.asks(from)) return;
    for (const one of this.content.highlights) {
      if (from < one.frame && one.frame <= this.frame) this.tell(one);
    }
    if (this.frame >= last && this.excerpt.loop) {
      this.frame = this.first;
    } else if (this.frame >= last) {
      this.playing = false;
      this.ended = true;
      this.dispatchEvent(new Event("pause"));
      this.dispatchEvent(new Event("end"));
    }
    this.changed();
  }

  /**
   * Stop a lesson before the next beat, if the film has reached it; returns whether it stops.
   * @param {number} from the frame before
   */
  asks(from) {
    if (!this.lesson) return false;
    const next = this.timeline.content.beats.find((beat) =>
      ASKED.includes(beat[0]) && from < beat[1] && beat[1] <= this.frame && beat !== this.asked);
    if (!next) return false;
    this.frame = next[1] - 1;
    this.asked = next;
    this.pause();
    return true;
  }

  /** @param {Highlight} highlight */
  tell(highlight) {
    this.dispatchEvent(new CustomEvent("highlight", { detail: highlight }));
  }

  /** @param {number} count */
  stepBy(count) {
    this.seek(this.step + count);
  }

  /**
   * Go to the nearest backtrack of any search in a direction, -1 or 1; to the end of the race if
   * there is none.
   * @param {number} direction
   */
  toBacktrack(direction) {
    const found = this.states
      .map((state, number) => this.common(number, nextBacktrack(state, direction)))
      .filter((step) => step >= 0);
    if (direction > 0) this.seek(found.length ? Math.min(...found) : this.longest);
    else this.seek(found.length ? Math.max(...found) : 0);
  }

  /**
   * The step of the common clock at which a search has done `step` steps; -1 for -1.
   * @param {number} number
   * @param {number} step
   */
  common(number, step) {
    if (step < 0 || !this.timeline.scales[number]) return step;
    let low = 0;
    let high = this.longest;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.timeline.stepsOf(middle)[number] >= step) high = middle;
      else low = middle + 1;
    }
    return low;
  }

  /**
   * Go to the nearest highlight in a direction, -1 or 1, and announce it.
   * @param {number} direction
   */
  toHighlight(direction) {
    const places = this.content.highlights.map((one) => ({
      one,
      step: this.common(one.search, one.step),
    }));
    const rest = places.filter(({ step }) => (direction > 0 ? step > this.step : step < this.step));
    const steps = rest.map(({ step }) => step);
    if (!steps.length) {
      this.seek(direction > 0 ? this.longest : 0);
      return;
    }
    const wanted = direction > 0 ? Math.min(...steps) : Math.max(...steps);
    this.seek(wanted);
    for (const { one, step } of rest) if (step === wanted) this.tell(one);
  }
}

/**
 * The nearest backtrack of a search before or after its current step: a step that takes a guess back
 * because everything below it has failed. -1 if there is none.
 * @param {SearchState} state
 * @param {number} direction
 */
export function nextBacktrack(state, direction) {
  const { items, length } = state.history.flags;
  for (let step = state.steps + direction; step > 0 && step < length; step += direction) {
    if (items[step] & IS_BACKTRACK) return step;
  }
  return -1;
}
