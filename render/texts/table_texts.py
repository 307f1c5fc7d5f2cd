"""Texts of the tables that `undoku solve` and `undoku stats` print, beside those of films."""

from __future__ import annotations

from render.texts.language import Text

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
