"""Texts of figures (`undoku chart`, `undoku study`), beside those that they share with films."""

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
