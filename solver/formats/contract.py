"""The contract of a puzzle format."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from solver.errors import PuzzleError
from solver.puzzle import Puzzle, standard_geometry

__all__ = ["Entry", "PuzzleFormat", "require_standard", "single"]

# A puzzle found in a text: calling it reads it, or raises a PuzzleError that names its place.
# Passing over an entry costs next to nothing, so the 900,000th is reached quickly.
Entry = Callable[[], Puzzle]


@dataclass(frozen=True, slots=True)
class PuzzleFormat:
    """One way of writing puzzles down.

    `fits` tells from the beginning of a text whether it is in this format. `read` takes the lines
    of a text (each with its line break; a line may come in several pieces) and the source's name,
    and yields entries as it goes, so that a collection of any length needs flat memory; it raises
    PuzzleError where nothing further can be read. `write` yields text and raises PuzzleError for a
    puzzle that the format can't hold. `several` tells whether a text may hold more than one.
    """

    name: str
    suffixes: tuple[str, ...]
    sentence: str
    source: str
    fits: Callable[[str], bool]
    read: Callable[[Iterable[str], str], Iterator[Entry]]
    write: Callable[[Iterable[Puzzle]], Iterator[str]]
    several: bool = False


def require_standard(puzzle: Puzzle, name: str, sizes: Iterable[int] = (9,)) -> Puzzle:
    """The puzzle, if its board is the usual one of a size that the format `name` knows.

    Raises PuzzleError otherwise: a format must not drop a rule of the puzzle in silence.
    """
    size = puzzle.size
    sizes = tuple(sizes)
    if size not in sizes:
        held = f"{sizes[0]}×{sizes[0]}" if len(sizes) == 1 else "smaller"
        raise PuzzleError(
            f"{name} holds {held} boards, not {size}×{size}", remedy="write it as grid"
        )
    if not _is_usual(puzzle):
        raise PuzzleError(
            f"{name} can't hold this board: its units are not the usual rows, columns and boxes",
            remedy="write it as grid",
        )
    return puzzle


def single(puzzles: Iterable[Puzzle], name: str) -> Puzzle:
    """The one puzzle of a format that holds one. Raises PuzzleError for none and for more."""
    found = list(puzzles)
    if len(found) != 1:
        raise PuzzleError(
            f"{name} holds one puzzle, not {len(found)}",
            remedy="write them as sdm"
            if all(map(_is_usual, found))
            else "write each into a file of its own: no format holds several of this board",
        )
    return found[0]


def _is_usual(puzzle: Puzzle) -> bool:
    """Whether a board has the usual rows, columns and boxes of its size, and nothing else."""
    try:
        return puzzle.geometry == standard_geometry(puzzle.size)
    except PuzzleError:
        return False
