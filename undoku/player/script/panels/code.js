// The code of a search, with the running line: undoku/render/playback/code_lines.py in JavaScript.

import { element, put } from "../elements.js";
import { IS_DEAD_END } from "../search-history.js";
import { FORCED, UNDO } from "../operations.js";
import { addPanel } from "../panels.js";
import { visible } from "../texts.js";

/** @typedef {import("../content.js").CodeContent} CodeContent */
/** @typedef {import("../search-state.js").SearchState} SearchState */
/** @typedef {import("../texts.js").Texts} Texts */

addPanel({
  name: "code",
  rank: 400,
  has: ({ code }) => code.length > 0,
  below: ({ code }, number, state, texts) => new CodeView(code[number], state, texts),
});

/** The role that replaces another one in code without a line for it. */
/** @type {Record<string, string>} */
const NEAREST = { "dead-end": "undo", infer: "place" };

class CodeView {
  /**
   * @param {CodeContent} content
   * @param {SearchState} state
   * @param {Texts} texts
   */
  constructor({ lines, own }, state, texts) {
    this.state = state;
    this.texts = texts;
    this.roles = lines.map(([, , role]) => role);
    this.counts = lines.map(() => element("span", { class: "runs" }));
    this.lines = lines.map(([text, indent], at) => {
      const line = element("code", {}, visible(text));
      line.style.paddingInlineStart = `${1.2 * indent}em`;
      return element("li", {}, line, this.counts[at]);
    });
    this.root = element("ol", { class: "code", ...(own ? { dir: "ltr" } : {}) }, ...this.lines);
    this.root.setAttribute("aria-label", texts.say("code"));
  }

  /**
   * Show the running line while single lines can be followed.
   * @param {import("../panels.js").Pace} pace
   */
  show({ slow }) {
    const lit = slow ? shownRole(running(this.state), this.roles) : "";
    const runs = runsOf(this.state, this.roles.includes("infer"));
    this.roles.forEach((role, at) => {
      const count = runs[role];
      this.lines[at].classList.toggle("running", role === lit && role !== "other");
      put(this.counts[at], count === undefined ? "" : this.texts.number(count));
    });
    return "";
  }
}

/**
 * @param {string} role
 * @param {string[]} roles
 */
function shownRole(role, roles) {
  return roles.includes(role) ? role : NEAREST[role] ?? role;
}

/**
 * The role of the last step.
 * @param {SearchState} state
 * @returns {string}
 */
export function running(state) {
  const { last, steps, history } = state;
  if (!last) return "node";
  if (last.op === UNDO) return history.flags.items[steps] & IS_DEAD_END ? "dead-end" : "undo";
  if (state.over && state.solutions) return "full";
  return last.op === FORCED ? "infer" : "place";
}

/**
 * The number of runs of the lines of each role. `forcedApart`: forced digits have a separate line.
 * @param {SearchState} state
 * @param {boolean} forcedApart
 * @returns {Record<string, number>}
 */
export function runsOf(state, forcedApart) {
  const { decisions, steps, undos, solutions, depth, deadEnds, restarts } = state;
  const places = steps - undos;
  const nodes = decisions + 1 + restarts; // the root is entered again
  return {
    node: nodes,
    full: solutions,
    cell: nodes - solutions,
    guess: decisions,
    place: forcedApart ? decisions : places,
    infer: places - decisions,
    undo: forcedApart ? decisions - depth : undos,
    restart: restarts,
    "dead-end": deadEnds,
  };
}
