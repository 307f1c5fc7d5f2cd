// The history of a whole search: the depth after each step, its tree, and its solutions.

import { GrowingArray } from "./growing-array.js";
import { GUESS, UNDO } from "./operations.js";

/** @typedef {import("./search-state.js").SearchState} SearchState */

/**
 * A solution: for each cell its value, the depth at which it was placed, and the op that placed it.
 * @typedef {{board: Uint8Array, depths: Uint16Array, kinds: Uint8Array}} Solution
 */

export const IS_UNDO = 1;
export const IS_BACKTRACK = 2;
export const IS_DEAD_END = 4;

/** The number of solutions whose boards are kept, in addition to the last one. */
export const MAX_SOLUTIONS = 64;

/**
 * `depthAfter` each step and `flags` of each step (IS_UNDO, IS_BACKTRACK, IS_DEAD_END); for each node of the tree
 * the step that made it, its depth and its parent; the steps that found a solution and the boards of
 * the first of them.
 */
export class SearchHistory {
  /** @param {number} steps how many are expected */
  constructor(steps) {
    const room = Math.max(1024, steps + 1);
    this.depthAfter = new GrowingArray(Uint16Array, room);
    this.flags = new GrowingArray(Uint8Array, room);
    this.nodeSteps = new GrowingArray(Uint32Array);
    this.nodeDepths = new GrowingArray(Uint16Array);
    this.nodeParents = new GrowingArray(Uint32Array);
    this.solutionSteps = new GrowingArray(Uint32Array);
    /** @type {Solution[]} */
    this.solutions = [];
    /** @type {Solution | null} */
    this.lastSolution = null;
    this.deepest = 0;
    this.node = 0;
    for (const list of [this.depthAfter, this.flags, this.nodeSteps, this.nodeDepths,
      this.nodeParents]) list.push(0);
  }

  /**
   * Called before a step; `closes`: the step takes back a guess.
   * @param {SearchState} state
   * @param {number} op
   * @param {boolean} closes
   */
  begin(state, op, closes) {
    if (op === GUESS) {
      this.nodeParents.push(this.node);
      this.node = this.nodeSteps.length;
      this.nodeSteps.push(state.steps + 1);
      this.nodeDepths.push(state.depth + 1);
    } else if (closes) {
      this.node = this.nodeParents.items[this.node];
    }
  }

  /**
   * Called after a step, with its `flags`.
   * @param {SearchState} state
   * @param {number} op
   * @param {number} flags
   */
  end(state, op, flags) {
    const { depth } = state;
    this.depthAfter.push(depth);
    this.flags.push((op === UNDO ? IS_UNDO : 0) | flags);
    if (depth > this.deepest) this.deepest = depth;
    if (op !== UNDO && state.solvedHere) this.keep(state);
  }

  /** @param {SearchState} state which stands at a solution */
  keep({ steps, board, depths, kinds }) {
    this.solutionSteps.push(steps);
    this.lastSolution = { board: board.slice(), depths: depths.slice(), kinds: kinds.slice() };
    if (this.solutions.length < MAX_SOLUTIONS) this.solutions.push(this.lastSolution);
  }
}
