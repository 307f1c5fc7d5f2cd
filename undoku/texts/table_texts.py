"""Texts of the tables that `undoku solve`, `stats` and `study` print, beside those of films and of
figures."""

from __future__ import annotations

from undoku.texts.language import Text

COLUMN_STRATEGY = Text("column-strategy", "strategy")
COLUMN_OUTCOME = Text("column-outcome", "outcome")
COLUMN_NODES = Text("column-nodes", "nodes")
COLUMN_SECONDS = Text("column-seconds", "seconds")
OUTCOME_SOLVED = Text("outcome-solved", "solved")
OUTCOME_EXHAUSTED = Text("outcome-exhausted", "exhausted")
INTERRUPTED = Text("interrupted", "interrupted")
SOLUTION_ROW = Text("solution-row", "solution  {solution}")
NO_SOLUTION_ROW = Text("no-solution-row", "solution  none")
STEP_ROW = Text("step-row", "step {step}  {sentence}")

# Studies

NO_PUZZLES = Text("no-puzzles", "no puzzles")
COLUMN_MEDIAN = Text("column-median", "median")
COLUMN_QUANTILE = Text("column-quantile", "{number} %")
COLUMN_MOST = Text("column-most", "most")
COLUMN_WINS = Text("column-wins", "wins")
COLUMN_RATIO = Text("column-ratio", "ratio to {strategy}")
COLUMN_INTERVAL = Text("column-interval", "95 % interval")
COLUMN_PUZZLES = Text("column-puzzles", "puzzles")
COLUMN_SEARCHES = Text("column-searches", "searches")
COLUMN_TIE = Text("column-tie", "tie")
COLUMN_GIVENS = Text("column-givens", "givens")
COLUMN_BACKTRACKS_OF = Text("column-backtracks-of", "backtracks of {strategy}")
COLUMN_PAIR = Text("column-pair", "pair")
COLUMN_FEWER = Text("column-fewer", "fewer nodes")
COLUMN_MORE = Text("column-more", "more")
COLUMN_WIN_RATE = Text("column-win-rate", "win rate")
COLUMNS_ARE_NODES = Text("columns-are-nodes", "the columns are nodes")
RATIO_OVER_PUZZLES = Text("ratio-over-puzzles", "a ratio is the geometric mean over the puzzles")
RATIO_OVER_SEARCHES = Text("ratio-over-searches", "a ratio is the geometric mean over the searches")
INTERVAL_RESAMPLED = Text("interval-resampled", "its interval is from {count} resamples")
WITHOUT_WINNER = Text("without-winner", "{count} without a single winner")
WITHOUT_SOLUTION = Text("without-solution", "{puzzles} of these without a solution")
CAPPED_COUNT_AS_CAP = Text(
    "capped-count-as-cap", "* capped searches count as their cap here, so the true ratio differs"
)
TIE_OF_PUZZLES = Text(
    "tie-of-puzzles",
    "the columns are wins (median nodes); a tie is a puzzle that no strategy wins alone",
)
TIE_OF_SEARCHES = Text(
    "tie-of-searches",
    "the columns are wins (median nodes); a tie is a search that no strategy wins alone",
)
TAIL_INDEX = Text(
    "tail-index", "tail index (below 2 the variance, below 1 also the mean is infinite): {indices}"
)
