// One search in the page: its name and counters, its board, and the sentences below it.

import { BoardView } from "./board-view.js";
import { element, iconButton } from "./elements.js";
import { visible } from "./texts.js";

/** @typedef {import("./content.js").SearchContent} SearchContent */
/** @typedef {import("./search-state.js").SearchState} SearchState */
/** @typedef {import("./texts.js").Texts} Texts */

/** The counters: the key of their label, and what they count. */
/** @type {[string, (state: SearchState) => number][]} */
const COUNTERS = [
  ["counter-steps", (state) => state.steps],
  ["counter-taken-back", (state) => state.undos],
  ["counter-solutions", (state) => state.solutions],
  ["counter-depth", (state) => state.depth],
  ["counter-dead-ends", (state) => state.deadEnds],
  ["counter-backtracks", (state) => state.backtracks],
];
const USUAL = 2;

/** Events: "enlarge" when the reader wants this search large. */
export class SearchView extends EventTarget {
  /**
   * @param {SearchContent} content
   * @param {SearchState} state
   * @param {number} number
   * @param {Texts} texts
   * @param {boolean} several whether there are others beside it
   */
  constructor(content, state, number, texts, several) {
    super();
    this.content = content;
    this.state = state;
    this.texts = texts;
    const label = visible(content.label);
    this.label = label;
    this.board = new BoardView(state, texts.say("player-board-of", { label }));
    this.name = element("h2", { dir: "auto" }, label);
    this.spec = element("span", { class: "spec", dir: "auto" }, visible(content.spec));
    this.status = element("span", { class: "status", dir: "auto" });
    this.callout = element("p", { class: "callout", dir: "auto" });
    this.why = element("p", { class: "why", dir: "auto" });
    /** @type {HTMLElement[]} */
    this.numbers = [];
    this.counters = element("dl", { class: "counters" });
    COUNTERS.forEach(([key], at) => {
      const told = element("dd", {}, "0");
      const extra = at >= USUAL && !(key === "counter-solutions" && content.exhaustive);
      const one = element("div", { class: extra ? "extra" : "usual" },
        element("dt", {}, texts.say(key)), told);
      this.numbers.push(told);
      this.counters.append(one);
    });
    const heading = element("header", {}, this.name, this.spec, this.status);
    if (several) {
      const enlarge = iconButton("enlarge", texts.say("player-enlarge", { label }), () =>
        this.dispatchEvent(new Event("enlarge")),
      );
      enlarge.className = "enlarge";
      enlarge.setAttribute("aria-pressed", "false");
      heading.append(enlarge);
      this.enlarge = enlarge;
    }
    this.side = element("div", { class: "side" }, heading, this.counters);
    const below = element("div", { class: "below" }, this.callout, this.why);
    this.root = element("section", { class: "search", "aria-label": label }, this.side,
      this.board.root, below);
    this.root.style.setProperty("--search", `var(--search-${number})`);
    /** @type {Map<HTMLElement, string>} */
    this.told = new Map();
  }

  /**
   * @param {HTMLElement} where
   * @param {string} text
   */
  tell(where, text) {
    if (this.told.get(where) === text) return;
    this.told.set(where, text);
    where.textContent = text;
  }

  /**
   * Show how the search stands; `callout` is what is said of it and `why` its last step was made.
   * @param {import("./content.js").Callout | null} callout
   * @param {string} why
   */
  show(callout, why) {
    const { content, state, texts } = this;
    const done = state.steps >= content.steps && content.steps > 0;
    this.tell(this.status, done ? visible(content.status) : texts.say("searching"));
    this.root.classList.toggle("done", done);
    this.root.classList.toggle("solved", done && content.outcome === "solved");
    this.tell(this.callout, callout ? visible(callout.sentence) : "");
    this.callout.dataset.tone = callout?.tone ?? "";
    this.tell(this.why, why);
    COUNTERS.forEach(([, count], at) => this.tell(this.numbers[at], texts.number(count(state))));
  }
}
