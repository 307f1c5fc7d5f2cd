"""Every text of films, declared once: its key, its English wording, and `{placeholders}` for
values. Counted texts have a form for a count of 1, `one`, and are called with a `count`.

A text is a whole sentence or a whole label. Other languages order and inflect words differently, so
sentences can't be put together from parts.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import TYPE_CHECKING

from undoku.texts.language import Text, decimal, number

if TYPE_CHECKING:
    from undoku.solver.problem.puzzle import Geometry

# Lists and numbers

LIST_MIDDLE = Text("list-middle", "{first}, {rest}")
LIST_END = Text("list-end", "{first} and {last}")
VERSUS = Text("versus", "{first} vs {last}")
LABELLED = Text("labelled", "{label}: {sentence}")
THOUSANDS = Text("thousands", "{number}k")
MILLIONS = Text("millions", "{number}M")
BILLIONS = Text("billions", "{number}G")
STEPS = Text("steps", "{count} steps", one="{count} step")
TIMES = Text("times", "{factor}×")
UNIT_OF_TIMES = Text("unit-of-times", "1× = {steps}")

# The title and the title card

TITLE_ONE_SEARCH = Text("title-one-search", "One search, step by step")
TITLE_STRATEGIES = Text("title-strategies", "One puzzle, {number} strategies")
TITLE_SEARCHES = Text("title-searches", "{number} searches")
TWO = Text("two", "two")
THREE = Text("three", "three")
FOUR = Text("four", "four")
FIVE = Text("five", "five")
SIX = Text("six", "six")
PUZZLES = Text("puzzles", "{count} puzzles", one="{count} puzzle")
BOARD = Text("board", "{side}×{side}")
BOARD_JIGSAW = Text("board-jigsaw", "{side}×{side} jigsaw")
BOARD_LATIN = Text("board-latin", "{side}×{side} Latin square")
BOARD_WITH = Text("board-with", "{board} with {units}")
DIAGONALS = Text("diagonals", "diagonals")
WINDOWS = Text("windows", "windows")
DISJOINT_GROUPS = Text("disjoint-groups", "disjoint groups")
BOARD_GIVENS = Text("board-givens", "{board}, {count} givens", one="{board}, {count} given")

# Strategies, beside the names of their parts (`undoku.texts.strategy_texts`)

AT_THE_START = Text("at-the-start", "{rules} at the start")
INFERS = Text("infers", "{rules} first")
INFERS_ONCE = Text("infers-once", "Logic once, before the first guess: {rules}")

# The end card

HEAD_NONE_FINISHED = Text("head-none-finished", "No search finished")
ALL_STOPPED = Text("all-stopped", "all were stopped by their limit")
HEAD_NO_STEP = Text("head-no-step", "No step against {steps}")
INSTEAD_OF = Text("instead-of", "{best} instead of {worst}")
HEAD_FEWER = Text("head-fewer", "{factor}× fewer steps")
HEAD_MORE_THAN = Text("head-more-than", "More than {factor}× fewer steps")
HEAD_ALMOST_SAME = Text("head-almost-same", "Almost the same")
WHY_DEAD_ENDS = Text(
    "why-dead-ends",
    "Wrong guesses led {best} into {few} dead ends, {worst} into {many}.",
)
WHY_NO_DEAD_END = Text(
    "why-no-dead-end",
    "{best} ran into no dead end. Wrong guesses led {worst} into {many}.",
)
WHY_FEWER_FIT = Text(
    "why-fewer-fit",
    "Where fewer digits fit, fewer guesses are wrong. Dead ends: {few} instead of {many}.",
)
WHY_TIE = Text(
    "why-tie", "Each search wrote {places} digits and took {count} of them back.",
    one="Each search wrote {places} digits and took one of them back.",
)  # fmt: skip
WHY_TIE_STRAIGHT = Text(
    "why-tie-straight", "No search met a dead end: each wrote {places} digits and took none back."
)
WHY_FORCED = Text(
    "why-forced", "{best}: {forced} of {places} digits follow by logic, without a guess."
)
WHY_FIXED = Text("why-fixed", "The order fixed in advance met {many} dead ends.")
WHY_FIXED_EACH = Text("why-fixed-each", "Each order fixed in advance met {many} dead ends.")
WHY_FIXED_RANGE = Text("why-fixed-range", "Orders fixed in advance met {many} to {most} dead ends.")
WHY_LOOKS = Text("why-looks", "The one that looks at the board at each step met {few}.")
WHY_LOOKS_NONE = Text("why-looks-none", "The one that looks at the board at each step met none.")
WHY_LOOK_MOST = Text(
    "why-look-most", "Those that look at the board at each step met {few} at most."
)
WHY_LOOK_NONE = Text("why-look-none", "Those that look at the board at each step met none.")
WHY_GUESSES = Text("why-guesses", "Digits guessed: {best} {few}, {worst} {many}.")
BOTH_STEPS = Text("both-steps", "{best}: {few} steps, {worst}: {many} steps")
HEAD_SOLVED_IN = Text("head-solved-in", "Solved in {count} steps", one="Solved in {count} step")
HEAD_STOPPED_AFTER = Text(
    "head-stopped-after", "Stopped after {count} steps", one="Stopped after {count} step"
)
HEAD_WHOLE_TREE = Text(
    "head-whole-tree", "Everything tried in {count} steps: {found}",
    one="Everything tried in {count} step: {found}",
)  # fmt: skip
SOLUTIONS = Text("solutions", "{count} solutions", one="{count} solution")
NO_SOLUTION = Text("no-solution", "no solution")
TOOK_BACK = Text(
    "took-back", "{label} took back {count} digits", one="{label} took back {count} digit"
)
TOOK_BACK_NONE = Text("took-back-none", "{label} took back no digit")
HEAD_TIE = Text("head-tie", "A tie: {count} steps each", one="A tie: {count} step each")
HEAD_FINISHED = Text("head-finished", "{labels}: {count} steps", one="{labels}: {count} step")
STOPPED_BY_LIMIT = Text(
    "stopped-by-limit",
    "{labels} were stopped by the limit",
    one="{labels} was stopped by the limit",
)
PROVED_NONE = Text(
    "proved-none", "{label} proved in {count} steps that there is no solution",
    one="{label} proved in {count} step that there is no solution",
)  # fmt: skip
PROVED_UNIQUE = Text(
    "proved-unique", "{label} proved in {count} steps that there is only one solution",
    one="{label} proved in {count} step that there is only one solution",
)  # fmt: skip
FOUND_ALL = Text(
    "found-all", "{label} found all {solutions} solutions in {count} steps",
    one="{label} found all {solutions} solutions in {count} step",
)  # fmt: skip
PROVED_NONE_IN = Text(
    "proved-none-in", "{label} proved in {share} of the steps that there is no solution"
)
PROVED_UNIQUE_IN = Text(
    "proved-unique-in", "{label} proved in {share} of the steps that there is only one solution"
)
FOUND_ALL_IN = Text(
    "found-all-in", "{label} found all {solutions} solutions in {share} of the steps"
)
SHARE = Text("share", "1/{factor}")
PERCENT = Text("percent", "{number}%")
HEAD_AND_SENTENCE = Text("head-and-sentence", "{headline}: {sentence}")
BAR_STOPPED = Text("bar-stopped", "{count} steps, stopped", one="{count} step, stopped")
BAR_TAKEN_BACK = Text("bar-taken-back", "{count} taken back", one="{count} taken back")
DEAD_ENDS = Text("dead-ends", "{count} dead ends", one="{count} dead end")
BAR_FEWER = Text("bar-fewer", "{factor}× fewer")
BAR_DEAD_ENDS_FEWER = Text("bar-dead-ends-fewer", "{dead_ends}, {factor}× fewer steps")
NO_DEAD_END = Text("no-dead-end", "no dead end")
BAR_AT_LEAST = Text("bar-at-least", "{steps}+")
NOTE_STEP = Text("note-step", "One step: a digit is written or taken back.")
NOTE_MARKS = Text("note-marks", "Each mark is ten times the one before.")

# The clock

RATE_FRAME = Text("rate-frame", "{count} steps per frame", one="{count} step per frame")
RATE_FRAME_LONGEST = Text(
    "rate-frame-longest", "{count} steps of the longest per frame",
    one="{count} step of the longest per frame",
)  # fmt: skip
RATE_SECOND = Text("rate-second", "{count} steps per second", one="{count} step per second")
RATE_SECOND_LONGEST = Text(
    "rate-second-longest", "{count} steps of the longest per second",
    one="{count} step of the longest per second",
)  # fmt: skip
RATE_TIME = Text("rate-time", "{time} of search per frame")
ON_BOTH_BOARDS = Text("on-both-boards", "{speed}, both boards")
ON_ALL_BOARDS = Text("on-all-boards", "{speed}, all boards")
STEP_NUMBER = Text("step-number", "step {step}")
SECONDS = Text("seconds", "{number} s")
MILLISECONDS = Text("milliseconds", "{number} ms")
MICROSECONDS = Text("microseconds", "{number} µs")
NANOSECONDS = Text("nanoseconds", "{number} ns")
ON_AVERAGE = Text("on-average", "{speed} on average")
IN_EVERY_PANEL = Text("in-every-panel", "{speed} in every panel")
ALL_FINISH_TOGETHER = Text("all-finish-together", "{speed}; all finish together")
EACH_AS_FAST = Text("each-as-fast", "{speed}, each as fast as it was")
SLOW_AT_ENDS = Text("slow-at-ends", "{speed}, slow at both ends")
SLOW_AT_HIGHLIGHTS = Text("slow-at-highlights", "{speed}, slow at the highlights")
WITH_FRAMES = Text("with-frames", "{speed}, {frames} frames per second")
STEP_OF = Text("step-of", "step {step} of {steps}")

# Charts

DEPTH = Text("depth", "depth")
FILLED_IN_STEPS = Text("filled-in-steps", "digits filled in, step by step")
FILLED_IN = Text("filled-in", "digits filled in")
GUESSED_DIGITS = Text("guessed-digits", "guesses on the board, step by step")
GUESSED = Text("guessed", "guesses on the board")
GUESSED_RESTARTS = Text("guessed-restarts", "guesses on the board; marks at the top: restarts")
DEPTH_RESTARTS = Text("depth-restarts", "depth; at the top: restarts")
WRITTEN_EARLY = Text("written-early", "early")
WRITTEN_LATE = Text("written-late", "late")
TAKEN_BACK_OFTEN = Text("taken-back-often", "taken back")
DEAD_END_MARK = Text("dead-end-mark", "dead end")
BY_LOGIC = Text("by-logic", "by logic")
JUST_CHANGED = Text("just-changed", "just changed")
BEING_TRIED = Text("being-tried", "tried")
WRONG_DIGIT = Text("wrong-digit", "wrong")
TREE = Text("tree", "tree")
TRIES = Text("tries", "tries")
NODES = Text("nodes", "{count} nodes", one="{count} node")
UP_TO = Text("up-to", "up to {number}")

# Filmstrips

MOMENTS = Text("moments", "{count} moments of {steps}", one="{count} moment of {steps}")
EVENLY_SPACED = Text("evenly-spaced", "{moments}, evenly spaced")
STEP = Text("step", "step {step}")

# How a search stands

SEARCHING = Text("searching", "searching")
TRACE_ENDS_AFTER = Text(
    "trace-ends-after", "the trace ends here, after {count} steps",
    one="the trace ends here, after {count} step",
)  # fmt: skip
TRACE_ENDS_AT = Text(
    "trace-ends-at", "trace ends at {count} steps", one="trace ends at {count} step"
)
TRACE_ENDS = Text("trace-ends", "trace ends")
SOLVED_IN = Text("solved-in", "✓ solved in {count} steps", one="✓ solved in {count} step")
SOLVED_STEPS = Text("solved-steps", "✓ {count} steps", one="✓ {count} step")
SOLVED = Text("solved", "✓ solved")
SOLVED_MARK = Text("solved-mark", "✓")
CAPPED_AFTER = Text("capped-after", "stopped after {count} steps", one="stopped after {count} step")
CAPPED_AT = Text("capped-at", "stopped at {count} steps", one="stopped at {count} step")
CAPPED = Text("capped", "stopped")

# Counters

COUNTER_STEPS = Text("counter-steps", "steps")
COUNTER_TAKEN_BACK = Text("counter-taken-back", "taken back")
COUNTER_SOLUTIONS = Text("counter-solutions", "solutions")
COUNTER_DEPTH = Text("counter-depth", "depth")
COUNTER_DEAD_ENDS = Text("counter-dead-ends", "dead ends")
COUNTER_BACKTRACKS = Text("counter-backtracks", "backtracks")
COUNTER_RESTARTS = Text("counter-restarts", "restarts")
COUNTER_NOGOODS = Text("counter-nogoods", "nogoods")
COUNTER_PROBES = Text("counter-probes", "probes")
COUNTER_BRANCHING = Text("counter-branching", "branching")

# Highlights

PART_AT = Text("part-at", "{first} and {second} part at step {step}")
GIVEN_UP = Text("given-up", "{count} cells given up at once", one="{count} cell given up at once")
WRONG_COSTS = Text(
    "wrong-costs", "{value} in {cell} is wrong, and costs {count} steps",
    one="{value} in {cell} is wrong, and costs {count} step",
)  # fmt: skip
RIGHT_PATH = Text("right-path", "the right path, for good")
SOLVED_AFTER = Text("solved-after", "solved after {count} steps", one="solved after {count} step")
CELL = Text("cell", "row {row}, column {column}")

# Searches that go on after a solution

SOLUTIONS_FOUND = Text("solutions-found", "{count} solutions found", one="{count} solution found")
NO_OTHER_SOLUTION = Text("no-other-solution", "No other solution")
ALL_SOLUTIONS_FOUND = Text(
    "all-solutions-found", "All {count} solutions found", one="The only solution"
)
WHOLE_TREE = Text("whole-tree", "all tried: {found}")
WHOLE_TREE_IN = Text(
    "whole-tree-in", "all tried: {found} in {count} steps",
    one="all tried: {found} in {count} step",
)  # fmt: skip

# The scale of tries

TRIES_LONG = Text("tries-long", "how often each cell was tried:")
TRIES_MEDIUM = Text("tries-medium", "tries of a cell:")
TRIES_SHORT = Text("tries-short", "tries:")
RANGE = Text("range", "{least}–{most}")


def listed(names: Sequence[str]) -> str:
    """ "a", "a and b", "a, b and c" """
    if len(names) == 1:
        return names[0]
    first = names[0]
    for name in names[1:-1]:
        first = LIST_MIDDLE(first=first, rest=name)
    return LIST_END(first=first, last=names[-1])


def versus(names: Sequence[str]) -> str:
    """ "a vs b vs c" """
    found = names[0]
    for name in names[1:]:
        found = VERSUS(first=found, last=name)
    return found


def short_number(value: int) -> str:
    """A count in few letters: 9,400 below ten thousand, then 12k, 3.4M, 1.2G, rounded down."""
    if value < 10_000:
        return number(value)
    for text, size in ((BILLIONS, 10**9), (MILLIONS, 10**6), (THOUSANDS, 10**3)):
        if value >= size:
            tenths = value * 10 // size
            whole = tenths >= 100 or tenths % 10 == 0
            return text(number=number(tenths // 10) if whole else decimal(tenths / 10))
    raise AssertionError


def number_word(value: int) -> str:
    """A number from 2 to 6 as a word, others in figures."""
    words = {2: TWO, 3: THREE, 4: FOUR, 5: FIVE, 6: SIX}
    return words[value]() if value in words else number(value)


def dead_ends_text(count: int) -> str:
    """How many dead ends a search met, in words for none."""
    return DEAD_ENDS(count=count) if count else NO_DEAD_END()


def capitalised(text: str) -> str:
    """A text with a large first letter."""
    return text[:1].upper() + text[1:]


def time_text(seconds: Fraction) -> str:
    """A time below a second or above, in the unit that suits it: 3.2 µs, 15 ms, 2 s."""
    for text, parts in ((SECONDS, 1), (MILLISECONDS, 1000), (MICROSECONDS, 10**6)):
        if seconds * parts >= 1:
            return text(number=seconds * parts)
    return NANOSECONDS(number=seconds * 10**9)


def cell_name(geometry: Geometry, cell: int) -> str:
    """The name of a cell: "row 2, column 5", both from 1."""
    row, column = geometry.position(cell)
    return CELL(row=row + 1, column=column + 1)
