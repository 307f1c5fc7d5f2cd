"""A film to a stream, such as standard output, while it is drawn."""

from __future__ import annotations

from dataclasses import replace
from typing import BinaryIO

from render.fade import unflashing
from render.pipeline import Film, Progress, Report, watched
from render.sinks.direct import DirectStream

__all__ = ["stream_film"]


def stream_film(
    film: Film, stream: BinaryIO, *, flash_safe: bool = False, progress: Progress | None = None
) -> Report:
    """Write the film as fragmented MP4, which needs no going back: a fragment at each key frame
    and once a second. The stream stays open.

    Raises SettingsError for a film that can't be written directly, OSError as the stream does.
    """
    film.timeline.check_length()
    meter = film.meter()
    frames = unflashing(film.frames, film.meter) if flash_safe else film.frames()
    shape = replace(film.shape, direct=True, chapters=film.chapters)
    with DirectStream(stream, shape) as sink:
        done = 0
        for frame in watched(frames, meter):
            sink.write(frame)
            done += frame.ticks
            if progress:
                progress(done, film.timeline.frames)
        return Report((sink.finish(),), film.names, film.tallies, meter.flashes())
