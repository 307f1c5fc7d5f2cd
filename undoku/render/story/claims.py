"""The record of a claim about a search, and its sentence.

A claim contains facts, which follow from the trace or from the board, so that a test can derive it
again; its sentence is made from them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import StrEnum

from undoku.render.draw.look import Look
from undoku.render.timeline.notes import Note, NoteKind
from undoku.solver.trace.trace import Header
from undoku.texts import wording as say
from undoku.texts.wording import unit_text


class ClaimKind(StrEnum):
    """The kind of a claim."""

    DOTS = "dots"
    """As OPTIONS, in the first sentence of a film about options, which explains its dots, where
    cells are large enough for them."""
    OPTIONS = "options"
    """`count` values fit an empty cell. If it is one, the other cells hold each of the others."""
    ONLY_PLACE = "only place"
    """A value fits one cell of a unit."""
    GUESSES = "guesses"
    """The search has just taken one of `count` options of a cell."""
    NO_GUESS = "no guess"
    """The search has just written the only value that fits, or inference has written one."""
    TRIES = "tries"
    """The search has just written a value."""
    PROOF = "proof"
    """The search has just written the last value, without any guess: the dead end after it proves
    that there is no solution."""
    FORCED = "forced"
    """Each of the next `count` steps writes the only value that fits its cell."""
    IMPOSSIBLE_CELL = "impossible cell"
    """With the givens alone a cell has no option."""
    IMPOSSIBLE_UNIT = "impossible unit"
    """With the givens alone a unit has no place for a value."""
    WRONG = "wrong"
    """A value differs from that of the only solution."""
    WRONG_PAIR = "wrong pair"
    """A wrong value leaves two cells of a unit with the same single option."""
    WRONG_CELL = "wrong cell"
    """A wrong value leaves a cell without an option."""
    WRONG_UNIT = "wrong unit"
    """A wrong value leaves a unit without a place for a value."""
    LOST = "lost"
    """No value fits an empty cell."""
    NOT_NOTICED = "not noticed"
    """The search has just filled another cell than the one that is lost."""
    NONE_LOST = "none lost"
    """Every empty cell has an option, before the step and after it."""
    GUESSED = "guessed"
    """Of ten digits that a search has written, `count` were guesses."""
    TAKEN_BACK = "taken back"
    """A search has taken back `count` digits."""
    GUESSES_UNDONE = "guesses undone"
    """By its end a search takes back `count` guesses."""
    SAME_WRONG = "same wrong"
    """The fastest search has the same first wrong value, which costs it `count` steps."""
    ALSO_WRONG = "also wrong"
    """The fastest search has another first wrong value, which costs it `count` steps."""
    FINISHED = "finished"
    """A search has ended with a solution after `count` steps."""
    EXHAUSTED = "exhausted"
    """A search has completed the whole tree in `count` steps."""
    FOUND = "found"
    """A search for all solutions has just found its first one."""
    STOPPED = "stopped"
    """A search was stopped, or its trace ends, after `count` steps."""
    STANDS = "stands"
    """The first wrong value is still on the board."""
    COST = "cost"
    """The last of the wrong values in the first cells of the search has just been undone; they cost
    `count` steps."""
    DIVERGENCE = "divergence"
    """A highlight: a search takes its first step that another one does not take."""
    DOOMED = "doomed"
    """A highlight: a wrong value that costs `count` steps."""
    COLLAPSE = "collapse"
    """A highlight: `count` values are undone one after the other."""
    PATH = "path"
    """A highlight: from this step on no value is wrong."""
    SOLUTION = "solution"
    """A highlight: the board is full."""


ABOUT_OPTIONS = (ClaimKind.DOTS, ClaimKind.OPTIONS)
"""Claims about how many values fit a cell."""

CALLED_WRONG = (
    ClaimKind.WRONG,
    ClaimKind.WRONG_PAIR,
    ClaimKind.WRONG_CELL,
    ClaimKind.WRONG_UNIT,
)
"""Claims that the first wrong value is wrong."""

OF_FASTEST = (ClaimKind.SAME_WRONG, ClaimKind.ALSO_WRONG)
"""Claims that the first wrong value of the fastest search is wrong."""

ABOUT_MISTAKES = (
    *CALLED_WRONG,
    *OF_FASTEST,
    ClaimKind.LOST,
    ClaimKind.NOT_NOTICED,
    ClaimKind.STANDS,
    ClaimKind.COST,
)
"""Claims about mistakes."""

TURNING_POINTS = (ClaimKind.DOOMED, ClaimKind.COLLAPSE, ClaimKind.PATH, ClaimKind.SOLUTION)
"""Highlights of a single search."""

ENDS = (ClaimKind.FINISHED, ClaimKind.EXHAUSTED, ClaimKind.STOPPED)
"""Claims about the end of a search."""


@dataclass(frozen=True, slots=True)
class Claim:
    """A claim of kind `kind` about search number `search` (from 0) after its step `step`.
    `value` is that of `cells[0]` if both are given, or that it will have; `wanted` is the value
    that two peers need, or for which a unit has no place; `narrowed` are those of the two that
    could hold `value` before it was placed; `unit` is the number of a unit of the puzzle, -1
    for none; `count` is the number in the claim: of a wrong value, the steps that it costs, from
    its place to its undo, 0 if the claim does not mention them; if it is not `undone`, as many
    as the search takes after it.
    Of a divergence, `other` is the number of the other search.
    `solutions` is the number of the solutions that an ended search found. A claim about the
    cost of wrong values is about the `first` cells of the search.
    """

    kind: ClaimKind
    search: int
    step: int
    cells: tuple[int, ...] = ()
    value: int = 0
    wanted: int = 0
    narrowed: tuple[int, ...] = ()
    unit: int = -1
    count: int = 0
    undone: bool = True
    other: int = 0
    first: int = 0
    solutions: int = 0


@dataclass(frozen=True, slots=True)
class ClaimNote(Note):
    """A claim that is made from the film's frame `start` on; `end` is the frame after the last one
    on which it may be shown."""

    claim: Claim = field(kw_only=True)


def claim_note(
    headers: Sequence[Header], start: int, end: int, claim: Claim, rings_end: int = 0
) -> ClaimNote:
    """The note of a claim about one of the searches with these headers. Before frame `rings_end`
    its cells have rings; 0 if they have none."""
    kind = NoteKind.END if claim.kind in ENDS else NoteKind.CALLOUT
    if claim.kind in ABOUT_MISTAKES:
        kind = NoteKind.MISTAKE
    placed, *shown = claim.cells or (-1,)
    lit = headers[claim.search].puzzle.problem.units[claim.unit].cells if claim.unit >= 0 else ()
    if claim.kind in ABOUT_OPTIONS:
        shown, lit = [], tuple(shown)
    if claim.kind is ClaimKind.COST:
        placed, shown = -1, []  # its cells hold the right values now
    return ClaimNote(
        start,
        end,
        claim.search,
        kind,
        sentence_of(claim, headers),
        rings_end=rings_end,
        placed=placed,
        shown=tuple(shown),
        lit=lit,
        wanted=claim.wanted if claim.kind is ClaimKind.WRONG_PAIR else 0,
        narrowed=claim.narrowed,
        value=claim.value if claim.narrowed else 0,
        claim=claim,
    )


_SENTENCES = {
    ClaimKind.DOTS: say.DOTS_OPTIONS,
    ClaimKind.OPTIONS: say.OPTIONS,
    ClaimKind.ONLY_PLACE: say.ONLY_PLACE,
    ClaimKind.GUESSES: say.IT_GUESSES,
    ClaimKind.NO_GUESS: say.NO_GUESS_HERE,
    ClaimKind.PROOF: say.PROVES,
    ClaimKind.TRIES: say.IT_TRIES,
    ClaimKind.IMPOSSIBLE_CELL: say.IMPOSSIBLE_CELL,
    ClaimKind.IMPOSSIBLE_UNIT: say.IMPOSSIBLE_UNIT,
    ClaimKind.WRONG: say.IS_WRONG,
    ClaimKind.WRONG_PAIR: say.BOTH_NEED,
    ClaimKind.WRONG_CELL: say.NO_OPTION,
    ClaimKind.WRONG_UNIT: say.NO_PLACE,
    ClaimKind.TAKEN_BACK: say.BAR_TAKEN_BACK,
    ClaimKind.GUESSES_UNDONE: say.GUESSES_UNDONE,
    ClaimKind.SAME_WRONG: say.COSTS_HERE,
    ClaimKind.ALSO_WRONG: say.ALSO_WRONG,
    ClaimKind.LOST: say.IS_LOST,
    ClaimKind.NOT_NOTICED: say.NOT_NOTICED,
    ClaimKind.NONE_LOST: say.NONE_LOST,
    ClaimKind.FOUND: say.FOUND_FIRST,
    ClaimKind.FINISHED: say.DONE_IN,
    ClaimKind.STOPPED: say.STOPPED_NOT_DONE,
    ClaimKind.STANDS: say.WRONG_STANDS,
    ClaimKind.COST: say.WRONG_FIRST_DIGITS,
    ClaimKind.DOOMED: say.WRONG_COSTS,
    ClaimKind.COLLAPSE: say.GIVEN_UP,
    ClaimKind.PATH: say.RIGHT_PATH,
    ClaimKind.SOLUTION: say.SOLVED_AFTER,
}
"""The sentences of kinds of claims that have only one."""


def sentence_of(claim: Claim, headers: Sequence[Header]) -> str:
    """The sentence of a claim about one of the searches with these headers; on two lines, if it has
    a second one: what a wrong value costs, after the reason why it is wrong. That of a highlight
    names the search, if there are several."""
    header = headers[claim.search]
    look, problem = Look(header.puzzle.problem), header.puzzle.problem
    value, wanted = (look.value_name(each) if each else "" for each in (claim.value, claim.wanted))
    unit = unit_text(problem.units[claim.unit]) if claim.unit >= 0 else ""
    cell = look.cell_name(claim.cells[0]) if claim.cells else ""
    count = claim.step if claim.kind is ClaimKind.SOLUTION else claim.count
    match claim.kind:
        case ClaimKind.FORCED:
            return say.OPTIONS(count=1)
        case ClaimKind.GUESSED:
            special = {-1: say.HARDLY_GUESSED, 0: say.NONE_GUESSED, 10: say.ALL_GUESSED}
            return special.get(claim.count, say.TENTHS_GUESSED)(count=claim.count)
        case ClaimKind.EXHAUSTED:
            found = {0: say.PROVED_NONE, 1: say.PROVED_UNIQUE}
            return found.get(claim.solutions, say.DONE_WHOLE_TREE)(count=claim.count)
        case ClaimKind.DIVERGENCE:
            other = headers[claim.other].label
            return say.PART_AT(first=header.label, second=other, step=claim.step)
        case kind:
            text = _SENTENCES[kind]
    costs = say.STEPS(count=count if claim.undone else say.BAR_AT_LEAST(steps=count))
    if kind is ClaimKind.WRONG and count:
        text = say.WRONG_AT_COST
    sentence = text(value=value, wanted=wanted, unit=unit, cell=cell, count=count, steps=costs)
    if kind in (*CALLED_WRONG, *OF_FASTEST):
        sentence = say.capitalised(sentence)
    if kind in TURNING_POINTS and len(headers) > 1:
        return say.LABELLED(label=header.label, sentence=sentence)
    if count and kind in CALLED_WRONG and kind is not ClaimKind.WRONG:
        return f"{sentence}\n{say.COSTS(steps=costs)}"
    return sentence
