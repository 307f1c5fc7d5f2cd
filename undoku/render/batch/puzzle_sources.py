"""The puzzles that a manifest names: files, cells, links, and collections with their filters."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import NamedTuple

from undoku.errors import PuzzleError, ReadError, SettingsError, did_you_mean
from undoku.render.batch.film_names import slug
from undoku.render.batch.manifest import Spot
from undoku.solver.problem.problem_kinds import is_named
from undoku.solver.problem.puzzle import Puzzle
from undoku.solver.problem.sources import is_literal, parse_puzzle, read, readings
from undoku.solver.study.generate import Target

_NUMBERED = re.compile(r"(.+):(\d{1,15})")
_RANGE = re.compile(r"\s*(\d{1,15})\s*(?:(-)\s*(\d{1,15})?\s*)?")


class NamedPuzzle(NamedTuple):
    """A puzzle with the fields for film names. `number` counts from 1 in its collection."""

    puzzle: Puzzle
    name: str
    collection: str = ""
    number: int = 0


class Sources:
    """Reads the puzzles of one manifest, each collection once. At most `most` puzzles of a
    collection are read, so that a huge one is refused in time."""

    def __init__(self, top: Spot, most: int) -> None:
        self._top = top
        self._most = most
        self._read: dict[str, list[NamedPuzzle]] = {}

    def puzzles(self, argument: str, spot: Spot) -> list[NamedPuzzle]:
        """The puzzles that `argument`, at `spot`, names. Raises, with that place, SettingsError,
        ReadError, PuzzleError."""
        if argument.startswith("@"):
            return self._collection(argument[1:], spot)
        if argument not in self._read:
            self._read[argument] = [self._single(argument, spot)]
        return self._read[argument]

    def _single(self, argument: str, spot: Spot) -> NamedPuzzle:
        if argument.strip().partition(":")[0] == "-":
            raise SettingsError(
                "a manifest can't use standard input", place=spot.place(), remedy="name a file"
            )
        path, number = self._file(argument), ""
        if path is None and (numbered := _NUMBERED.fullmatch(argument)):
            path, number = self._file(numbered[1]), numbered[2]
        with spot.located():
            if path is None and not is_literal(argument):
                raise ReadError(
                    f"there is no file {argument!r}",
                    remedy="names are relative to the folder of the manifest",
                )
            if path is None:
                name = slug(argument) if is_named(argument) else "puzzle"
                return NamedPuzzle(parse_puzzle(argument, source="the puzzle"), name)
            if not number and len(list(islice(readings(path), 2))) > 1:
                name = slug(path.stem)
                raise SettingsError(
                    f"{argument!r} contains more than one puzzle",
                    remedy=f"name one, such as {argument}:1, or add [collections.{name}] with its "
                    f'file and name that, "@{name}"',
                )
            puzzle = read(f"{path}:{number}" if number else str(path))
        name = slug(path.stem) + (f"-{number}" if number else "")
        return NamedPuzzle(puzzle, name, "", int(number or 0))

    def _file(self, name: str) -> Path | None:
        """The regular file with a name relative to the folder of the manifest, or None."""
        path = self._top.manifest.folder / name
        try:
            return path if path.is_file() else None
        except (OSError, ValueError):  # too long for a name, or with a zero byte
            return None

    def _collection(self, name: str, spot: Spot) -> list[NamedPuzzle]:
        collections = self._top.manifest.content.get("collections", {})
        if name not in collections:
            raise SettingsError(
                f"there is no collection {name!r}",
                place=spot.place(),
                remedy=did_you_mean(
                    f"@{name}", map("@{}".format, collections), f"add [collections.{slug(name)}]"
                ),
            )
        if f"@{name}" not in self._read:
            puzzles = list(islice(self._filtered(name), self._most + 1))
            if not puzzles:
                raise SettingsError(
                    f"collection {name} contains no such puzzle",
                    place=spot.place(),
                    remedy="widen its range or its filters",
                )
            self._read[f"@{name}"] = puzzles
        return self._read[f"@{name}"]

    def _filtered(self, name: str) -> Iterator[NamedPuzzle]:
        table = self._top.manifest.content["collections"][name]
        spot = self._top / "collections" / name
        path = self._file(table["file"])
        if path is None:
            raise ReadError(f"there is no file {table['file']!r}", place=(spot / "file").place())
        first, last = _bounds(table.get("range", "1-"), spot / "range")
        least, most = _bounds(table.get("givens", "0-"), spot / "givens")
        wanted = table.get("nodes", [])
        targets = []
        for number, text in enumerate([wanted] if isinstance(wanted, str) else wanted):
            with (spot / "nodes" / number).located():
                targets.append(Target.parse(text))
        for number, puzzle in enumerate(readings(path), 1):
            if last is not None and number > last:
                return
            if isinstance(puzzle, PuzzleError):
                if table.get("skip", False):
                    continue
                raise puzzle
            givens = sum(value > 0 for value in puzzle.givens)
            if number < first or givens < least or (most is not None and givens > most):
                continue
            if all(target.met_by(target.nodes_on(puzzle)) for target in targets):
                yield NamedPuzzle(puzzle, f"{slug(name)}-{number:03}", slug(name), number)


def _bounds(value: int | str, spot: Spot) -> tuple[int, int | None]:
    """The first and the last of a range: 7, "10-20", "10-"."""
    match = _RANGE.fullmatch(str(value))
    if not match:
        raise SettingsError(
            f"{value!r} is not a valid range",
            place=spot.place(),
            remedy='write 7, "10-20" or "10-"',
        )
    first = int(match[1])
    last = int(match[3]) if match[3] else None if match[2] else first
    if last is not None and last < first:
        raise SettingsError(
            f"{value!r} ends before it begins", place=spot.place(), remedy="swap its bounds"
        )
    return first, last
