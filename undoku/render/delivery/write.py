"""Writes a film to finished files, or to a stream."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO, Protocol

from undoku.render.delivery.film_sound import loudness_of, stem_paths, tracks_with_sound
from undoku.render.delivery.outputs import Outputs, Sidecar, check_ground, check_names, check_paths
from undoku.render.delivery.plan import OutputPlan, planned
from undoku.render.delivery.report import Report
from undoku.render.draw.canvas import Frame
from undoku.render.draw.film_parts import divided, ticks_of
from undoku.render.draw.sprite_run import SpriteRun
from undoku.render.film.film import Film
from undoku.render.film.flash_meter import FlashMeter
from undoku.render.write.encoder_choice import TRIAL, beginning, choice_after
from undoku.render.write.formats import format_of
from undoku.render.write.sink import DIRECT, SinkContext
from undoku.render.write.staging import FileTransaction

if TYPE_CHECKING:
    from undoku.render.draw.easel import Drawing

__all__ = [
    "Progress",
    "Writer",
    "stream_film",
    "write_film",
    "write_frames",
    "write_picture",
    "write_still",
]

Progress = Callable[[int, int], None]
"""Called with the number of frames that are done and the number of all frames."""


class Writer(Protocol):
    """A writer that receives a film part by part, in order."""

    def write(self, frame: Frame) -> None: ...

    def write_run(self, run: SpriteRun) -> None: ...


def write_frames(
    parts: Iterable[Frame | SpriteRun],
    writer: Writer,
    meter: FlashMeter | None,
    total: int,
    progress: Progress | None = None,
    *,
    done: int = 0,
) -> int:
    """Write frames and runs of a film of `total` ticks, `done` of which were written before.
    `meter`, if given, watches each of them, and `progress` is called after each. Returns the number
    of ticks done."""
    for part in meter.watched(parts) if meter else parts:
        if isinstance(part, SpriteRun):
            writer.write_run(part)
        else:
            writer.write(part)
        done += ticks_of(part)
        if progress:
            progress(done, total)
    return done


def write_film(
    film: Film | OutputPlan,
    paths: Sequence[Path],
    *,
    sidecars: Sequence[Sidecar] = (),
    overwrite: bool = False,
    progress: Progress | None = None,
    stems: Path | None = None,
) -> Report:
    """Write the film in the formats of `paths`, in one pass over the
    searches; for single pictures, the last frame; the `sidecars`; and in the folder `stems` the
    separate sound of each search. A plan may be given instead of a film. Raises OutputError,
    EncoderError; then none of the files has appeared.
    """
    check_paths(paths)
    plan = planned(film)
    film = plan.film
    check_ground(film.settings, paths)
    last = film.timeline.shot_at(film.timeline.frames - 1)
    if all(format_of(path).still for path in paths):
        return write_picture(plan, film.still(last), paths, sidecars=sidecars, overwrite=overwrite)
    film.timeline.check_length()
    own = stem_paths(film, stems) if stems else []
    check_names([*paths, *(text.path for text in sidecars), *own], overwrite=overwrite)
    direct = any(format_of(path).direct_writer for path in paths)
    write = partial(
        _written,
        plan,
        paths,
        sidecars=sidecars,
        stems=own,
        overwrite=overwrite,
        progress=progress,
    )
    with tracks_with_sound(plan, paths) as tracks:
        if direct and plan.encoder_choice is None:
            report = write(replace(plan.context, encoder=DIRECT, tracks=tracks), trial=True)
            if report:
                return report
        context = plan.mp4_context if direct else plan.context
        report = write(replace(context, tracks=tracks), trial=False)
        assert report
        return report


def _written(
    plan: OutputPlan,
    paths: Sequence[Path],
    context: SinkContext,
    *,
    sidecars: Sequence[Sidecar],
    stems: Sequence[Path],
    overwrite: bool,
    progress: Progress | None,
    trial: bool,
) -> Report | None:
    """Write the film. With `trial`, an MP4 is written directly until its size is known; if x264
    does better, returns None, and the plan has the choice."""
    film, frames = plan.film, plan.film.timeline.frames
    # The flashing of a transparent film depends on the picture below it.
    meter = None if film.settings.transparent else film.meter()
    with Outputs(paths, context, overwrite=overwrite, sidecars=sidecars, stems=stems) as outputs:
        if outputs.wants_page:
            from undoku.player.html_page import film_page

            outputs.write_page(film_page(film, context.about), frames)
        if outputs.wants_frames:
            parts, done = film.parts(runs=True), 0
            if trial and outputs.encoded:
                parts = divided(parts, (TRIAL,))
                done = write_frames(beginning(parts), outputs, meter, frames, progress)
                choice = choice_after(outputs.encoded, frames, film.settings)
                plan.choose(choice)
                if not choice.direct:
                    return None
                outputs.set_encoder(choice)
            write_frames(parts, outputs, meter, frames, progress, done=done)
        if outputs.wants_drawing:
            last = film.timeline.shot_at(frames - 1)
            outputs.draw(film.still(last)[1])
        written = outputs.finish(text.of(film) for text in sidecars)
        flashes = meter.flashes() if meter and outputs.wants_frames else None
        return Report(written, film.names, film.tallies, flashes, sound=loudness_of(context.tracks))


def write_still(film: Film, step: int, paths: Sequence[Path], *, overwrite: bool = False) -> Report:
    """Write the picture of the state after `step` steps.

    Raises SettingsError for formats of films, and the errors of `write_film`.
    """
    check_paths(paths, still=True)
    plan = OutputPlan(film)
    picture, context = film.still(film.shot_of_step(step)), plan.picture_context(step=step)
    return write_picture(plan, picture, paths, overwrite=overwrite, context=context)


def write_picture(
    film: Film | OutputPlan,
    picture: tuple[Frame, Drawing],
    paths: Sequence[Path],
    *,
    sidecars: Sequence[Sidecar] = (),
    overwrite: bool = False,
    context: SinkContext | None = None,
) -> Report:
    """Write one picture, given as pixels and as geometry, in the formats of `paths`; `context` if
    it differs from the film's. Raises OutputError; then none of the files has appeared."""
    plan = planned(film)
    film = plan.film
    check_ground(film.settings, paths)
    frame, drawing = picture
    with Outputs(paths, context or plan.context, overwrite=overwrite, sidecars=sidecars) as outputs:
        outputs.write(frame)
        outputs.draw(drawing)
        return Report(outputs.finish(text.of(film) for text in sidecars), film.names, film.tallies)


def stream_film(
    plan: OutputPlan,
    stream: BinaryIO,
    *,
    sidecars: Sequence[Sidecar] = (),
    overwrite: bool = False,
    progress: Progress | None = None,
) -> Report:
    """Write the film of a plan as fragmented MP4, which needs no seeking: a fragment at each key
    frame and once a second. The stream stays open. The `sidecars` appear when it is finished.

    Raises SettingsError for a film that can't be written directly, OutputError for a file
    beside it, OSError if the stream fails.
    """
    film = plan.film
    film.timeline.check_length()
    meter = film.meter()
    from undoku.render.write.mp4_direct import DirectStream  # loads the loops of the encoder

    context = replace(plan.context, encoder=DIRECT, tracks=plan.tracks)
    with FileTransaction() as files, DirectStream(stream, context) as sink:
        texts = [(files.open(text.path, overwrite=overwrite), text) for text in sidecars]
        parts = film.parts(runs=True)
        write_frames(parts, sink, meter, film.timeline.frames, progress)
        written = sink.finish()
        for staging, text in texts:
            files.write_text(staging, text.of(film))
        files.publish()
        return Report((written,), film.names, film.tallies, meter.flashes())
