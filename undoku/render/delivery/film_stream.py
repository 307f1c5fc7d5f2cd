"""A film to a stream, such as standard output, while it is drawn."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import BinaryIO

from undoku.render.delivery.feed import Progress, feed
from undoku.render.delivery.plan import OutputPlan
from undoku.render.delivery.report import Report
from undoku.render.delivery.write import Sidecar
from undoku.render.write.direct_sink import DirectStream
from undoku.render.write.file_transaction import FileTransaction

__all__ = ["stream_film"]


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
    shape = replace(plan.mp4_shape, direct=True, tracks=plan.tracks)
    with FileTransaction() as files, DirectStream(stream, shape) as sink:
        texts = [(files.open(text.path, overwrite=overwrite), text) for text in sidecars]
        parts = film.parts(runs=True)
        feed(parts, sink, meter, film.timeline.frames, progress)
        written = sink.finish()
        for staging, text in texts:
            files.write_text(staging, text.of(film))
        files.publish()
        return Report((written,), film.names, film.tallies, meter.flashes())
