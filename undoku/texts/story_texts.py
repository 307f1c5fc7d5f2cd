"""The texts of stories, each declared once, as in `undoku.texts.wording`."""

from __future__ import annotations

from undoku.texts.language import Text

SAME_PUZZLE_ORDER = Text("same-puzzle-order", "Same puzzle. Only the order differs.")
SAME_PUZZLE_VALUES = Text(
    "same-puzzle-values", "Same puzzle. Only the order of the digits differs."
)
SAME_PUZZLE_LOGIC = Text("same-puzzle-logic", "Same puzzle. Only the logic differs.")
SAME_PUZZLE_WAY_BACK = Text("same-puzzle-way-back", "Same puzzle. Only the way back differs.")
SAME_PUZZLE_ORDERS = Text(
    "same-puzzle-orders", "Same puzzle. Orders: {fixed} fixed, {chosen} by looking at the board."
)
FEWER_WRONG = Text("fewer-wrong", "Fewer options, fewer wrong guesses.")
FEWER_WRONG_AND_LOGIC = Text(
    "fewer-wrong-and-logic", "Fewer options, fewer wrong guesses. With logic, fewer still."
)
LOGIC_GUESSES_LESS = Text("logic-guesses-less", "What logic finds need not be guessed.")
ALL_SOLUTIONS = Text("all-solutions", "{title} Looking for all solutions.")
RULE = Text("rule", "{rule}.")
ONLY_VALUE = Text("only-value", "Only {value} fits here: no guess.")
ONLY_PLACE = Text("only-place", "The only place for {value} in {unit}.")
OPTIONS_HERE = Text("options-here", "{count} digits fit here. It guesses {value}.")
ONE_RIGHT = Text("one-right", "{count} digits fit here, only one is right. It guesses {value}.")
OPTIONS_WRONG = Text("options-wrong", "{count} digits fit here: this {value} is wrong.")
WRONG_GUESS = Text("wrong-guess", "{count} digits fit here. It guesses {value}: wrong.")
IT_TRIES = Text("it-tries", "It tries {value}.")
ALREADY_WRONG = Text("already-wrong", "This {value} is wrong.")
BOTH_NEED = Text("both-need", "Both cells need {wanted}, so this {value} is wrong.")
NO_OPTION = Text("no-option", "No digit fits here, so this {value} is wrong.")
NO_PLACE = Text("no-place", "No place for {wanted} in {unit}: {value} is wrong.")
NOTICES_AT = Text("notices-at", "{sentence} It notices at step {count}.")
STEPS_WITHOUT_GUESS = Text(
    "steps-without-guess", "Its first {count} digits: no guess, only one fits each."
)
STEPS_BY_LOGIC = Text("steps-by-logic", "{count} digits by logic, without a guess.")
NO_PLACE_BACK = Text(
    "no-place-back", "Dead end: no place for {wanted} in {unit}. {value} is taken back."
)
NO_OPTION_BACK = Text("no-option-back", "Dead end: no digit fits here. {value} is taken back.")
WEIGHED = Text("weighed", "A failure in {unit}: its cells now weigh more.")
DONE_IN = Text(
    "done-in", "Done in {count} steps, {dead_ends}.", one="Done in {count} step, {dead_ends}."
)
DONE_BRIEFLY = Text("done-briefly", "Done in {count} steps.", one="Done in {count} step.")
DONE_FIRST_WRONG = Text(
    "done-first-wrong",
    "Done in {count} steps. It noticed its wrong {value} at step {until}.",
    one="Done in {count} step. It noticed its wrong {value} at step {until}.",
)  # fmt: skip
DONE_WRONG_DIGITS = Text(
    "done-wrong-digits", "Done in {count} steps. {cost}", one="Done in {count} step. {cost}"
)
WRONG_IN_FIRST_CELL = Text(
    "wrong-in-first-cell", "Wrong digits in its first cell cost {count} steps.",
    one="Wrong digits in its first cell cost {count} step.",
)  # fmt: skip
WRONG_IN_FIRST_CELLS = Text(
    "wrong-in-first-cells", "Wrong digits in its first {cells} cells cost {count} steps.",
    one="Wrong digits in its first {cells} cells cost {count} step.",
)  # fmt: skip
WHOLE_TREE_IN = Text(
    "done-whole-tree", "Everything tried in {count} steps.", one="Everything tried in {count} step."
)
NO_SOLUTION_AT_ALL = Text(
    "no-solution-at-all", "No solution. Everything tried in {count} steps.",
    one="No solution. Everything tried in {count} step.",
)  # fmt: skip
NO_OTHER = Text(
    "no-other", "No other solution. Everything tried in {count} steps.",
    one="No other solution. Everything tried in {count} step.",
)  # fmt: skip
FOUND_FIRST = Text("found-first", "One solution found. Is there another?")
STOPPED_NOT_DONE = Text(
    "stopped-not-done", "Stopped after {count} steps, not done.",
    one="Stopped after {count} step, not done.",
)  # fmt: skip
STILL_STUCK = Text("still-stuck", "Still stuck on its first wrong {value}.")
DEAD_ENDS_SO_FAR = Text("dead-ends-so-far", "{dead_ends} so far.")
VAIN_SO_FAR = Text(
    "vain-so-far", "The wrong {value} still stands: {count} steps in vain.",
    one="The wrong {value} still stands: {count} step in vain.",
)  # fmt: skip
DEAD_ENDS_STANDS = Text("dead-ends-stands", "{dead_ends} so far. The wrong {value} still stands.")
GOES_ON_ALONE = Text("goes-on-alone", "The others are done. This one goes on.")
IN_VAIN = Text("in-vain", "All work after the wrong {value} is in vain.")
VAIN_UNTIL = Text("vain-until", "It goes on with the wrong {value} until step {count}.")
LAST_FIRST = Text(
    "last-first", "It changes its last digits first. The wrong {value} stays until step {count}."
)
NOTICES_WRONG = Text("notices-wrong", "It notices its wrong {value} at step {count}.")
WRONG_TAKEN_BACK = Text("wrong-taken-back", "Wrong {value} taken back at step {count}.")
WRONG_AGAIN = Text("wrong-again", "{sentence} Then {value} there: wrong, too.")
SMALL_DIGITS = Text("small-digits", "Small digits: what still fits in a cell.")
FEWEST_FIT = Text("fewest-fit", "Takes the cell where the fewest digits fit")
LEAST_LIMITING = Text("least-limiting", "Tries the digit that limits other cells least")
BACK_TO_CAUSE = Text("back-to-cause", "Goes back to the last guess involved in the failure")
REMEMBERS_FAILURES = Text("remembers-failures", "Remembers which guesses failed together")
ORDER_FIXED = Text("order-fixed", "{count} boards: the order is fixed in advance.")
FEWEST_TOGETHER = Text("fewest-together", "{count} boards: always where the fewest digits fit.")
FORCED_OR_FEWEST = Text(
    "forced-or-fewest", "{count} boards: forced digits, or the fewest options first."
)
FEWEST_PER_FAILURE = Text("fewest-per-failure", "Fewest options per failure first.")
FEWEST_BRIEFLY = Text("fewest-briefly", "Where fewest digits fit.")
IN_READING_ORDER = Text("in-reading-order", "In reading order.")
FIRST_CHOICES = Text("first-choices", "Tries first choices only, then one exception, then two")
COLUMN_BY_COLUMN = Text("column-by-column", "Column by column.")
BOX_BY_BOX = Text("box-by-box", "Box by box.")
IN_A_SPIRAL = Text("in-a-spiral", "In a spiral.")
SORTED_ONCE = Text("sorted-once", "Sorted only once.")
IN_RANDOM_ORDER = Text("in-random-order", "In random order.")
LOWEST_FIRST = Text("lowest-first", "Lowest digit first.")
HIGHEST_FIRST = Text("highest-first", "Highest digit first.")
LEAST_LIMITING_BRIEFLY = Text("least-limiting-briefly", "Least limiting digit first.")
TO_CAUSE_BRIEFLY = Text("to-cause-briefly", "Jumps back to the cause.")
ONLY_BRIEFLY = Text("only-briefly", "Only {value} fits: no guess.")
GUESS_BRIEFLY = Text("guess-briefly", "{count} digits fit: guesses {value}.")
NO_GUESSES_BRIEFLY = Text("no-guesses-briefly", "{count} digits without a guess.")
STUCK_BRIEFLY = Text("stuck-briefly", "Still stuck: wrong {value}.")
A_STEP = Text("a-step", "A step writes a digit or takes one back.")
A_STEP_BRIEFLY = Text("a-step-briefly", "Step: a digit on or off the board.")
