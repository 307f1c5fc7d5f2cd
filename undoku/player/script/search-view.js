// One search in the page: its name and counters, its board, and the sentences below it.

import { BoardView } from "./board-view.js";
import { element, iconButton } from "./elements.js";
import { Tally } from "./tally.js";
import { visible } from "./texts.js";

/** @typedef {import("./content.js").Content} Content */
/** @typedef {import("./search-state.js").SearchState} SearchState */
/** @typedef {import("./texts.js").Texts} Texts */

/**
 * The counters by their names, as in undoku/texts/counter_kinds.py.
 * @type {Record<string, (state: SearchState) => number>}
 */
const COUNTERS = {
  "steps": (state) => state.steps,
  "taken-back": (state) => state.undos,
  "forced": (state) => state.forced,
  "guessed": (state) => state.guessed,
  "solutions": (state) => state.solutions,
  "depth": (state) => state.depth,
  "dead-ends": (state) => state.deadEnds,
  "backtracks": (state) => state.backtracks,
  "restarts": (state) => state.restarts,
  "nogoods": (state) => state.nogoods,
  "probes": (state) => state.probes,
  "branching": (state) => state.branching,
};

/** Counters that all searches have. */
const COMMON = [
  "steps", "taken-back", "forced", "guessed", "depth", "dead-ends", "backtracks", "branching",
];

/** Counters that are shown large beside a board. */
const FEW = 3;

/** Names with more letters than this are smaller. */
const LONG = 36;

/** Events: "enlarge" when the reader enlarges or reduces this board. */
export class SearchView extends EventTarget {
  /**
   * @param {Content} film
   * @param {number} number
   * @param {SearchState} state
   * @param {Texts} texts
   * @param {import("./panels.js").PanelChoice} panels
   */
  constructor(film, number, state, texts, panels) {
    super();
    const { searches, counters } = film;
    const content = searches[number];
    this.content = content;
    this.state = state;
    this.texts = texts;
    const label = visible(content.label);
    this.label = label;
    this.board = new BoardView(state, texts.say("player-board-of", { label }));
    this.name = element("h2", { dir: "auto", class: label.length > LONG ? "long" : "" }, label);
    this.spec = element("span", { class: "spec", dir: "auto" }, ...breakable(content.spec));
    this.status = element("span", { class: "status", dir: "auto" });
    this.callout = element("p", { class: "callout", dir: "auto" });
    /** @type {Map<string, HTMLElement>} */
    this.numbers = new Map();
    this.counters = element("dl", { class: counters.length > FEW ? "counters many" : "counters" });
    for (const name of new Set([...counters, ...COMMON])) {
      const value = element("dd", {}, "0");
      const one = element("div", { class: counters.includes(name) ? "usual" : "extra" },
        element("dt", {}, texts.say(`counter-${name}`)), value);
      this.numbers.set(name, value);
      this.counters.append(one);
    }
    const heading = element("header", {}, this.name, this.spec, this.status);
    if (searches.length > 1) {
      const enlarge = iconButton("enlarge", texts.say("player-enlarge", { label }), () =>
        this.dispatchEvent(new Event("enlarge")),
      );
      enlarge.className = "enlarge";
      enlarge.setAttribute("aria-pressed", "false");
      heading.append(enlarge);
      this.enlarge = enlarge;
    }
    this.side = element("div", { class: "side" }, heading, this.counters);
    this.parts = panels.parts((panel) => panel.below?.(film, number, state, texts));
    /** The sentences of the panels, for screen readers. */
    this.said = "";
    this.tally = new Tally(state, texts);
    this.below = element("div", { class: "below" }, this.tally.root, this.callout,
      ...this.parts.map((part) => part.root));
    this.root = element("section", { class: "search", "aria-label": label }, this.side,
      this.board.root, this.below);
    this.root.style.setProperty("--search", `var(--search-${number})`);
    /** @type {Map<HTMLElement, string>} */
    this.shownTexts = new Map();
  }

  /**
   * @param {HTMLElement} where
   * @param {string} text
   */
  tell(where, text) {
    if (this.shownTexts.get(where) === text) return;
    this.shownTexts.set(where, text);
    where.textContent = text;
  }

  /**
   * Show the current state; `callout` is the film's sentence about the search.
   * @param {import("./content.js").Callout | null} callout
   * @param {import("./panels.js").Pace} pace
   * @param {string} question of a lesson, instead of that sentence
   */
  show(callout, pace, question) {
    const { content, state, texts } = this;
    const done = state.steps >= content.steps && content.steps > 0;
    const found = content.outcome === "solved" || (state.proved && state.solutions > 0);
    this.tell(this.status, done ? visible(content.status) : texts.say("searching"));
    this.root.classList.toggle("done", done);
    this.root.classList.toggle("solved", done && found);
    this.root.classList.toggle("given-up", done && !found);
    this.tell(this.callout, question || (callout ? sentenceOf(callout) : ""));
    this.callout.dataset.tone = callout?.tone ?? "";
    const shown = this.parts.filter((part) => !part.root.hidden);
    this.said = shown.map((part) => part.show(pace)).filter(Boolean).join(" ");
    for (const [name, where] of this.numbers) {
      const count = COUNTERS[name](state);
      this.tell(where, name === "branching" ? texts.ratio(count) : texts.number(count));
    }
  }
}

/**
 * The sentence of a callout, on its lines.
 * @param {import("./content.js").Callout} callout
 */
export function sentenceOf(callout) {
  return callout.lines.map(visible).join("\n");
}

/**
 * A strategy's specification, with possible line breaks before each of its parts.
 * @param {string} spec
 */
function breakable(spec) {
  return visible(spec).split(/(?=[+/])/).flatMap((part, at) =>
    at ? [element("wbr"), part] : [part]);
}
