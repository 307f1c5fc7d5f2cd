// The steps that a frame of the film shows: undoku/render/timeline/timeline.py in JavaScript.

/** @typedef {import("./content.js").Beat} Beat */
/** @typedef {import("./content.js").TimelineContent} TimelineContent */

export class Timeline {
  /** @param {TimelineContent} content */
  constructor(content) {
    this.content = content;
    this.rate = content.fps[0] / content.fps[1];
    this.frames = content.frames;
    this.totals = content.totals;
    this.longest = Math.max(0, ...content.totals);
    /** @type {([bigint, bigint] | null)[]} */
    this.scales = content.scales.map(([part, whole]) =>
      part === "1" && whole === "1" ? null : [BigInt(part), BigInt(whole)],
    );
  }

  /** The first frame of the end card; the number of frames if there is none. */
  get cardStart() {
    return this.frames - this.content.card;
  }

  /**
   * The segment of the race after `elapsed` frames.
   * @param {number} elapsed
   */
  stretchAt(elapsed) {
    const { stretches } = this.content;
    let low = 0;
    let high = stretches.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (stretches[middle][0] <= elapsed) low = middle + 1;
      else high = middle;
    }
    return stretches[Math.max(0, low - 1)];
  }

  /**
   * The steps on the common clock after `elapsed` frames of the race, as a fraction.
   * @param {number} elapsed
   * @returns {[number, number]}
   */
  reached(elapsed) {
    const { race, first, last } = this.content;
    if (elapsed >= race) return [last, 1];
    if (elapsed <= 0) return [first, 1];
    const [start, , step, steps, frames] = this.stretchAt(elapsed);
    const part = step * frames + (elapsed - start) * steps;
    return part > last * frames ? [last, 1] : [part, frames];
  }

  /**
   * The steps on the common clock that a frame of the film shows, as a fraction.
   * @param {number} frame
   * @returns {[number, number]}
   */
  reachedOn(frame) {
    if (!this.answers(frame)) return this.reached(this.elapsed(frame));
    const [intro, race] = /** @type {[number, number, number]} */ (this.content.answer);
    const elapsed = Math.max(0, Math.min(race, Math.floor(frame) - intro + 1));
    return [elapsed * this.longest, Math.max(1, race)];
  }

  /**
   * For each search the steps that a frame of the film shows.
   * @param {number} frame
   * @returns {number[]}
   */
  stepsAt(frame) {
    const [part, whole] = this.reachedOn(frame);
    const elapsed = this.elapsed(frame);
    const answers = this.answers(frame);
    return this.totals.map((total, number) => {
      const wait = answers ? -1 : (this.content.waits[number] ?? -1);
      return elapsed <= wait ? 0 : this.scaled(part, whole, total, number);
    });
  }

  /**
   * Whether a frame belongs to the first pass of a story, whose clock is one of its own.
   * @param {number} frame
   */
  answers(frame) {
    const { answer } = this.content;
    return answer !== null && Math.floor(frame) < answer[2];
  }

  /**
   * @param {number} part
   * @param {number} whole
   * @param {number} total
   * @param {number} number
   */
  scaled(part, whole, total, number) {
    const scale = this.scales[number];
    if (!scale) return Math.min(total, Math.floor(part / whole));
    return Math.min(total, Number((BigInt(part) * scale[0]) / (BigInt(whole) * scale[1])));
  }

  /**
   * For each search the steps done when the common clock shows `step`.
   * @param {number} step
   */
  stepsOf(step) {
    return this.totals.map((total, number) => this.scaled(step, 1, total, number));
  }

  /**
   * The step on the common clock that a frame of the film shows.
   * @param {number} frame
   */
  stepAt(frame) {
    const [part, whole] = this.reachedOn(frame);
    return Math.floor(part / whole);
  }

  /** @param {number} frame */
  elapsed(frame) {
    return frame < this.content.intro ? 0 : Math.floor(frame) - this.content.intro + 1;
  }

  /**
   * The first frame of the film that shows `step` of the common clock, or a later step; for step 0
   * the last frame before the first step.
   * @param {number} step
   */
  frameOf(step) {
    const { intro, race, first } = this.content;
    if (step <= first) return Math.max(0, intro - 1);
    let low = 0;
    let high = race;
    while (low < high) {
      const middle = (low + high) >> 1;
      const [part, whole] = this.reached(middle);
      if (Math.floor(part / whole) >= step) high = middle;
      else low = middle + 1;
    }
    return intro + Math.max(0, low - 1);
  }

  /**
   * The beat that a frame belongs to; null in a film without beats.
   * @param {number} frame
   * @returns {Beat | null}
   */
  beatAt(frame) {
    let found = null;
    for (const beat of this.content.beats) if (beat[1] <= frame) found = beat;
    return found;
  }

  /**
   * The first frame of a part of the film and the one after it: of the beats of this name, or both
   * that of a time, such as 9.5s or 0:09; none for other texts.
   * @param {string} name
   * @returns {number[]}
   */
  moment(name) {
    const beats = this.content.beats.filter(([kind]) => kind === name);
    const last = beats.at(-1);
    if (last) return [beats[0][1], last[1] + last[2]];
    const seconds = name.split(":").reduce((sum, part) => 60 * sum + Number.parseFloat(part), 0);
    const frame = Math.round(seconds * this.rate);
    return frame < this.frames ? [frame, frame] : [];
  }

  /**
   * Steps per second of the common clock on a frame; 0 while it is stopped.
   * @param {number} frame
   */
  speedAt(frame) {
    if (this.answers(frame)) {
      const [intro, race] = /** @type {[number, number, number]} */ (this.content.answer);
      const at = Math.floor(frame) - intro;
      return at < 0 || at >= race ? 0 : (this.longest / race) * this.rate;
    }
    const elapsed = Math.floor(frame) - this.content.intro;
    if (elapsed < 0 || elapsed >= this.content.race) return 0;
    const [, , , steps, frames] = this.stretchAt(elapsed);
    return (steps / frames) * this.rate;
  }

  /**
   * The share, 0..1, of their length that the bars of the end card have on a frame.
   * @param {number} frame
   */
  grown(frame) {
    const { growth } = this.content;
    return growth ? Math.min(1, Math.max(0, (frame - this.cardStart + 1) / growth)) : 1;
  }

  /**
   * A time in the film: "0:12".
   * @param {number} frame
   */
  clock(frame) {
    const seconds = Math.floor(frame / this.rate);
    return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
  }
}
