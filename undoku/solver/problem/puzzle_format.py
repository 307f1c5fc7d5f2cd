"""The contract of a puzzle format."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

from undoku.errors import PuzzleError
from undoku.solver.problem.puzzle import Geometry, Puzzle, standard_geometry, usual_box

# A puzzle found in a text: calling the entry parses it, or raises a PuzzleError with its place.
# Skipping an entry costs hardly anything, so the 900,000th is reached quickly.
Entry = Callable[[], Puzzle]

Writer = Callable[[Iterable[Puzzle]], Iterator[str]]


class PuzzleFormat(NamedTuple):
    """One puzzle format. `fits` decides from the beginning of a text whether it is in this format.
    `read` takes the lines of a text (each with its line break; a line may come in several pieces)
    and the name of the source, and yields entries one by one, so that memory does not grow with a
    collection; it raises PuzzleError where nothing further can be read. `several` states whether a
    text may contain more than one puzzle. `write` yields text and raises PuzzleError for a puzzle
    that the format can't represent; it is None for formats that are only read.
    """

    name: str
    suffixes: tuple[str, ...]
    sentence: str
    source: str
    fits: Callable[[str], bool]
    read: Callable[[Iterable[str], str], Iterator[Entry]]
    several: bool = False
    write: Writer | None = None


def board_of(puzzle: Puzzle, name: str) -> Geometry:
    """The board of a puzzle, for the format `name`. Raises PuzzleError for another problem."""
    if isinstance(puzzle.problem, Geometry):
        return puzzle.problem
    raise PuzzleError(
        f"{name} holds boards of rows and columns, no other problems", remedy="write it as problem"
    )


def require_standard(puzzle: Puzzle, name: str) -> Puzzle:
    """The puzzle, if it has the standard board of its size. Raises PuzzleError otherwise, because
    the format `name` must not drop a rule of the puzzle silently.
    """
    board_of(puzzle, name)
    if not _is_usual(puzzle):
        raise PuzzleError(
            f"{name} can't represent this board: its units are not the usual rows, columns and "
            "boxes",
            remedy="write it as grid",
        )
    return puzzle


def single(puzzles: Iterable[Puzzle], name: str) -> Puzzle:
    """The only puzzle of a format for single puzzles. Raises PuzzleError for none and for more than
    one."""
    found = list(puzzles)
    if len(found) != 1:
        raise PuzzleError(
            f"{name} holds one puzzle, not {len(found)}",
            remedy="write them as sdm"
            if all(map(_is_usual, found))
            else "write each to its own file: no format can represent several such puzzles",
        )
    return found[0]


def _is_usual(puzzle: Puzzle) -> bool:
    """Whether a board has the usual rows, columns and boxes of its size, and nothing else."""
    return bool(usual_box(puzzle.size)) and puzzle.problem == standard_geometry(puzzle.size)
