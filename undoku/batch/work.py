"""The tasks of workers: one drawing pass into its own folder, or one search that several passes
share."""

from __future__ import annotations

import hashlib
import time
from dataclasses import dataclass
from pathlib import Path

from undoku.batch.draw_pass import STILL, draw_pass, film_of, with_batch_settings
from undoku.batch.passes import Pass, film_beside, suffix_of
from undoku.batch.search_cache import cache_search
from undoku.errors import OutputError, RunError
from undoku.render.delivery.plan import OutputPlan
from undoku.render.write.encoder_choice import EncoderChoice
from undoku.solver.problem.puzzle import Puzzle
from undoku.solver.trace.search_trace import Limits
from undoku.solver.trace.trace import Tally

__all__ = ["STILL", "DrawTask", "Drawn", "Made", "SearchTask", "digest_of", "draw", "work"]


@dataclass(frozen=True, slots=True)
class SearchTask:
    """Run a search and cache it at `path`."""

    puzzle: Puzzle
    strategy: str
    limits: Limits
    path: Path


@dataclass(frozen=True, slots=True)
class DrawTask:
    """Draw a pass into `folder`, an empty one: film number k of the pass, if `wanted[k]`, becomes
    the file `k` with the film's suffix. `kept` are the paths of the cached searches of the
    strategies. For a film in segments, only the frames of `span` are drawn. An MP4 is written in
    this `encoder_choice`, or the one that the worker makes."""

    drawn: Pass
    wanted: tuple[bool, ...]
    folder: Path
    kept: tuple[Path | None, ...] = ()
    span: range | None = None
    encoder_choice: EncoderChoice | None = None


@dataclass(frozen=True, slots=True)
class Made:
    """A film made by a worker. `digest` is the SHA-256 of its bytes in hexadecimal."""

    number: int
    file: str
    frames: int
    duration: float
    bytes: int
    digest: str


@dataclass(frozen=True, slots=True)
class Drawn:
    """The result of a pass; `seconds` is its duration."""

    films: tuple[Made, ...]
    tallies: tuple[Tally, ...]
    seconds: float


def work(task: SearchTask | DrawTask) -> Drawn | None:
    """Do a task. Raises UndokuError."""
    if isinstance(task, DrawTask):
        return draw(task)
    try:
        cache_search(task.puzzle, task.strategy, task.limits, task.path)
    except OSError as error:
        raise OutputError(f"the search can't be cached: {error.strerror or error}") from None
    return None


def draw(task: DrawTask) -> Drawn:
    """Draw a pass. Raises UndokuError; then its films do not exist."""
    started = time.monotonic()
    drawn = with_batch_settings(task.drawn)
    plan = OutputPlan(film_of(drawn, task.kept), task.encoder_choice)
    files = {
        f"{number}{suffix_of(name)}": number
        for number, (name, wanted) in enumerate(zip(drawn.names, task.wanted, strict=True))
        if wanted
    }
    films = {file: film_beside(drawn.names[at], drawn.names) for file, at in files.items()}
    try:
        task.folder.mkdir(exist_ok=True)
        drawing = draw_pass(plan, drawn.extras, task.folder, films, task.span)
        made = tuple(
            Made(
                files[file],
                file,
                frames,
                float(duration),
                (task.folder / file).stat().st_size,
                digest_of(task.folder / file),
            )
            for file, (frames, duration) in drawing.files.items()
        )
    except OSError as error:
        raise OutputError(f"writing failed: {error.strerror or error}") from None
    except RunError as error:
        # The folder of a pass is internal; messages use the name of the film.
        message = error.message
        for file, number in files.items():
            message = message.replace(str(task.folder / file), drawn.names[number])
        raise type(error)(message, remedy=error.remedy) from None
    return Drawn(made, drawing.tallies, time.monotonic() - started)


def digest_of(path: Path) -> str:
    """The SHA-256 of a file in hexadecimal. Raises OSError."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
