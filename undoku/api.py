"""Films from Python in one call."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Unpack

from undoku.errors import SettingsError
from undoku.render.delivery.captions import captions_sidecar
from undoku.render.delivery.film_sound import stems_folder
from undoku.render.delivery.marks import marks_sidecar
from undoku.render.delivery.notebook import NotebookFilm
from undoku.render.delivery.outputs import check_settings, outputs_among, with_rate
from undoku.render.delivery.request import OutputRequest, write_requested
from undoku.render.delivery.write import Progress, Report
from undoku.render.draw.picture import Picture
from undoku.render.film.film import Film
from undoku.render.settings.fields import FilmOptions
from undoku.render.settings.number_kinds import parse_bytes
from undoku.render.settings.option import Context
from undoku.render.settings.settings import settings_of
from undoku.render.settings.table import options_in
from undoku.solver.search.strategy import COMPARED
from undoku.solver.trace.search_trace import Limits
from undoku.solver.trace.subjects import MISSING, Subject, traces_of
from undoku.solver.trace.trace import Trace

_MISSING = (
    "name a strategy (see undoku list strategies) or an existing file; the name of a film ends in "
    ".mp4, .gif or another format"
)
"""The remedy for a name of nothing among subjects without an output."""


def film(
    *subjects: Subject,
    exhaustive: bool = False,
    max_nodes: int | None = None,
    max_seconds: float | None = None,
    at_step: int | None = None,
    filmstrip: int | None = None,
    max_size: int | str | None = None,
    platform: str | None = None,
    overwrite: bool = True,
    progress: Progress | None = None,
    captions: str | Path | None = None,
    marks: Sequence[str | Path] = (),
    stems: str | Path | None = None,
    **settings: Unpack[FilmOptions],
) -> Report | NotebookFilm:
    """Film searches side by side on one clock.

    `subjects` are, in any order, puzzles, strategies, traces, watched grids, and the names of the
    outputs, whose suffixes are the formats. Each puzzle is searched by each strategy, by default by
    row-major and mrv; without a puzzle, strategies search those of the traces. So `film(grid,
    "mrv", "vs.mp4")` is a watched solver beside mrv on the same puzzle. Without outputs, returns an
    object that a notebook displays as the player or as a film: by default 15 seconds of 960×540.

    `settings` are those of `frames`. `at_step` makes a picture of the state after so many steps,
    `filmstrip` one of so many moments. Films fit into `max_size`, bytes or "2MB", and the limits of
    a `platform`. `overwrite` False keeps existing files. `captions` (.srt or .vtt), `marks` (.otio,
    .edl, .fcpxml or .chapters.txt), and the sound of each search as a WAV in the folder `stems` are
    written with the film.

    Raises PuzzleError, StrategyError, TraceError, SettingsError; OutputError or EncoderError if an
    output can't be written; then none of them has appeared.

    >>> film("hard.txt", "mrv", "film.mp4", "film.gif", size="640x360")      # doctest: +SKIP
    >>> film("1.....3..4.....2", "mrv", "film.png", size="320x180").names
    ('mrv',)
    """
    inputs, paths = outputs_among(subjects)
    further = {"captions": captions, "marks": marks, "stems": stems}
    request = OutputRequest(
        at_step,
        filmstrip,
        None if max_size is None else parse_bytes(str(max_size)),
        platform,
        any_size="size" not in settings,
        beside=tuple(name for name, asked in further.items() if asked),
    )
    limits = Limits(max_nodes, exhaustive, max_seconds)
    traces = traces_of(inputs, limits, MISSING if paths else _MISSING)
    if not paths:
        if request.single or request.fitted or request.beside:
            raise SettingsError("no file is named", remedy='name one, such as "film.mp4"')
        chosen: dict[str, object] = {"size": (960, 540), **settings}
        known = options_in(Context.PYTHON)
        if not any(known[name].sets_pace for name in chosen if name in known):
            chosen["duration"] = 15
        check_settings(settings_of(chosen), [Path("film.mp4")])
        return NotebookFilm(_film(traces, chosen, []))
    made = _film(traces, settings, paths)
    sidecars = [captions_sidecar(Path(captions))] if captions else []
    sidecars += [marks_sidecar(Path(name), paths[0]) for name in marks]
    for text in sidecars:
        text.check(made)
    return write_requested(
        made,
        request,
        paths,
        sidecars=[sidecars, *[[]] * (len(paths) - 1)],
        overwrite=overwrite,
        progress=progress,
        stems=stems_folder(made, stems),
    )


def compare(
    puzzle: Subject, strategies: Subject = COMPARED, *outputs: str | Path, **options: Any
) -> Report | NotebookFilm:
    """`film` with the strategies, or traces, in a list.

    >>> compare("1.....3..4.....2", ["mrv"], "film.png", size="320x180").names
    ('mrv',)
    """
    return film(puzzle, strategies, *outputs, **options)


def frames(
    *subjects: Subject,
    exhaustive: bool = False,
    max_nodes: int | None = None,
    max_seconds: float | None = None,
    **settings: Unpack[FilmOptions],
) -> Iterator[Picture]:
    """Yield the pictures of the film of `subjects`, which are those of `film`: new (height, width,
    3) uint8 RGB arrays, with the background "none" (height, width, 4) RGBA, and the duration of
    each in seconds (a Fraction). A still passage comes once, with its whole duration.

    `settings` are the options of a film, all optional: numbers as they are, or texts as on the
    command line. `undoku render --help` lists them, `undoku.render.settings.fields.FilmOptions` the
    types. Sizes are "1280x720" or (width, height); times are seconds, or texts such as "20s".

    Raises PuzzleError, StrategyError, TraceError, SettingsError.

    >>> picture = next(frames("1.....3..4.....2", "mrv", size="320x180"))
    >>> picture.pixels.shape
    (180, 320, 3)
    """
    traces = traces_of(subjects, Limits(max_nodes, exhaustive, max_seconds))
    return _film(traces, settings, []).pictures()


def _film(traces: Sequence[Trace], settings: Mapping[str, object], paths: Sequence[Path]) -> Film:
    return Film(traces, with_rate(settings_of(settings), paths))
