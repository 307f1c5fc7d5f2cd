"""The tasks of a batch: films that are drawn together, and searches that several of them share.
These are cached on disk, so that each runs once."""

from __future__ import annotations

import hashlib
import pickle
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path, PurePosixPath

import numpy as np

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
from undoku.solver.search.strategy import Strategy
from undoku.solver.trace.search_trace import Limits, SearchTrace, search
from undoku.solver.trace.trace import CHUNK, EVENT, Events, Inferences, Outcome, Tally, Trace

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
class SearchTask:
    """Run a search and cache it at `path`."""

    puzzle: Puzzle
    strategy: str
    limits: Limits
    path: Path


@dataclass(frozen=True, slots=True)
class FilmTask:
    """Draw the `wanted` files of a group (their indices in its names) into `folder`, an empty one:
    file number k becomes the file `k` with its suffix. `searches` are the paths of the cached
    searches of the strategies, None for one that isn't cached."""

    group: FilmGroup
    wanted: tuple[int, ...]
    folder: Path
    searches: tuple[Path | None, ...] = ()


Task = FilmTask | SearchTask


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


MAX_CACHED = 1 << 26
"""The maximum number of events of a cached search, 256 MiB. Of a longer search only the counts are
cached, and it runs again for each film, because reading so many events is not faster."""


def cache_search(
    puzzle: Puzzle, strategy: str, limits: Limits, path: Path, *, max_events: int = MAX_CACHED
) -> None:
    """Search, and store the events at `path`, if there are at most `max_events`, and the counts
    beside it. Both files are written atomically. Raises OSError.
    """
    trace = SearchTrace(puzzle, Strategy.parse(strategy), limits)
    events = 0
    temporary = path.with_suffix(".part")
    with temporary.open("wb") as file:
        for chunk in trace.chunks():
            events += len(chunk)
            if events <= max_events:
                file.write(chunk.tobytes())
    if events <= max_events:
        temporary.replace(path)
    else:
        temporary.unlink()
    temporary.write_bytes(pickle.dumps(trace.tally()))
    temporary.replace(_tally_path(path))


def _tally_path(path: Path) -> Path:
    return path.with_suffix(".tally")


def remove_search(path: Path) -> None:
    """Remove the files of `cache_search`, if they exist."""
    path.unlink(missing_ok=True)
    _tally_path(path).unlink(missing_ok=True)


class CachedSearch(SearchTrace):
    """The cached search at `path`; it runs again if its files are missing."""

    def __init__(self, puzzle: Puzzle, strategy: str, limits: Limits, path: Path | None) -> None:
        super().__init__(puzzle, Strategy.parse(strategy), limits)
        self._path = path

    def chunks(self) -> Iterator[Events]:
        if self._path is None or not self._path.exists():
            yield from super().chunks()
            return
        with self._path.open("rb") as file:
            while chunk := file.read(CHUNK * EVENT.itemsize):
                yield np.frombuffer(bytearray(chunk), EVENT)

    def explained_chunks(self) -> Iterator[tuple[Events, Inferences | None]]:
        # The reasons of eliminations are not cached, so the search runs again.
        if self.strategy.eliminates:
            return super().explained_chunks()
        return ((chunk, None) for chunk in self.chunks())

    def tally(self) -> Tally:
        if self._path is not None:
            try:
                tally: Tally = pickle.loads(_tally_path(self._path).read_bytes())
            except OSError:
                self._path = None
            else:
                if self.limits.max_seconds is not None and tally.outcome is Outcome.CAPPED:
                    # A search that was stopped by its time limit stops at the same node if it runs
                    # again.
                    self._timed_out, self._node_limit = True, tally.nodes
                return tally
        return super().tally()


def perform(task: Task) -> FilmResult | None:
    """Do a task; the result of a search is its cached files. Raises UndokuError."""
    if isinstance(task, FilmTask):
        return draw(task)
    try:
        cache_search(task.puzzle, task.strategy, task.limits, task.path)
    except OSError as error:
        raise OutputError(f"the search can't be cached: {error.strerror or error}") from None
    return None


def film_of(group: FilmGroup, traces: Sequence[Trace] = ()) -> Film:
    """The film of a group, of `traces` or of new searches. Raises SettingsError if it would be
    longer than a day."""
    traces = traces or [search(group.puzzle, name, group.limits) for name in group.strategies]
    single = group.options.single
    film = Film(traces, as_still(group.settings) if single else group.settings)
    if not single:
        film.timeline.check_length()
    return film


def draw(task: FilmTask) -> FilmResult:
    """Draw the films of a task, their sidecars, and STILL. Existing files in its folder are
    replaced, because a task may be repeated after its worker was lost. Raises UndokuError; then
    the films do not exist."""
    start = time.monotonic()
    group, folder = task.group, task.folder
    paths = task.searches or (None,) * len(group.strategies)
    film = film_of(
        group,
        [
            CachedSearch(group.puzzle, strategy, group.limits, path)
            for strategy, path in zip(group.strategies, paths, strict=True)
        ],
    )
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
