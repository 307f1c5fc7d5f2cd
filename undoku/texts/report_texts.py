"""Texts of figures (`undoku chart`, `undoku study`), and of the tables that commands print, beside
those that they share with films.
"""

from __future__ import annotations

from undoku.texts.language import Text

# Numbers

TRILLIONS = Text("trillions", "{number}T")
AT_LEAST = Text("at-least", "≥{number}")
LESS_THAN = Text("less-than", "<{number}")
MORE_THAN = Text("more-than", ">{number}")

# Charts of searches

STEPS_HEADING = Text("steps-heading", "Steps")
STEPS_BY_TENS = Text("steps-by-tens", "Steps, each mark ten times the one before")
BACKTRACKS = Text("backtracks", "{count} backtracks", one="{count} backtrack")
CHART_DEPTH = Text("chart-depth", "Depth over its steps")
CHART_NODES = Text("chart-nodes", "Nodes by depth")
CHART_BRANCHING = Text("chart-branching", "Children per node, by depth")
CHART_OPTIONS = Text("chart-options", "Choices by options")

# Studies

WITH_SEEDS = Text("with-seeds", "{puzzles} with {seeds} seeds")
DOT_IS_PUZZLE = Text("dot-is-puzzle", "{searched}; each dot is a puzzle")
DOT_IS_SEARCH = Text("dot-is-search", "{searched}; each dot is a search")
DOT_IS_ONE_IN = Text("dot-is-one-in", "{searched}; each dot is one in {number} of them")
STUDY_NODES = Text("study-nodes", "Nodes (the line: the median)")
STUDY_RATIOS = Text("study-ratios", "Nodes divided by those of {strategy} on the same puzzle")
MEDIAN = Text("median", "median {nodes}")
GEOMETRIC_MEAN = Text("geometric-mean", "geometric mean {ratio}")
WITH_INTERVAL = Text("with-interval", "{mean}, 95 % interval {low} to {high}")
CAPPED_SHARE = Text("capped-share", "{share} capped (hollow)")
FEWEST_NODES = Text("fewest-nodes", "{searched}: who needs the fewest nodes")
SOLVED_WITHIN = Text("solved-within", "Share solved within so many nodes (grey: the others)")
NOT_SOLVED_YET = Text(
    "not-solved-yet",
    "Share not solved yet, both scales logarithmic (a heavy tail is a straight line)",
)
WINS_BY_GIVENS = Text("wins-by-givens", "Wins by givens (puzzles in brackets; grey: ties)")
WINS_BY_GIVENS_SEEDS = Text(
    "wins-by-givens-seeds", "Wins by givens (searches in brackets; grey: ties)"
)
WINS_BY_BACKTRACKS = Text(
    "wins-by-backtracks", "Wins by backtracks of {strategy} (puzzles in brackets; grey: ties)"
)
WINS_BY_BACKTRACKS_SEEDS = Text(
    "wins-by-backtracks-seeds",
    "Wins by backtracks of {strategy} (searches in brackets; grey: ties)",
)
IN_BRACKETS = Text("in-brackets", "{name} ({number})")
IN_PAIRS = Text("in-pairs", "In pairs: how often the first needs fewer nodes (ties left out)")
AGAINST = Text("against", "{first} against {second}")
WIN_RATE = Text(
    "win-rate", "{share} ({low} to {high}), {count} ties",
    one="{share} ({low} to {high}), {count} tie",
)  # fmt: skip
ALL_TIES = Text("all-ties", "all ties")


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
