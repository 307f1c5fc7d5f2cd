"""The texts of stories, each declared once, as in `render.texts.wording`."""

from __future__ import annotations

from render.texts.language import Text

SAME_PUZZLE_ORDER = Text("same-puzzle-order", "Same puzzle. Only the order differs.")
SAME_PUZZLE_VALUES = Text(
    "same-puzzle-values", "Same puzzle. Only the order of the digits differs."
)
SAME_PUZZLE_LOGIC = Text("same-puzzle-logic", "Same puzzle. Only the logic differs.")
SAME_PUZZLE_WAY_BACK = Text("same-puzzle-way-back", "Same puzzle. Only the way back differs.")
SAME_PUZZLE_ORDERS = Text(
    "same-puzzle-orders", "Same puzzle. Orders: {fixed} fixed, {chosen} by looking at the board."
)
ALL_SOLUTIONS = Text("all-solutions", "Looking for all solutions. {title}")
RULE = Text("rule", "{rule}.")
ONLY_OPTION = Text("only-option", "Only {value} fits here: it can't be wrong.")
ONLY_VALUE = Text("only-value", "Only {value} fits here.")
ONLY_PLACE = Text("only-place", "The only place for {value} in {unit}.")
OPTIONS_HERE = Text("options-here", "{count} options here. It tries {value}.")
ONE_RIGHT = Text("one-right", "{count} options here, only one is right. It tries {value}.")
OPTIONS_WRONG = Text("options-wrong", "{count} options here. It tries {value}, which is wrong.")
IT_TRIES = Text("it-tries", "It tries {value}.")
ALREADY_WRONG = Text("already-wrong", "This {value} is already wrong.")
BOTH_NEED = Text("both-need", "Both need {wanted}. This {value} is already wrong.")
BOTH_NEED_ROW = Text(
    "both-need-row", "Both need {wanted}, in the same row. This {value} is already wrong."
)
BOTH_NEED_COLUMN = Text(
    "both-need-column", "Both need {wanted}, in the same column. This {value} is already wrong."
)
BOTH_NEED_BOX = Text(
    "both-need-box", "Both need {wanted}, in the same box. This {value} is already wrong."
)
BOTH_NEED_REGION = Text(
    "both-need-region", "Both need {wanted}, in the same region. This {value} is already wrong."
)
NO_OPTION = Text("no-option", "No option left here. This {value} is already wrong.")
NO_PLACE = Text("no-place", "No place for {wanted} in {unit}: {value} is wrong.")
STEPS_WITHOUT_GUESS = Text(
    "steps-without-guess", "Its first {count} digits: one option each, no guess."
)
STEPS_BY_LOGIC = Text("steps-by-logic", "{count} digits by logic, without a guess.")
NO_PLACE_BACK = Text(
    "no-place-back", "Dead end: no place for {wanted} in {unit}. {value} is taken back."
)
NO_OPTION_BACK = Text("no-option-back", "Dead end: no option left here. {value} is taken back.")
WEIGHED = Text("weighed", "A failure in {unit}: its cells now weigh more.")
DONE_IN = Text(
    "done-in", "Done in {count} steps, {dead_ends}.", one="Done in {count} step, {dead_ends}."
)
DONE_TAKEN_BACK = Text(
    "done-taken-back", "Done in {count} steps. {dead_ends}, {taken_back}.",
    one="Done in {count} step. {dead_ends}, {taken_back}.",
)  # fmt: skip
DONE_WRONG_TOO = Text(
    "done-wrong-too",
    "Done in {count} steps. {taken_back}, its wrong {value}, too. {dead_ends}.",
    one="Done in {count} step. {taken_back}, its wrong {value}, too. {dead_ends}.",
)  # fmt: skip
WHOLE_TREE_IN = Text(
    "done-whole-tree", "Everything tried in {count} steps.", one="Everything tried in {count} step."
)
FOUND_FIRST = Text("found-first", "Solution found. Are there others? It goes on.")
STOPPED_NOT_DONE = Text(
    "stopped-not-done", "Stopped after {count} steps, not done.",
    one="Stopped after {count} step, not done.",
)  # fmt: skip
STILL_STUCK = Text("still-stuck", "Still stuck on its first wrong {value}.")
DEAD_ENDS_SO_FAR = Text("dead-ends-so-far", "{dead_ends} so far.")
DEAD_ENDS_AFTER = Text(
    "dead-ends-after", "{count} taken back, but not the wrong {value}. {dead_ends} so far.",
    one="{count} taken back, but not the wrong {value}. {dead_ends} so far.",
)  # fmt: skip
GOES_ON_ALONE = Text("goes-on-alone", "The others are done. {dead_ends}, and it goes on.")
IN_VAIN = Text("in-vain", "All work after the wrong {value} is in vain.")
WRONG_TAKEN_BACK = Text(
    "wrong-taken-back", "First wrong {value} taken back at step {count}.",
    one="First wrong {value} taken back at step {count}.",
)  # fmt: skip
SMALL_DIGITS = Text("small-digits", "Small digits: what still fits in a cell.")
COUNTS_OPTIONS = Text("counts-options", "Counts each cell's options, takes the fewest.")
FEWER_WRONG = Text(
    "fewer-wrong", "Counts each cell's options, takes the fewest. Fewer ways to guess wrong."
)
WHATEVER_OPTIONS = Text("whatever-options", "{rule}. It doesn't count their options.")
A_STEP = Text("a-step", "A step writes a digit or takes one back.")
