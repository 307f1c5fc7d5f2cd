"""Every text of films, declared once: its key, what it says in English, and `{places}` for what is
filled in. Counted texts have a form for one, `one`, and are called with a `count`.

A text is a whole sentence or a whole label: other languages order and inflect words in other ways,
so that halves can't be put together.
"""

from __future__ import annotations

from collections.abc import Sequence

from render.texts.language import Text, decimal, number

# Lists and numbers

LIST_MIDDLE = Text("list-middle", "{first}, {rest}")
LIST_END = Text("list-end", "{first} and {last}")
LABELLED = Text("labelled", "{label}: {sentence}")
THOUSANDS = Text("thousands", "{number}k")
MILLIONS = Text("millions", "{number}M")
BILLIONS = Text("billions", "{number}G")
STEPS = Text("steps", "{count} steps", one="{count} step")
TIMES = Text("times", "{factor}×")

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

# Strategies, beside the names of their parts (`render.texts.strategy_texts`)

AT_THE_START = Text("at-the-start", "{rules} at the start")
INFERS = Text("infers", "infers by {rules}")
INFERS_ONCE = Text("infers-once", "infers once, before the first guess, by {rules}")

# The end card

HEAD_NONE_FINISHED = Text("head-none-finished", "No search finished")
ALL_STOPPED = Text("all-stopped", "all were stopped by their limit")
HEAD_NO_STEP = Text("head-no-step", "No step against {steps}")
INSTEAD_OF = Text("instead-of", "{best} instead of {worst}")
HEAD_FEWER = Text("head-fewer", "{factor}× fewer steps")
HEAD_MORE_THAN = Text("head-more-than", "More than {factor}× fewer steps")
HEAD_ALMOST_SAME = Text("head-almost-same", "Almost the same")
BOTH_STEPS = Text("both-steps", "{best}: {few} steps, {worst}: {many} steps")
HEAD_SOLVED_IN = Text("head-solved-in", "Solved in {count} steps", one="Solved in {count} step")
HEAD_STOPPED_AFTER = Text(
    "head-stopped-after", "Stopped after {count} steps", one="Stopped after {count} step"
)
HEAD_WHOLE_TREE = Text(
    "head-whole-tree", "Whole tree in {count} steps: {found}",
    one="Whole tree in {count} step: {found}",
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
    "proved-none", "{label} proved that there is no solution in {count} steps",
    one="{label} proved that there is no solution in {count} step",
)  # fmt: skip
PROVED_UNIQUE = Text(
    "proved-unique", "{label} proved the one solution unique in {count} steps",
    one="{label} proved the one solution unique in {count} step",
)  # fmt: skip
FOUND_ALL = Text(
    "found-all", "{label} found all {solutions} solutions in {count} steps",
    one="{label} found all {solutions} solutions in {count} step",
)  # fmt: skip
HEAD_AND_SENTENCE = Text("head-and-sentence", "{headline}: {sentence}")
BAR_STOPPED = Text("bar-stopped", "{count} steps, stopped", one="{count} step, stopped")
BAR_TAKEN_BACK = Text("bar-taken-back", "{count} taken back", one="{count} taken back")
BAR_AT_LEAST = Text("bar-at-least", "{steps}+")
NOTE_STEP = Text("note-step", "One step: a digit is written or taken back.")
NOTE_BARS = Text("note-bars", "Bars start at 0.")
NOTE_MARKS = Text("note-marks", "Each mark is ten times the one before.")

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


def capitalised(text: str) -> str:
    """A text with a large first letter."""
    return text[:1].upper() + text[1:]
