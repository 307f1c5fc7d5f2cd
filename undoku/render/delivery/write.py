"""Writes a film to finished files, or to a stream."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from undoku.render.delivery.film_sound import stem_paths, tracks_with_sound
from undoku.render.delivery.forecast import Forecast
from undoku.render.delivery.outputs import (
    Sidecar,
    check_names,
    check_paths,
    check_settings,
    context_of,
    opened,
)
from undoku.render.draw.canvas import Frame
from undoku.render.draw.film_parts import divided, ticks_of
from undoku.render.draw.sprite_run import SpriteRun
from undoku.render.film.film import Film
from undoku.render.film.flash_meter import Flashes, FlashMeter
from undoku.render.settings.settings import as_still
from undoku.render.timeline.pace import Clock
from undoku.render.write.encoder_choice import (
    TRIAL,
    choice_after,
    fixed_choice,
)
from undoku.render.write.formats import format_of
from undoku.render.write.part_queue import RunWriter
from undoku.render.write.sink import DIRECT, EncoderChoice, SinkContext, Written
from undoku.render.write.staging import folder_made
from undoku.solver.trace.trace import Tally
from undoku.visible_text import html_table

if TYPE_CHECKING:
    from undoku.render.draw.easel import Drawing
    from undoku.render.write.soundtrack import Loudness

Progress = Callable[[int, int], None]
"""Called with the number of frames that are done and the number of all frames."""


@dataclass(frozen=True, slots=True)
class Report:
    """The results of a run: the outputs in the requested order, and the counts of the searches."""

    outputs: tuple[Written, ...]
    names: tuple[str, ...]
    tallies: tuple[Tally, ...]
    flashes: Flashes | None = None
    """The flashing of the film; None for a single picture and for a transparent film."""
    chosen: tuple[str, ...] = ()
    """The settings chosen for each output, if the film was fitted to limits."""
    sound: Loudness | None = None
    """The loudness of a film with sound."""

    def __repr__(self) -> str:
        files = (
            f"{output.path}, {output.frames:,} frame{'s' * (output.frames != 1)}, "
            f"{float(output.duration):.2f} s, "
            f"{output.bytes:,} bytes"
            for output in self.outputs
        )
        return f"<{'; '.join(files)}>"

    def _repr_html_(self) -> str:
        """Two tables, in a notebook: the files, and the counts."""
        files = [
            (
                output.path,
                f"{output.frames:,}",
                f"{float(output.duration):,.2f}",
                f"{output.bytes:,}",
            )
            for output in self.outputs
        ]
        counts = [
            (name, tally.outcome, f"{tally.nodes:,}", f"{tally.steps:,}", f"{tally.backtracks:,}")
            for name, tally in zip(self.names, self.tallies, strict=True)
        ]
        return html_table([("file", "frames", "seconds", "bytes"), *files]) + html_table(
            [("strategy", "outcome", "nodes", "steps", "backtracks"), *counts]
        )


def write_frames(
    parts: Iterable[Frame | SpriteRun],
    writer: RunWriter,
    meter: FlashMeter | None,
    total: int,
    progress: Progress | None = None,
    *,
    done: int = 0,
    until: int | None = None,
) -> int:
    """Write frames and runs of a film of `total` ticks, `done` of which were written before, to the
    end or until that tick, beyond which no part may extend.
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
        if done == until:
            break
    return done


def write_film(
    film: Film,
    paths: Sequence[Path],
    *,
    sidecars: Sequence[Sidecar] = (),
    overwrite: bool = False,
    progress: Progress | None = None,
    stems: Path | None = None,
    say: Callable[[str], object] | None = None,
) -> Report:
    """Write the film in the formats of `paths`, in one pass over the searches; for single pictures,
    the last frame; the `sidecars`; and in the folder `stems` the separate sound of each search.
    `say` is told what a long run will take.
    Raises OutputError, EncoderError; then none of the files has appeared.

    >>> film = undoku.Film([undoku.search("1.....3..4.....2", "mrv")], undoku.FilmSettings())
    >>> undoku.write_film(film, [Path("last.png")]).names
    ('mrv',)
    """
    check_paths(paths)
    check_settings(film.settings, paths)
    if all(format_of(path).still for path in paths):
        return write_picture(
            film, film.still(film.last_shot), paths, sidecars=sidecars, overwrite=overwrite
        )
    film.timeline.check_length()
    own = stem_paths(film, stems) if stems else []
    with folder_made(stems), tracks_with_sound(film, paths) as tracks:
        check_names([*paths, *(text.path for text in sidecars), *own], overwrite=overwrite)
        context = context_of(film)._replace(tracks=tracks)
        write = partial(
            _written,
            film,
            paths,
            sidecars=sidecars,
            stems=own,
            overwrite=overwrite,
            progress=progress,
            say=say,
        )
        choice: EncoderChoice | None = context.encoder
        if any(format_of(path).direct_writer for path in paths):
            choice = fixed_choice(film.settings)
        report = write(context._replace(encoder=choice or DIRECT), trial=choice is None)
        if isinstance(report, EncoderChoice):
            report = write(context._replace(encoder=report), trial=False)
        assert isinstance(report, Report)
        return report


def _written(
    film: Film,
    paths: Sequence[Path],
    context: SinkContext,
    *,
    sidecars: Sequence[Sidecar],
    stems: Sequence[Path],
    overwrite: bool,
    progress: Progress | None,
    say: Callable[[str], object] | None,
    trial: bool,
) -> Report | EncoderChoice:
    """Write the film. With `trial`, an MP4 is written directly until its size is known; if x264
    does better, returns this choice, and nothing is written."""
    frames = film.length
    # The flashing of a transparent film depends on the picture below it.
    meter = None if film.settings.transparent else film.meter()
    with opened(paths, context, overwrite=overwrite, sidecars=sidecars, stems=stems) as outputs:
        forecast = Forecast(outputs.frames, say) if say else None

        def count(done: int, total: int) -> None:
            for called in (progress, forecast):
                if called:
                    called(done, total)

        if outputs.pages:
            from undoku.player.html_page import film_page

            outputs.write_page(film_page(film, context.about), frames)
        if outputs.frames:
            parts, done = film.parts(runs=True), 0
            if trial and outputs.encoded:
                parts = divided(parts, (TRIAL,))
                done = write_frames(parts, outputs, meter, frames, count, until=TRIAL)
                choice = choice_after(outputs.encoded, frames, film.settings)
                if not choice.direct:
                    return choice
                outputs.set_encoder(choice)
            write_frames(parts, outputs, meter, frames, count, done=done)
        if outputs.documents:
            outputs.draw(film.still(film.last_shot)[1])
        written = outputs.finish(film)
        flashes = meter.flashes() if meter and outputs.frames else None
        sound = context.tracks.sound
        loudness = sound.soundtrack.loudness if sound else None
        return Report(written, film.names, film.tallies, flashes, sound=loudness)


def write_still(film: Film, step: int, paths: Sequence[Path], *, overwrite: bool = False) -> Report:
    """Write the picture of the state after `step` steps.

    Raises SettingsError for formats of films, and the errors of `write_film`.
    """
    check_paths(paths, still=True)
    context = context_of(film, step=step)
    picture = until(film, step).still(film.shot_of_step(step))
    return write_picture(film, picture, paths, overwrite=overwrite, context=context)


def until(film: Film, step: int) -> Film:
    """The film of even pace with charts that end with `step`, so that they are not empty, unless
    its settings say where they end. At step 0 it has no charts, unless its settings name them."""
    settings = as_still(film.settings)
    if not step and not settings.panels:
        settings = replace(settings, panels=("board", "counters"))
    pace = settings.pace
    if not pace.cues and pace.last is None and settings.clock is Clock.STEPS:
        last = min(max(step, pace.first + 1), film.timeline.longest)
        settings = replace(settings, pace=replace(pace, last=last))
    return film.with_settings(settings)


def write_picture(
    film: Film,
    picture: tuple[Frame, Drawing],
    paths: Sequence[Path],
    *,
    sidecars: Sequence[Sidecar] = (),
    overwrite: bool = False,
    context: SinkContext | None = None,
) -> Report:
    """Write one picture, given as pixels and as geometry, in the formats of `paths`; `context` if
    it differs from the film's. Raises OutputError; then none of the files has appeared."""
    check_settings(film.settings, paths)
    frame, drawing = picture
    context = context or context_of(film)
    with opened(paths, context, overwrite=overwrite, sidecars=sidecars) as outputs:
        outputs.write(frame)
        outputs.draw(drawing)
        return Report(outputs.finish(film), film.names, film.tallies)
