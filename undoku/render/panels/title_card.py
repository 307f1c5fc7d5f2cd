"""The title card: the puzzle, and a short description of each strategy."""

from __future__ import annotations

from collections import Counter
from itertools import chain

from undoku.render.draw.fonts import Face
from undoku.render.panels.card_plan import CardLine, CardPlan, CardTexts, Style, planned
from undoku.render.panels.panel import Script
from undoku.render.panels.title_and_footer import clock_texts
from undoku.render.playback.search_texts import described
from undoku.solver.problem.puzzle import Geometry, Puzzle
from undoku.texts import wording as say

_TITLE = Style(5 / 4, 3 / 2, 3)
"""The headline of a title card."""

_EXTRA = {"diagonal": say.DIAGONALS, "window": say.WINDOWS, "group": say.DISJOINT_GROUPS}

_MAX_DESCRIBED = 3
"""The maximum number of searches whose descriptions can be read while the card is shown."""


def puzzle_text(puzzle: Puzzle) -> str:
    """The kind of the puzzle: "9×9 with diagonals, 24 givens"."""
    if not isinstance(puzzle.problem, Geometry):
        return puzzle.title or say.VARIABLES(count=puzzle.problem.cells)
    kinds = Counter(unit.kind for unit in puzzle.problem.units)
    text = (
        say.BOARD_JIGSAW if "region" in kinds else say.BOARD if "box" in kinds else say.BOARD_LATIN
    )
    board = text(side=max(puzzle.problem.extent))
    extra = [
        _EXTRA[kind]() if kind in _EXTRA else kind
        for kind in kinds
        if kind not in ("row", "column", "box", "region")
    ]
    if extra:
        board = say.BOARD_WITH(board=board, units=say.listed(extra))
    sentence = say.BOARD_GIVENS(board=board, count=sum(map(bool, puzzle.givens)))
    return say.LABELLED(label=puzzle.title, sentence=sentence) if puzzle.title else sentence


def plan_title(script: Script) -> CardPlan:
    """The title card: the puzzle, and each search with the description of its strategy, unless
    there are many or it has no room; and the clock, if all fits with it. In tiny pictures it has
    the names alone, without spaces."""
    puzzles = list(dict.fromkeys(header.puzzle for header in script.headers))
    puzzle = puzzle_text(puzzles[0]) if len(puzzles) == 1 else say.PUZZLES(count=len(puzzles))
    theme, clock = script.theme, clock_texts(script.timeline)[1]
    few = len(script.headers) <= _MAX_DESCRIBED
    for below, told, last in (
        (puzzle, few, clock),
        (puzzle, False, clock),
        (puzzle, False, ""),
        ("", False, ""),
    ):
        paragraphs = []
        for header in script.headers:
            paragraphs.append([CardLine(header.label, Face.BOLD, theme.accent, 1 + told)])
            if told and (sentence := described(header)):
                paragraphs[-1].append(CardLine(sentence, Face.REGULAR, theme.text))
        if not below:
            paragraphs = [list(chain(*paragraphs))]
        elif last:
            paragraphs.append([CardLine(last, Face.REGULAR, theme.muted)])
        plan = planned(script, CardTexts(script.title, False, below, ()), _TITLE, paragraphs)
        if plan.texts:
            break
    return plan
