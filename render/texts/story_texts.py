"""The texts of stories, each declared once, as in `render.texts.wording`."""

from __future__ import annotations

from render.texts.language import Text

SAME_PUZZLE_ORDER = Text("same-puzzle-order", "Same puzzle. Only the order differs.")
SAME_PUZZLE_VALUES = Text(
    "same-puzzle-values", "Same puzzle. Only the order of the digits differs."
)
SAME_PUZZLE_LOGIC = Text("same-puzzle-logic", "Same puzzle. Only the logic differs.")
SAME_PUZZLE_WAY_BACK = Text("same-puzzle-way-back", "Same puzzle. Only the way back differs.")
ALL_SOLUTIONS = Text("all-solutions", "Looking for all solutions. {title}")
RULE = Text("rule", "{rule}.")
ONLY_OPTION = Text("only-option", "Only one option here: {value}.")
ONLY_PLACE = Text("only-place", "The only place for {value} in {unit}.")
OPTIONS_HERE = Text("options-here", "{count} options here. It tries {value}.")
OPTIONS_WRONG = Text("options-wrong", "{count} options here. It tries {value}, which is wrong.")
IT_TRIES = Text("it-tries", "It tries {value}.")
ALREADY_WRONG = Text("already-wrong", "This {value} is already wrong.")
BOTH_NEED = Text("both-need", "Both need {wanted}. This {value} is already wrong.")
NO_OPTION = Text("no-option", "No option left here. This {value} is already wrong.")
NO_PLACE = Text("no-place", "No place for {wanted} in {unit}: {value} is wrong.")
STEPS_WITHOUT_GUESS = Text("steps-without-guess", "{count} steps, no guess: one option each.")
STEPS_BY_LOGIC = Text("steps-by-logic", "{count} digits by logic, without a guess.")
NO_PLACE_BACK = Text("no-place-back", "Dead end: no place for {wanted} in {unit}. {value} must go.")
NO_OPTION_BACK = Text("no-option-back", "Dead end: no option left here. {value} must go.")
WEIGHED = Text("weighed", "A failure in {unit}: its cells now weigh more.")
DONE_IN = Text(
    "done-in", "Done in {count} steps, {dead_ends}.", one="Done in {count} step, {dead_ends}."
)
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
DEAD_ENDS_AFTER = Text("dead-ends-after", "{dead_ends} so far, all after its wrong {value}.")
GOES_ON_ALONE = Text("goes-on-alone", "The others are done. {dead_ends}, and it goes on.")
IN_VAIN = Text("in-vain", "All work after the wrong {value} is in vain.")
WRONG_TAKEN_BACK = Text(
    "wrong-taken-back", "First wrong {value} taken back at step {count}.",
    one="First wrong {value} taken back at step {count}.",
)  # fmt: skip
SMALL_DIGITS = Text("small-digits", "Small digits: what still fits in a cell.")
COUNTS_OPTIONS = Text("counts-options", "Counts each cell's options, takes the fewest.")
A_STEP = Text("a-step", "A step writes a digit or takes one back.")
