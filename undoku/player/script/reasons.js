// The reason of a search's last step, in words: undoku/render/playback/step_reasons.py in JavaScript.

import { bitCount, failedUnit } from "./failed-unit.js";
import { FORCED, GUESS, UNDO } from "./operations.js";
import { capitalised } from "./texts.js";

/** @typedef {import("./search-state.js").SearchState} SearchState */
/** @typedef {import("./texts.js").Texts} Texts */
/** @typedef {{rule: string, unit: string}} Given */

/**
 * A sentence such as "Row 2, column 5: tries 3 of 3, 8"; "" before the first step. `given` is the
 * reason in the trace. Of a puzzle without rules nobody knows the options.
 * @param {SearchState} state
 * @param {Texts} texts
 * @param {Given | null} given
 * @returns {string}
 */
export function reason(state, texts, given = null) {
  const { last, geometry } = state;
  if (!last) return "";
  const { op, cell, value } = last;
  if (op === UNDO) return takenBack(state, texts, cell, value);
  const name = geometry.board.cells[cell];
  const symbol = geometry.names[value - 1];
  const sentence = (/** @type {string} */ key, more = {}) =>
    capitalised(texts.say(key, { cell: name, value: symbol, ...more }));
  if (given) return byGiven(state, given, op === FORCED, sentence);
  const left = geometry.free ? [] : geometry.namesOf(state.candidates(cell));
  if (op === FORCED) {
    if (left.length === 1 && left[0] === symbol) return sentence("step-naked-single");
    const unit = geometry.free ? -1 : onlyPlace(state, cell, value);
    if (unit >= 0) return sentence("step-hidden-single", { unit: geometry.unitNames[unit] });
    return sentence("step-must-be");
  }
  if (!left.includes(symbol)) return sentence("step-tries");
  if (left.length === 1) return sentence("step-only-option");
  return sentence("step-tries-of", { values: texts.listed(left) });
}

/**
 * @param {SearchState} state
 * @param {Given} given
 * @param {boolean} forced
 * @param {(key: string, more?: Record<string, string>) => string} sentence
 */
function byGiven(state, given, forced, sentence) {
  const { geometry } = state;
  const unit = geometry.unitKeys.indexOf(given.unit.toLowerCase());
  const where = unit >= 0 ? geometry.unitNames[unit] : given.unit;
  const known = given.rule.toLowerCase().replaceAll(" ", "-").replace(/s$/, "");
  if (forced && known === "naked-single") return sentence("step-naked-single");
  if (forced && known === "hidden-single" && where) {
    return sentence("step-hidden-single", { unit: where });
  }
  const key = forced ? "step-must-be-by" : "step-tries-by";
  if (where) return sentence(`${key}-in`, { rule: given.rule, unit: where });
  return sentence(key, { rule: given.rule });
}

/**
 * The first unit of all values in which a cell is the only one that can hold its value; -1 if there
 * is none.
 * @param {SearchState} state
 * @param {number} cell
 * @param {number} value
 */
function onlyPlace(state, cell, value) {
  const { geometry } = state;
  const before = state.board.slice();
  before[cell] = 0;
  const bit = 1 << (value - 1);
  const alone = (/** @type {number} */ unit) => {
    const cells = geometry.units[unit];
    return (
      cells.length === geometry.size &&
      geometry.aligned[unit] &&
      !cells.some(
        (other) =>
          other !== cell &&
          (before[other] === value || (!before[other] && state.free(other, before) & bit)),
      )
    );
  };
  return geometry.unitsOf[cell].find(alone) ?? -1;
}

/**
 * @param {SearchState} state
 * @param {Texts} texts
 * @param {number} cell
 * @param {number} value
 */
function takenBack(state, texts, cell, value) {
  if (state.restarting) {
    return capitalised(texts.say("step-begins-again", { number: state.restarts }));
  }
  const guess = guessBelow(state, cell);
  const { cause, nowhere } = failure(state, texts, cell, value);
  if (guess < 0) return capitalised(texts.say("step-back-to-start", { cause }));
  if (nowhere && guess === cell) return capitalised(cause);
  return capitalised(texts.say("step-back-to", { cause, cell: state.geometry.board.cells[guess] }));
}

/**
 * The guess to which a search returns after it has taken back the value of a cell; -1 if all values
 * on the board are forced.
 * @param {SearchState} state
 * @param {number} undone
 */
export function guessBelow(state, undone) {
  if (state.depths[undone] > state.depth) return undone;
  return state.kinds.findIndex(
    (kind, cell) => kind === GUESS && state.depths[cell] === state.depth,
  );
}

/**
 * The failure of the board on which the cell held the value that was taken back.
 * @param {SearchState} state
 * @param {Texts} texts
 * @param {number} cell
 * @param {number} value
 */
function failure(state, texts, cell, value) {
  const { geometry } = state;
  const tried = state.board.slice();
  tried[cell] = value;
  const open = new Uint32Array(geometry.cells);
  for (let empty = 0; empty < tried.length; empty += 1) {
    if (tried[empty]) continue;
    open[empty] = state.candidates(empty, tried);
    if (!open[empty]) {
      const name = geometry.board.cells[empty];
      return { cause: texts.say("step-no-option", { cell: name }), nowhere: false };
    }
  }
  const failed = failedUnit(geometry, tried, open);
  if (failed) return { cause: tooFew(geometry, texts, failed), nowhere: false };
  const name = geometry.board.cells[cell];
  const symbol = geometry.names[value - 1];
  return { cause: texts.say("step-led-nowhere", { cell: name, value: symbol }), nowhere: true };
}

/**
 * The failure of a unit that has too few values left.
 * @param {import("./geometry.js").Geometry} geometry
 * @param {Texts} texts
 * @param {{number: number, reach: number}} failed
 */
function tooFew(geometry, texts, { number, reach }) {
  const unit = geometry.unitNames[number];
  const cells = geometry.units[number].length;
  if (cells < geometry.size) {
    return texts.say("step-too-few", { unit, cells, count: bitCount(reach) });
  }
  const [wanted] = geometry.namesOf(geometry.full & ~reach);
  return texts.say("step-no-place", { unit, value: wanted });
}

/**
 * The reason of a step in a trace.
 * @param {import("./content.js").GivenReasons} reasons
 * @param {number} step
 */
export function givenReason(reasons, step) {
  let at = 0;
  for (const [number, gap] of reasons.steps.entries()) {
    at += gap;
    if (at === step) {
      const [rule, unit] = reasons.kinds[reasons.numbers[number]];
      return { rule, unit };
    }
    if (at > step) break;
  }
  return null;
}
