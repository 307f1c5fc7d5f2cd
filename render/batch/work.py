"""What a worker does: one drawing pass into a folder of its own, or one search that several
passes share."""

from __future__ import annotations

import hashlib
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from render.batch.jobs import Pass
from render.batch.kept import KeptSearch, keep_search
from render.pipeline import Film, write_film
from solver.backtracking import Limits
from solver.errors import OutputError, RunError, SettingsError
from solver.puzzle import Puzzle
from solver.trace import Tally

__all__ = [
    "STILL",
    "DrawTask",
    "Drawn",
    "Made",
    "SearchTask",
    "digest_of",
    "draw",
    "film_of",
    "settled",
    "work",
]

STILL = "still.png"
"""The name of the picture that a pass leaves beside its films, for the report."""

_LONGEST = 24 * 3600  # seconds


@dataclass(frozen=True, slots=True)
class SearchTask:
    """Search once and keep it at `path`."""

    puzzle: Puzzle
    strategy: str
    limits: Limits
    path: Path


@dataclass(frozen=True, slots=True)
class DrawTask:
    """Draw a pass into `folder`, an empty one: film number k of the pass, if `wanted[k]`, becomes
    the file `k` with the film's suffix. `kept` are the paths of the strategies' kept searches.
    Of a film in segments only the frames of `span` are drawn."""

    drawn: Pass
    wanted: tuple[bool, ...]
    folder: Path
    kept: tuple[Path | None, ...] = ()
    span: range | None = None


@dataclass(frozen=True, slots=True)
class Made:
    """A film as a worker made it. `digest` is the SHA-256 of its bytes in hexadecimal."""

    number: int
    file: str
    frames: int
    duration: float
    bytes: int
    digest: str


@dataclass(frozen=True, slots=True)
class Drawn:
    """What a pass made; `seconds` is how long it took."""

    films: tuple[Made, ...]
    tallies: tuple[Tally, ...]
    seconds: float


def settled(drawn: Pass) -> Pass:
    """The pass as batches draw it: one thread for each encoder, because the films run side by
    side, and the same whatever the machine, because it is part of the result."""
    return replace(drawn, settings=replace(drawn.settings, encoder_threads=1))


def work(task: SearchTask | DrawTask) -> Drawn | None:
    """Do a task. Raises UndokuError."""
    if isinstance(task, DrawTask):
        return draw(task)
    try:
        keep_search(task.puzzle, task.strategy, task.limits, task.path)
    except OSError as error:
        raise OutputError(f"the search can't be kept: {error.strerror or error}") from None
    return None


def film_of(drawn: Pass, kept: Sequence[Path | None] = ()) -> Film:
    """The film of a pass. Raises SettingsError when it would be longer than a day."""
    paths = kept or (None,) * len(drawn.strategies)
    traces = [
        KeptSearch(drawn.puzzle, strategy, drawn.limits, path)
        for strategy, path in zip(drawn.strategies, paths, strict=True)
    ]
    film = Film(traces, drawn.settings)
    if film.timeline.duration > _LONGEST:
        raise SettingsError(
            f"the film would take {float(film.timeline.duration) / 3600:,.0f} hours",
            remedy="raise steps_per_frame, or give a duration",
        )
    return film


def draw(task: DrawTask) -> Drawn:
    """Draw a pass. Raises UndokuError; its films then are not there."""
    started = time.monotonic()
    drawn = settled(task.drawn)
    film = film_of(drawn, task.kept)
    numbers = [number for number, wanted in enumerate(task.wanted) if wanted]
    files = [f"{number}{Path(drawn.names[number]).suffix}" for number in numbers]
    try:
        task.folder.mkdir(exist_ok=True)
        # A task that is done a second time, after its worker was lost, replaces what it made.
        paths = [task.folder / file for file in (*files, STILL)]
        report = write_film(film, paths, overwrite=True, span=task.span)
        digests = [digest_of(task.folder / file) for file in files]
    except OSError as error:
        raise OutputError(f"the disk refused: {error.strerror or error}") from None
    except RunError as error:
        # The folder of a pass is ours; the user knows the film by its name.
        message = error.message
        for number, file in zip(numbers, files, strict=True):
            message = message.replace(str(task.folder / file), drawn.names[number])
        raise type(error)(message, remedy=error.remedy) from None
    made = tuple(
        Made(number, file, output.frames, float(output.duration), output.bytes, digest)
        for number, file, output, digest in zip(
            numbers, files, report.outputs, digests, strict=False
        )
    )
    return Drawn(made, report.tallies, time.monotonic() - started)


def digest_of(path: Path) -> str:
    """The SHA-256 of a file in hexadecimal. Raises OSError."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
