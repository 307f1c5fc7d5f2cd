"""The tasks of a batch, films that are drawn together, in the order in which they begin."""

from __future__ import annotations

import hashlib
import time
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from math import inf
from pathlib import Path, PurePosixPath

from undoku.errors import OutputError, RunError
from undoku.render.batch.film_names import HIGHLIGHTS, MARKS, film_beside, is_sidecar, suffix_of
from undoku.render.batch.output_options import OutputOptions
from undoku.render.delivery.captions import captions_sidecar
from undoku.render.delivery.marks import highlights_text, marks_sidecar
from undoku.render.delivery.outputs import Sidecar
from undoku.render.delivery.request import write_requested
from undoku.render.delivery.write import Report, write_picture
from undoku.render.film.film import Film
from undoku.render.settings.settings import FilmSettings, as_still
from undoku.solver.problem.puzzle import Puzzle
from undoku.solver.trace.search_trace import Limits, search
from undoku.solver.trace.trace import Tally, Trace

STILL = "still.png"
"""The name of the picture that a task writes beside its films, for the report."""


@dataclass(frozen=True, slots=True)
class FilmGroup:
    """Films that are drawn together: the same pictures in one or more formats.

    `names` are the names of the films and of their sidecars, with suffixes, relative to the
    batch's folder. Encoders use one thread each, because films are encoded in parallel, and
    because the number of threads affects the result.
    """

    puzzle: Puzzle
    strategies: tuple[str, ...]
    limits: Limits
    settings: FilmSettings
    names: tuple[str, ...]
    options: OutputOptions


@dataclass(frozen=True, slots=True)
class FilmTask:
    """Draw the `wanted` files of a group (their indices in its names) into `folder`, an empty one:
    file number k becomes the file `k` with its suffix."""

    group: FilmGroup
    wanted: tuple[int, ...]
    folder: Path


class LostWorkersError(RunError):
    """A cluster has given up a task, because several workers were lost while they performed it."""


@dataclass(frozen=True, slots=True)
class WrittenFile:
    """A film or a sidecar that a task wrote: its `number` in the group, the name of the file in the
    folder of the task, its duration in seconds, the SHA-256 of its bytes in hexadecimal."""

    number: int
    file: str
    frames: int
    duration: float
    bytes: int
    digest: str


@dataclass(frozen=True, slots=True)
class FilmResult:
    """The result of a FilmTask; `seconds` is the time that it took."""

    files: tuple[WrittenFile, ...]
    tallies: tuple[Tally, ...]
    seconds: float


@lru_cache(maxsize=8)
def _search(puzzle: Puzzle, title: str, strategy: str, limits: Limits) -> Trace:
    """A search. Consecutive films share one, so that it is counted once, and one of few events runs
    once. Puzzles with different titles are equal."""
    return search(puzzle, strategy, limits)


def film_of(group: FilmGroup) -> Film:
    """The film of a group. Raises SettingsError if it would be longer than a day."""
    puzzle = group.puzzle
    traces = [_search(puzzle, puzzle.title, name, group.limits) for name in group.strategies]
    single = group.options.single
    film = Film(traces, as_still(group.settings) if single else group.settings)
    if not single:
        film.timeline.check_length()
    return film


def in_order(tasks: Sequence[FilmTask]) -> list[FilmTask]:
    """The tasks, the longest first: if a long film began last, one worker would draw it while the
    others were idle. All films of a puzzle follow its first one, so that they share its searches.
    """
    by_puzzle: dict[tuple[Puzzle, str], list[FilmTask]] = {}
    for task in sorted(tasks, key=lambda task: -_effort(task.group)):
        puzzle = task.group.puzzle
        by_puzzle.setdefault((puzzle, puzzle.title), []).append(task)
    return [task for films in by_puzzle.values() for task in films]


def _effort(group: FilmGroup) -> float:
    """A number that grows with the work of drawing the films: pixels of all their frames; infinite
    if their length is unknown, and least for single pictures."""
    settings = group.settings
    if group.options.single:
        return 0.0
    if settings.pace.duration is None:
        return inf
    return float(settings.pace.duration * settings.fps) * settings.width * settings.height


def draw(task: FilmTask) -> FilmResult:
    """Draw the films of a task, their sidecars, and STILL. Existing files in its folder are
    replaced, because a task may be repeated after its worker was lost. Raises UndokuError; then
    the films do not exist."""
    start = time.monotonic()
    group, folder = task.group, task.folder
    film = film_of(group)
    names = {number: f"{number}{suffix_of(group.names[number])}" for number in task.wanted}
    films = [folder / name for name in names.values() if not is_sidecar(name)]
    sidecars = [
        _sidecar(folder / name, film_beside(group.names[number], group.names))
        for number, name in names.items()
        if is_sidecar(name)
    ]
    for sidecar in sidecars:
        sidecar.check(film)
    try:
        folder.mkdir(exist_ok=True)
        report = _write(film, group.options, films, sidecars, folder / STILL)
        lengths = {output.path.name: (output.frames, output.duration) for output in report.outputs}
        whole = film.length, film.duration
        files = tuple(
            _written(number, folder / name, *lengths.get(name, whole))
            for number, name in names.items()
        )
    except OSError as error:
        raise OutputError(f"writing failed: {error.strerror or error}") from None
    except RunError as error:
        # The folder of a task is internal; messages use the name of the film.
        message = error.message
        for number, name in names.items():
            message = message.replace(str(folder / name), group.names[number])
        raise type(error)(message, remedy=error.remedy) from None
    return FilmResult(files, report.tallies, time.monotonic() - start)


def _written(number: int, path: Path, frames: int, duration: Fraction) -> WrittenFile:
    with path.open("rb") as file:
        digest = hashlib.file_digest(file, "sha256").hexdigest()
    return WrittenFile(number, path.name, frames, float(duration), path.stat().st_size, digest)


def _sidecar(path: Path, film: str) -> Sidecar:
    """The file at `path` beside a film, which will have the name `film`."""
    if path.name.endswith(HIGHLIGHTS):
        return Sidecar(path, highlights_text)
    if path.name.endswith(MARKS):
        return marks_sidecar(path, path.with_name(PurePosixPath(film).name))
    return captions_sidecar(path)


def _write(
    film: Film,
    options: OutputOptions,
    paths: Sequence[Path],
    sidecars: Sequence[Sidecar],
    still: Path,
) -> Report:
    if options.fitted:
        write_picture(film, film.still(film.last_shot), [still], overwrite=True)
    else:
        paths = [*paths, still]
    texts = [sidecars, *[()] * (len(paths) - 1)]
    return write_requested(film, options, paths, sidecars=texts, overwrite=True)
