"""The record of a claim about a search, and its sentence.

A claim contains facts, which follow from the trace or from the board, so that a test can derive it
again; its sentence is made from them.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import StrEnum

from undoku.render.draw.look import glyph
from undoku.render.timeline.notes import Note, NoteKind
from undoku.solver.problem.puzzle import Puzzle
from undoku.solver.trace.trace import Trace
from undoku.texts import wording as say
from undoku.texts.wording import capitalised, dead_ends_text, unit_text


class ClaimKind(StrEnum):
    """The kind of a claim."""

    RULE = "rule"
    """The rule of the strategy."""
    ONLY = "only"
    """One value fits a cell: no peer holds it. The other cells hold each of the other values."""
    ONLY_PLACE = "only place"
    """A value fits one cell of a unit."""
    OPTIONS = "options"
    """Several values fit a cell; the search tries one of them."""
    ONE_RIGHT = "one right"
    """The same, where the puzzle has one solution, so that all but one of them are wrong."""
    TRIES = "tries"
    """The search tries a value."""
    WRONG = "wrong"
    """A value differs from that of the only solution."""
    WRONG_GUESS = "wrong guess"
    """The same, of the first step: several values fit its cell."""
    WRONG_PAIR = "wrong pair"
    """A wrong value leaves two cells of a unit with the same single option."""
    WRONG_CELL = "wrong cell"
    """A wrong value leaves a cell without an option."""
    WRONG_UNIT = "wrong unit"
    """A wrong value leaves a unit without a place for a value."""
    SINGLES = "singles"
    """Each of the first values was the only one that fitted its cell."""
    FORCED = "forced"
    """Inference made all of the first steps."""
    WEIGHED = "weighed"
    """A failure of a unit has just been counted, which increases the weight of its cells."""
    RETURNED = "returned"
    """The next step undoes a value, because a cell has no option or a unit has no place."""
    FINISHED = "finished"
    """A search has ended with a solution after `count` steps."""
    EXHAUSTED = "exhausted"
    """A search has completed the whole tree in `count` steps."""
    FOUND = "found"
    """A search for all solutions has just found its first one."""
    STOPPED = "stopped"
    """A search was stopped, or its trace ends, after `count` steps."""
    STUCK = "stuck"
    """The first wrong value is still on the board."""
    DEAD_ENDS = "dead ends"
    """A search has met `count` dead ends so far."""
    VAIN_SO_FAR = "vain so far"
    """The first wrong value is still on the board: `count` steps are in vain so far. If the search
    that ends first has met clearly fewer, `dead_ends` are those of this one so far."""
    ALONE = "alone"
    """All other searches have ended; this one goes on."""
    VAIN = "vain"
    """As long as the first wrong value is on the board, no step leads to the solution."""
    LAST_FIRST = "last first"
    """The same of a search that takes back its last guess first: the step that undoes the value."""
    GOES = "goes"
    """The same, where the search ends before another one: the step that undoes the value."""
    FREED = "freed"
    """The first wrong value has just been undone; `wanted` is the value that is tried there next,
    and that is wrong, too."""
    COST = "cost"
    """The last of the wrong values in the first cells of the search has just been undone."""
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


CALLED_WRONG = (
    ClaimKind.WRONG,
    ClaimKind.WRONG_GUESS,
    ClaimKind.WRONG_PAIR,
    ClaimKind.WRONG_CELL,
    ClaimKind.WRONG_UNIT,
)
"""Claims that the first wrong value is wrong."""

ABOUT_MISTAKES = (
    *CALLED_WRONG,
    ClaimKind.RETURNED,
    ClaimKind.STUCK,
    ClaimKind.VAIN_SO_FAR,
    ClaimKind.VAIN,
    ClaimKind.LAST_FIRST,
    ClaimKind.COST,
)
"""Claims about mistakes."""

ENDS = (ClaimKind.FINISHED, ClaimKind.EXHAUSTED, ClaimKind.STOPPED)
"""Claims about the end of a search."""


@dataclass(frozen=True, slots=True)
class Claim:
    """A claim of kind `kind` about search number `search` (from 0) after its step `step`. `value`
    is that of `cells[0]` if both are given; `wanted` is the value that two peers need, for which a
    unit has no place, or that is tried next; `unit` is the number of a unit of the puzzle, -1 for
    none; `count` is the number in the claim. `until` is the step that undoes the first wrong value,
    0 if the claim does not mention it; `wrong` is that value in a claim about an end. `mistakes`
    are the other cells with wrong values; `dead_ends` is the number that a search has met,
    `solutions` that of the solutions that an ended search found. Wrong values in the
    `first` cells of the search cost `cost` steps.
    """

    kind: ClaimKind
    search: int
    step: int
    cells: tuple[int, ...] = ()
    value: int = 0
    wanted: int = 0
    unit: int = -1
    count: int = 0
    mistakes: tuple[int, ...] = ()
    dead_ends: int = 0
    until: int = 0
    wrong: int = 0
    first: int = 0
    cost: int = 0
    solutions: int = 0
    text: str = ""
    """Of a rule or a highlight."""
    brief: str = ""
    """A shorter text of a rule; "" if there is none."""


@dataclass(frozen=True, slots=True)
class ClaimNote(Note):
    """A claim that is made from the film's frame `start` on; `end` is the frame after the last one
    on which it may be shown."""

    claim: Claim = field(kw_only=True)


def claim_note(
    traces: Sequence[Trace], start: int, claim: Claim, rings_end: int = 0, end: int = sys.maxsize
) -> ClaimNote:
    """The note of a claim about one of the searches. Before frame `rings_end` its cells have rings;
    0 if they have none."""
    puzzle = traces[claim.search].header.puzzle
    kind = NoteKind.END if claim.kind in ENDS else NoteKind.CALLOUT
    if claim.kind in ABOUT_MISTAKES or (claim.kind is ClaimKind.FREED and claim.wanted):
        kind = NoteKind.MISTAKE
    placed, *shown = claim.cells or (-1,)
    lit = puzzle.geometry.units[claim.unit].cells if claim.unit >= 0 else ()
    mistakes = claim.mistakes
    if claim.kind is ClaimKind.ONLY:
        shown, lit = [], tuple(shown)
    elif claim.kind is ClaimKind.GOES:
        # Not a sentence about a mistake, but its digit is one.
        placed, mistakes = -1, claim.cells
    return ClaimNote(
        start,
        end,
        claim.search,
        kind,
        sentence_of(claim, puzzle),
        brief_sentence_of(claim),
        rings_end=rings_end,
        placed=placed,
        shown=tuple(shown),
        lit=lit,
        mistakes=mistakes,
        wanted=claim.wanted if claim.kind is ClaimKind.WRONG_PAIR else 0,
        claim=claim,
    )


def sentence_of(claim: Claim, puzzle: Puzzle) -> str:
    """The sentence of a claim."""
    sentence = _sentence(claim, puzzle)
    if claim.until and claim.kind in CALLED_WRONG:
        return say.NOTICES_AT(sentence=sentence, count=claim.until)
    return sentence


_BRIEF_SENTENCES = {
    ClaimKind.ONLY: say.ONLY_BRIEFLY,
    ClaimKind.OPTIONS: say.GUESS_BRIEFLY,
    ClaimKind.WRONG_GUESS: say.GUESS_BRIEFLY,
    ClaimKind.SINGLES: say.NO_GUESSES_BRIEFLY,
    ClaimKind.FINISHED: say.DONE_BRIEFLY,
    ClaimKind.STUCK: say.STUCK_BRIEFLY,
    ClaimKind.VAIN_SO_FAR: say.STUCK_BRIEFLY,
    ClaimKind.LAST_FIRST: say.VAIN_UNTIL,
}
"""The shorter sentences of kinds of claims."""


def brief_sentence_of(claim: Claim) -> str:
    """A shorter sentence of a claim; "" if there is none."""
    brief = _BRIEF_SENTENCES.get(claim.kind)
    if brief is None:
        return claim.brief
    return brief(value=_symbol(claim.value), count=claim.count or claim.until)


_SENTENCES = {
    ClaimKind.ONLY: say.ONLY_VALUE,
    ClaimKind.ONLY_PLACE: say.ONLY_PLACE,
    ClaimKind.OPTIONS: say.OPTIONS_HERE,
    ClaimKind.ONE_RIGHT: say.ONE_RIGHT,
    ClaimKind.TRIES: say.IT_TRIES,
    ClaimKind.WRONG_GUESS: say.WRONG_GUESS,
    ClaimKind.WRONG_PAIR: say.BOTH_NEED,
    ClaimKind.WRONG_CELL: say.NO_OPTION,
    ClaimKind.WRONG_UNIT: say.NO_PLACE,
    ClaimKind.SINGLES: say.STEPS_WITHOUT_GUESS,
    ClaimKind.FORCED: say.STEPS_BY_LOGIC,
    ClaimKind.WEIGHED: say.WEIGHED,
    ClaimKind.FOUND: say.FOUND_FIRST,
    ClaimKind.STOPPED: say.STOPPED_NOT_DONE,
    ClaimKind.STUCK: say.STILL_STUCK,
    ClaimKind.ALONE: say.GOES_ON_ALONE,
    ClaimKind.LAST_FIRST: say.LAST_FIRST,
    ClaimKind.GOES: say.NOTICES_WRONG,
}
"""The sentences of kinds of claims that have only one."""


def _sentence(claim: Claim, puzzle: Puzzle) -> str:
    """The sentence of a claim, without a second one about how long the wrong value stays."""
    value, wanted = _symbol(claim.value), _symbol(claim.wanted)
    count, dead_ends = claim.count or claim.until, dead_ends_text(claim.dead_ends)
    unit = unit_text(puzzle.geometry.units[claim.unit]) if claim.unit >= 0 else ""
    match claim.kind:
        case ClaimKind.RULE:
            return claim.text
        case ClaimKind.COST:
            return _cost(claim)
        case ClaimKind.WRONG:
            text = say.OPTIONS_WRONG if claim.count > 1 else say.ALREADY_WRONG
        case ClaimKind.RETURNED:
            text = say.NO_PLACE_BACK if unit else say.NO_OPTION_BACK
        case ClaimKind.VAIN:
            text = say.VAIN_UNTIL if claim.until else say.IN_VAIN
        case ClaimKind.EXHAUSTED:
            found = {0: say.NO_SOLUTION_AT_ALL, 1: say.NO_OTHER}
            text = found.get(claim.solutions, say.DONE_WHOLE_TREE)
        case ClaimKind.FINISHED if claim.first:
            return say.DONE_WRONG_DIGITS(count=count, cost=_cost(claim))
        case ClaimKind.FINISHED if claim.until:
            return say.DONE_FIRST_WRONG(count=count, value=_symbol(claim.wrong), until=claim.until)
        case ClaimKind.FINISHED:
            text = say.DONE_IN
        case ClaimKind.DEAD_ENDS:
            return capitalised(say.DEAD_ENDS_SO_FAR(dead_ends=dead_ends_text(count)))
        case ClaimKind.VAIN_SO_FAR if claim.dead_ends:
            return capitalised(say.DEAD_ENDS_STANDS(dead_ends=dead_ends, value=value))
        case ClaimKind.VAIN_SO_FAR:
            text = say.VAIN_SO_FAR
        case ClaimKind.FREED:
            sentence = say.WRONG_TAKEN_BACK(value=value, count=count)
            return say.WRONG_AGAIN(sentence=sentence, value=wanted) if wanted else sentence
        case kind:
            text = _SENTENCES[kind]
    return text(value=value, wanted=wanted, unit=unit, count=count, dead_ends=dead_ends)


def _cost(claim: Claim) -> str:
    """The sentence about the steps that wrong values in the first cells cost."""
    text = say.WRONG_IN_FIRST_CELL if claim.first == 1 else say.WRONG_IN_FIRST_CELLS
    return text(cells=claim.first, count=claim.cost)


def _symbol(value: int) -> str:
    return glyph(value) if value else ""
