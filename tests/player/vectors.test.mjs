// The state machine and the timeline say what Python says: vectors.json.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import { running, runsOf } from "../../undoku/player/script/panels/code.js";
import { CellLooks, warmth } from "../../undoku/player/script/cell-looks.js";
import { Geometry } from "../../undoku/player/script/geometry.js";
import { bytesOf, inflated, unpacked } from "../../undoku/player/script/packed.js";
import { givenReason, reason } from "../../undoku/player/script/reasons.js";
import { SearchState } from "../../undoku/player/script/search-state.js";
import { Texts } from "../../undoku/player/script/texts.js";
import { Timeline } from "../../undoku/player/script/timeline.js";

const { films, warmths } = JSON.parse(readFileSync(new URL("./vectors.json", import.meta.url)));

const SYMBOLS = "123456789ABCDEFGHIJKLMNOP";

const COUNTED = ["undos", "depth", "decisions", "forced", "guessed", "deadEnds", "backtracks",
  "solutions", "restarts", "nogoods", "probes"];

/** The searches of a film. */
async function opened({ boards, searches, events }) {
  const found = boards.map((board) => new Geometry(board));
  const geometries = searches.map((search) => found[search.board]);
  const bytes = await inflated(bytesOf(events));
  const cells = geometries.map((geometry) => geometry.cells);
  return unpacked(bytes, searches, cells).map(
    (unpackedEvents, at) => {
      const state = new SearchState(geometries[at], unpackedEvents);
      state.proved = searches[at].outcome === "exhausted";
      return state;
    },
  );
}

/** Compares a state with what Python says of it. */
function compared(state, wanted, texts, reasons) {
  const board = [...state.board].map((value) => SYMBOLS[value - 1] ?? ".").join("");
  if (wanted.board) assert.equal(board, wanted.board);
  for (const name of COUNTED) assert.equal(state[name], wanted[name], name);
  assert.equal(state.guessedCells.reduce((sum, one) => sum + one, 0), wanted.guessedHere);
  assert.ok(Math.abs(100 * state.branching - wanted.branching) <= 0.5 + 1e-9, "branching");
  assert.equal(running(state), wanted.code.line, "the line that runs");
  assert.deepEqual(runsOf(state, true), wanted.code.runs);
  const { cell } = wanted;
  const mask = wanted.candidates.reduce((sum, value) => sum | (1 << (value - 1)), 0);
  assert.equal(state.candidates(cell), mask, "candidates");
  assert.equal(state.removed[cell], wanted.removed);
  assert.equal(state.tries[cell], wanted.tries);
  assert.equal(state.changed[cell], wanted.changed);
  const given = reasons ? givenReason(reasons, wanted.step) : null;
  assert.equal(reason(state, texts, given), wanted.why);
}

test("a digit of a puzzle without rules is no guess", async () => {
  const states = (await Promise.all(films.map(({ content }) => opened(content)))).flat();
  for (const state of states) {
    assert.equal(new CellLooks(state).told(1), state.geometry.free ? " forced" : " guess");
  }
  assert.ok(states.some((state) => state.geometry.free));
});

for (const [number, film] of films.entries()) {
  const { content } = film;
  const name = `film ${number}`;
  test(`${name}: searches stand as in Python after any step, in any order`, async () => {
    const states = await opened(content);
    const texts = new Texts(content.texts);
    film.searches.forEach((samples, at) => {
      const { reasons, steps } = content.searches[at];
      assert.equal(states[at].total, steps);
      const there = [...samples, ...samples.toReversed()];
      for (const sample of there) {
        states[at].seek(sample.step);
        assert.equal(states[at].steps, sample.step);
        compared(states[at], sample, texts, reasons);
      }
    });
  });

  test(`${name}: frames show the steps, the beats and the speeds that Python plans`, () => {
    const timeline = new Timeline(content.timeline);
    for (const sample of film.frames) {
      assert.deepEqual(timeline.stepsAt(sample.frame), sample.steps);
      assert.equal(timeline.beatAt(sample.frame)?.[0] ?? "", sample.beat);
      assert.ok(Math.abs(timeline.speedAt(sample.frame) - sample.speed) < 1e-5);
    }
  });

  test(`${name}: the frame of a step is the first that shows it`, () => {
    const timeline = new Timeline(content.timeline);
    const { first, last } = content.timeline;
    for (let step = first + 1; step <= last; step += Math.ceil((last - first) / 50)) {
      const frame = timeline.frameOf(step);
      assert.ok(timeline.stepAt(frame) >= step);
      if (frame > content.timeline.intro) assert.ok(timeline.stepAt(frame - 1) < step);
    }
  });
}

test("cells of fast passages are as warm as in Python", () => {
  for (const [stood, before, after] of warmths) assert.equal(warmth(stood, before), after);
});

test("a block that is cut short is refused", async () => {
  const { content } = films[0];
  const bytes = bytesOf(content.events);
  await assert.rejects(inflated(bytes.slice(0, bytes.length - 9)));
});
