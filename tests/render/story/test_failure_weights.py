"""The failures that a film shows are those by which dom-wdeg chose its cells."""

from __future__ import annotations

from fractions import Fraction
from itertools import islice

from tests.support.puzzles import HARD, MEDIUM
from undoku import board_at, parse_puzzle, search
from undoku.render.draw.look import Look
from undoku.render.film.film import Film
from undoku.render.playback.step_reasons import candidates
from undoku.render.settings.settings import settings_of
from undoku.render.story.derived_claims import cell_weight, failures_after
from undoku.render.story.first_moves import first_moves
from undoku.solver.study.generate import puzzles as generated
from undoku.solver.trace.trace import Op


def test_each_first_try_is_the_cell_with_the_fewest_candidates_by_weight() -> None:
    """Its quotient of candidates and weight is the smallest, and it is the lowest of such cells."""
    puzzles = [parse_puzzle(MEDIUM.grid), parse_puzzle(HARD.grid), *islice(generated(seed=5), 4)]
    raised = 0
    for puzzle in puzzles:
        steps = first_moves(search(puzzle, "dom-wdeg"), None).steps
        board = puzzle.board.copy()
        failures = failures_after(steps, puzzle)
        before = Op.GUESS
        for number, step in enumerate(steps):
            if before is Op.GUESS and step.op is Op.GUESS:
                quotients = {
                    cell: Fraction(
                        len(candidates(puzzle, board, cell)),
                        cell_weight(puzzle, board, failures[number], cell),
                    )
                    for cell in range(puzzle.geometry.cells)
                    if not board[cell]
                }
                assert step.cell == min(quotients, key=lambda cell: (quotients[cell], cell))
            board[step.cell] = 0 if step.op is Op.UNDO else step.value
            before = step.op
        raised += any(failures[-1])
    assert raised > 1


def test_a_story_shows_the_failures_of_a_cell_as_a_bar() -> None:
    """It is as wide as its units have failed often."""
    traces = [search(HARD.grid, name) for name in ("dom-wdeg", "mrv")]
    film = Film(traces, settings_of({"size": "640x360", "fps": 30}))
    block = film.layout.blocks[0]
    puzzle, colour = film.headers[0].puzzle, film.theme.search_colour(0)
    moves = film.narration.moves[0]
    number = next(at for at, step in enumerate(moves.steps, 1) if step.op is Op.UNDO) + 1
    frame = film.timeline.frame_of(0, number)
    shots = [shot for shot in film.timeline.shots() if shot.start <= frame]
    *_, drawn = film.draw(shots)
    failures = failures_after(moves.steps, puzzle)[shots[-1].steps[0]]
    board = board_at(traces[0], shots[-1].steps[0])
    glowing = {step.cell for step in moves.steps[number - 4 : number + 1]}
    inset, seen = max(2, block.cell // 12), set()
    for cell, square in enumerate(
        Look(puzzle.geometry).squares(block.board.x, block.board.y, block.cell)
    ):
        if cell in glowing:
            continue
        foot = drawn.pixels[square.bottom - inset - 1, square.x + inset : square.right - inset]
        wide = int((foot == colour).all(1).sum())
        failed = sum(failures[unit] for unit in puzzle.geometry.units_of[cell])
        assert bool(wide) == (bool(failed) and not board[cell]), cell
        if wide:
            seen.add((failed, wide))
    assert len({failed for failed, _ in seen}) == len(seen) >= 1
