/** The content of a page: the object that `undoku.player.page_content` writes. */

export interface Unit {
  cells: number[];
  /** Added to the values of the cells before they are compared; empty for none. */
  shifts: number[];
  name: string;
  key: string;
}

/**
 * A square of a board: its cell; its row and column, in squares; the value that it stands for, 0 for
 * all; whether it shows only colours; and the sides on which its cell ends and those with a strong
 * line, bits: left, top, right, bottom.
 */
export type Field = [number, number, number, number, boolean, number, number];

export interface Board {
  size: number;
  side: number;
  form: "grid" | "fields" | "regions" | "nodes";
  coloured: boolean;
  /** The marks of the values on the board, and their names in sentences. */
  symbols: string[];
  names: string[];
  /** The names of the cells. */
  cells: string[];
  givens: number[];
  /** The values that each cell may take at all, as masks; empty if all may take all. */
  domains: number[];
  units: Unit[];
  fields: Field[];
  /** Lines between nodes, x0, y0, x1, y1 in squares. */
  edges: [number, number, number, number][];
  extra: number[];
}

export interface GivenReasons {
  kinds: [string, string][];
  steps: number[];
  numbers: number[];
}

export interface SearchContent {
  label: string;
  spec: string;
  board: number;
  steps: number;
  undos: number;
  dead_ends: number;
  nodes: number;
  deepest: number;
  outcome: "solved" | "exhausted" | "capped";
  exhaustive: boolean;
  status: string;
  reasons: GivenReasons | null;
  events: number;
  undoCells: boolean;
  restoreCells: boolean;
}

/** First frame of the race, frames, first step, and the speed: steps in a number of frames. */
export type Stretch = [number, number, number, number, number];

/** Kind, first frame, frames, first step, steps, and the search that it is about, -1 for all. */
export type Beat = [string, number, number, number, number, number];

export interface TimelineContent {
  fps: [number, number];
  frames: number;
  intro: number;
  race: number;
  card: number;
  growth: number;
  first: number;
  last: number;
  totals: number[];
  stretches: Stretch[];
  beats: Beat[];
  waits: number[];
  answer: [number, number, number] | null;
  scales: [string, string][];
}

export interface Callout {
  search: number;
  start: number;
  end: number;
  lines: string[];
  rings: number;
  placed: number;
  shown: number[];
  lit: number[];
  /** The value that all cells `shown` need, 0 for none. */
  wanted: number;
  /** Those of `shown` that lost the option `value` with the cell `placed`. */
  narrowed: number[];
  /** The values that fit the cell `placed`, of which `value` is taken. */
  options: number[];
  value: number;
  tone: "" | "wrong" | "result";
}

export interface Highlight {
  search: number;
  step: number;
  frame: number;
  sentence: string;
}

/** The number of a search, the length of its bar, the share of guesses, its number, and its cause. */
export type CardRow = [number, number, number, string, string];

export interface CardContent {
  headline: string;
  large: boolean;
  below: string;
  rows: CardRow[];
  answer: string[];
}

export interface LapsContent {
  steps: number;
  first: number;
  caption: string;
  ratio: string;
}

/** The text of a line, its level of indentation, and what the search does when it runs. */
export type CodeLine = [string, number, string];

export interface CodeContent {
  lines: CodeLine[];
  own: boolean;
}

/** The first frame, the frame after the last, and the sentence. */
export type Notice = [number, number, string];

export interface TextContent {
  language: string;
  rightToLeft: boolean;
  thousands: string;
  decimals: string;
  plurals: string[];
  wordings: Record<string, Record<string, string>>;
}

export interface ThemeContent {
  colours: Record<string, Record<string, string>>;
  schemes: Record<string, string>;
  system: boolean;
}

export interface Content {
  title: string;
  command: string;
  boards: Board[];
  searches: SearchContent[];
  timeline: TimelineContent;
  callouts: Callout[];
  highlights: Highlight[];
  notices: Notice[];
  counters: string[];
  code: CodeContent[];
  ratio: CardContent;
  card: CardContent;
  laps: LapsContent | null;
  verdict: string;
  texts: TextContent;
  themes: ThemeContent;
  panels: string[];
  heat: string;
  events: string;
  live?: boolean;
  /** In a preview: the number of changes before the server made the page. */
  version?: number;
  films?: string[];
  film?: number;
}
