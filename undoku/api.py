"""Films from Python in one call."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Unpack, overload

from undoku.render.delivery.captions import captions_sidecar
from undoku.render.delivery.film_sound import stems_folder
from undoku.render.delivery.marks import marks_sidecar
from undoku.render.delivery.notebook import NotebookFilm
from undoku.render.delivery.outputs import check_background, with_rate
from undoku.render.delivery.write import Progress, Report, write_film
from undoku.render.draw.picture import Picture
from undoku.render.film.film import Film
from undoku.render.settings.fields import FilmOptions
from undoku.render.settings.option import Context
from undoku.render.settings.settings import settings_of
from undoku.render.settings.table import options_in
from undoku.solver.problem.puzzle import Puzzle
from undoku.solver.problem.sources import as_puzzle
from undoku.solver.search.strategy import COMPARED, Strategy
from undoku.solver.trace.search_trace import Limits, search
from undoku.solver.trace.trace import Trace


@overload
def compare(
    puzzle: Puzzle | str | Sequence[object],
    strategies: Sequence[Strategy | str | Trace] = ...,
    *,
    exhaustive: bool = ...,
    max_nodes: int | None = ...,
    overwrite: bool = ...,
    progress: Progress | None = ...,
    **settings: Unpack[FilmOptions],
) -> NotebookFilm: ...


@overload
def compare(
    puzzle: Puzzle | str | Sequence[object],
    strategies: Sequence[Strategy | str | Trace] = ...,
    *outputs: str | Path,
    exhaustive: bool = ...,
    max_nodes: int | None = ...,
    overwrite: bool = ...,
    progress: Progress | None = ...,
    captions: str | Path | None = ...,
    marks: Sequence[str | Path] = ...,
    stems: str | Path | None = ...,
    **settings: Unpack[FilmOptions],
) -> Report: ...


def compare(
    puzzle: Puzzle | str | Sequence[object],
    strategies: Sequence[Strategy | str | Trace] = COMPARED,
    *outputs: str | Path,
    exhaustive: bool = False,
    max_nodes: int | None = None,
    overwrite: bool = True,
    progress: Progress | None = None,
    captions: str | Path | None = None,
    marks: Sequence[str | Path] = (),
    stems: str | Path | None = None,
    **settings: Unpack[FilmOptions],
) -> Report | NotebookFilm:
    """Film `strategies` on `puzzle`, side by side on one clock, in the formats given by the
    suffixes of `outputs`.

    Without outputs, returns an object that a notebook displays as the player or as a film: by
    default 15 seconds of 960×540.

    A strategy may also be a trace. `settings` are those of `frames`. `overwrite` False keeps
    existing files. `captions` (.srt or .vtt), `marks` (.otio, .edl, .fcpxml or .chapters.txt), and
    the sound of each search as a WAV in the folder `stems` are written with the film.

    Raises PuzzleError, StrategyError, SettingsError; OutputError or EncoderError if an output can't
    be written; then none of them has appeared.

    >>> report = compare(puzzle, ["row-major", "mrv"], "film.mp4", "film.gif",
    ...                  size="640x360", duration="20s")      # doctest: +SKIP
    """
    if not outputs:
        chosen: dict[str, object] = {"size": (960, 540), **settings}
        known = options_in(Context.PYTHON)
        if not any(known[name].sets_pace for name in chosen if name in known):
            chosen["duration"] = 15
        check_background(settings_of(chosen), [Path("film.mp4")])
        return NotebookFilm(_film(puzzle, strategies, Limits(max_nodes, exhaustive), chosen, []))
    paths = [Path(output) for output in outputs]
    film = _film(puzzle, strategies, Limits(max_nodes, exhaustive), settings, paths)
    sidecars = [captions_sidecar(Path(captions))] if captions else []
    sidecars += [marks_sidecar(Path(name), paths[0]) for name in marks]
    for text in sidecars:
        text.check(film)
    folder = stems_folder(film, stems)
    return write_film(
        film, paths, sidecars=sidecars, overwrite=overwrite, progress=progress, stems=folder
    )


def frames(
    puzzle: Puzzle | str | Sequence[object],
    strategies: Sequence[Strategy | str | Trace] = COMPARED,
    *,
    exhaustive: bool = False,
    max_nodes: int | None = None,
    **settings: Unpack[FilmOptions],
) -> Iterator[Picture]:
    """Yield the pictures of the film: new (height, width, 3) uint8 RGB arrays, with the background
    "none" (height, width, 4) RGBA, and the duration of each in seconds (a Fraction). A still
    passage comes once, with its whole duration.

    `settings` are the options of a film, all optional: numbers as they are, or texts as on the
    command line. docs/film.md has the table, `undoku.render.settings.fields.FilmOptions` the
    types. Sizes are "1280x720" or (width, height); times are seconds, or texts such as "20s".

    Raises PuzzleError, StrategyError, SettingsError.
    """
    return _film(puzzle, strategies, Limits(max_nodes, exhaustive), settings, []).pictures()


def _film(
    puzzle: Puzzle | str | Sequence[object],
    strategies: Sequence[Strategy | str | Trace] | Strategy | str | Trace,
    limits: Limits,
    settings: Mapping[str, object],
    paths: Sequence[Path],
) -> Film:
    given = as_puzzle(puzzle)
    if isinstance(strategies, str | Strategy | Trace):
        strategies = [strategies]
    traces = [
        strategy if isinstance(strategy, Trace) else search(given, strategy, limits)
        for strategy in strategies
    ]
    return Film(traces, with_rate(settings_of(settings), paths))
