"""The whole way from a film to finished files."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from render.delivery.feed import Progress, feed
from render.delivery.outputs import Outputs, check_ground, check_names, check_paths
from render.delivery.plan import OutputPlan, planned
from render.delivery.report import Report
from render.delivery.sounding import heard, sounding, stem_paths
from render.drawing.canvas import Frame
from render.drawing.easel import Drawing
from render.film import Film
from render.player.page import film_page
from render.sinks import format_of
from render.sinks.contract import FilmShape

__all__ = ["Sidecar", "write_film", "write_picture", "write_still"]


@dataclass(frozen=True, slots=True)
class Sidecar:
    """A text file that appears with a film, or not at all: where, and what is `of` the film.
    `check` raises SettingsError, before any frame is drawn, for a film that has no such text."""

    path: Path
    of: Callable[[Film], str]
    check: Callable[[Film], object] = lambda _: None


def write_film(
    film: Film | OutputPlan,
    paths: Sequence[Path],
    *,
    sidecars: Sequence[Sidecar] = (),
    overwrite: bool = False,
    progress: Progress | None = None,
    span: range | None = None,
    stems: Path | None = None,
) -> Report:
    """Write the film, or a `span` of its ticks, in every format that `paths` ask for, in one pass
    over the searches; of still pictures the last; the `sidecars`; and in the folder `stems` the
    sound of each search by itself. Who has a plan how the film is written gives that.

    Raises OutputError, EncoderError; then none of the files has appeared.
    """
    check_paths(paths)
    plan = planned(film)
    film = plan.film
    check_ground(film.settings, paths)
    last = film.timeline.shot_at(film.timeline.frames - 1)
    if span is None and all(format_of(path).still for path in paths):
        return write_picture(plan, film.still(last), paths, sidecars=sidecars, overwrite=overwrite)
    film.timeline.check_length()
    own = stem_paths(film, stems) if stems else []
    check_names([*paths, *(text.path for text in sidecars), *own], overwrite=overwrite)
    # How what stands on nothing flashes depends on what it is laid over.
    meter = None if film.settings.transparent else film.meter()
    direct = any(format_of(path).direct_writer for path in paths)
    shape = plan.mp4_shape if direct else plan.shape
    with sounding(plan, paths if span is None else ()) as tracks:
        if span is None:
            shape = replace(shape, tracks=tracks)
        with Outputs(paths, shape, overwrite=overwrite, sidecars=sidecars, stems=own) as outputs:
            if outputs.wants_page:
                outputs.write_page(film_page(film, shape.about), film.timeline.frames)
            if outputs.wants_frames:
                parts = film.parts(runs=outputs.takes_runs, span=span)
                feed(parts, outputs, meter, film.timeline.frames, progress)
            if outputs.wants_drawing:
                outputs.draw(film.still(last)[1])
            written = outputs.finish(text.of(film) for text in sidecars)
            flashes = meter.flashes() if meter and outputs.wants_frames else None
            return Report(written, film.names, film.tallies, flashes, sound=heard(tracks))


def write_still(film: Film, step: int, paths: Sequence[Path], *, overwrite: bool = False) -> Report:
    """Write the picture of the state after `step` steps.

    Raises SettingsError when a path asks for a moving format, else as `write_film`.
    """
    check_paths(paths, still=True)
    plan = OutputPlan(film)
    picture, shape = film.still(film.shot_of_step(step)), plan.picture_shape(step=step)
    return write_picture(plan, picture, paths, overwrite=overwrite, shape=shape)


def write_picture(
    film: Film | OutputPlan,
    picture: tuple[Frame, Drawing],
    paths: Sequence[Path],
    *,
    sidecars: Sequence[Sidecar] = (),
    overwrite: bool = False,
    shape: FilmShape | None = None,
) -> Report:
    """Write one picture, given as pixels and as geometry, in every format that `paths` ask for;
    `shape` where it isn't the film's. Raises OutputError; then none of the files has appeared."""
    plan = planned(film)
    film = plan.film
    check_ground(film.settings, paths)
    frame, drawing = picture
    with Outputs(paths, shape or plan.shape, overwrite=overwrite, sidecars=sidecars) as outputs:
        outputs.write(frame)
        outputs.draw(drawing)
        return Report(outputs.finish(text.of(film) for text in sidecars), film.names, film.tallies)
