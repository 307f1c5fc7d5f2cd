"""One long MP4 in segments that several processes draw at once."""

from __future__ import annotations

import hashlib
import pickle
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path

from undoku.errors import EncoderError, SettingsError
from undoku.render.delivery.feed import Progress, write_part
from undoku.render.delivery.plan import OutputPlan
from undoku.render.delivery.report import Report
from undoku.render.delivery.segment_files import join, spans
from undoku.render.delivery.sound_files import loudness_of, stem_paths, tracks_with_sound
from undoku.render.delivery.write import Sidecar
from undoku.render.draw.canvas import Frame
from undoku.render.draw.film_parts import divided, spanned, ticks_of
from undoku.render.draw.sprite_run import SpriteRun
from undoku.render.film.flash_meter import Flashes
from undoku.render.write import splice
from undoku.render.write.file_transaction import FileTransaction
from undoku.render.write.formats import open_sink
from undoku.render.write.further_tracks import FurtherTracks
from undoku.render.write.sink import Written
from undoku.render.write.staging import Staging, write_error
from undoku.render.write.stems import write_stems
from undoku.temporary_files import temporary_folder
from undoku.worker_pool import Workers, ended

__all__ = ["write_segmented"]

_RUN_UP = 240
"""The frames that are drawn before a segment: a frame depends on no earlier ones, except in panels
that remember more (`PanelKind.remembers`)."""

_OVERLAP = 8
"""The first frames of a segment that the process of the previous segment also draws: they must be
equal."""


@dataclass(frozen=True, slots=True)
class _Task:
    plan: OutputPlan
    span: range
    begin: int
    """The tick from which on frames are drawn, at or before the span."""
    path: Path


@dataclass(frozen=True, slots=True)
class _Segment:
    """A written segment, with the contents of its first frames and of the frames after its end."""

    first: tuple[str, ...]
    following: tuple[str, ...]
    flashes: Flashes


def write_segmented(
    plan: OutputPlan,
    path: Path,
    jobs: int,
    *,
    sidecars: Sequence[Sidecar] = (),
    overwrite: bool = False,
    progress: Progress | None = None,
    stems: Path | None = None,
) -> Report:
    """Write the film of a closed plan as MP4 with `jobs` processes. The file does not depend on
    their number. The `sidecars` appear with it, and in the folder `stems` the sound of each search.

    Raises SettingsError for a trace that can't be read by other processes, OutputError,
    EncoderError; then no file has appeared.
    """
    film = plan.film
    film.timeline.check_length()
    _check_sent(plan)
    with tracks_with_sound(plan, [path]) as tracks, FileTransaction() as files:
        staging = files.open(path, overwrite=overwrite)
        texts = [(files.open(text.path, overwrite=overwrite), text) for text in sidecars]
        own = stem_paths(film, stems) if stems else ()
        parts = [files.open(stem, overwrite=overwrite) for stem in own]
        report = _in_segments(plan, tracks, staging, jobs, progress)
        for named, text in texts:
            files.write_text(named, text.of(film))
        if parts and tracks.sound:
            write_stems(tracks.sound.soundtrack, parts)
        files.publish()
    return report


def _in_segments(
    plan: OutputPlan,
    tracks: FurtherTracks,
    staging: Staging,
    jobs: int,
    progress: Progress | None,
) -> Report:
    """Write everything, without renaming."""
    path, film = staging.final, plan.film
    try:
        with temporary_folder(path.parent) as folder:
            whole = any(kind.remembers for kind in film.panels)
            made = _made(plan, folder, 0 if whole else _RUN_UP, jobs, progress)
            if any(one.following != other.first for one, other in pairwise(made)):
                # A frame depends on frames before the run-up.
                made = _made(plan, folder, 0, jobs, progress)
            written = _joined(plan, tracks, sorted(folder.glob("*.mp4")), staging)
        staging.commit()
    except OSError as error:
        staging.discard()
        raise write_error(path, error) from None
    except ValueError as error:
        staging.discard()
        raise EncoderError(f"a segment of {str(path)!r} is damaged: {error}") from None
    except BaseException:
        staging.discard()
        raise
    flashes = Flashes(
        max(one.flashes.most for one in made),
        tuple(sorted({at for one in made for at in one.flashes.over})),
        max(one.flashes.red for one in made),
    )
    return Report((written,), film.names, film.tallies, flashes, sound=loudness_of(tracks))


def _check_sent(plan: OutputPlan) -> None:
    """Raise SettingsError for a film that can't be sent to other processes, for instance because
    its trace comes from a pipe."""
    try:
        pickle.dumps(plan)
    except (TypeError, AttributeError, pickle.PicklingError):
        raise SettingsError(
            "a trace from standard input can't be drawn in segments",
            remedy="write it to a file first",
        ) from None


def _made(
    plan: OutputPlan, folder: Path, run_up: int, jobs: int, progress: Progress | None
) -> list[_Segment]:
    """All segments, in order; with a `run_up` of 0 each is drawn from the start of the film."""
    film = plan.film
    _ = film.tallies, film.timeline  # counted once, for all processes
    length = splice.SEGMENT if plan.encoder_choice.direct else 0
    tasks = [
        _Task(plan, span, max(0, span.start - run_up) if run_up else 0, folder / f"{at:06}.mp4")
        for at, span in enumerate(spans(film.timeline.frames, length))
    ]
    found: dict[int, _Segment] = {}
    done = 0
    with Workers(min(jobs, len(tasks))) as workers:
        for task, future in ended(workers, _write, tasks, most=jobs):
            found[task.span.start] = future.result()
            done += len(task.span)
            if progress:
                progress(done, film.timeline.frames)
    return [found[start] for start in sorted(found)]


def _write(task: _Task) -> _Segment:
    """Draw and write one segment."""
    plan, span = task.plan, task.span
    film = plan.film
    behind = range(span.stop, min(span.stop + _OVERLAP, film.timeline.frames))
    ahead = range(span.start, min(span.start + _OVERLAP, film.timeline.frames))
    first = film.timeline.shot_at(task.begin).start
    meter = film.meter()
    looks: dict[int, str] = {}

    def parts(*, runs: bool) -> Iterator[Frame | SpriteRun]:
        """All drawn parts; where segments overlap, frame by frame, to compare them."""
        drawn = film.parts_from(first, runs=runs)
        cuts = sorted({span.start, ahead.stop, span.stop, behind.stop})
        at = first
        for part in meter.watched(divided(drawn, cuts, first)):
            if at in ahead or at in behind:
                for frame in part.frames() if isinstance(part, SpriteRun) else (part,):
                    look = hashlib.blake2b(frame.pixels.data, digest_size=16).hexdigest()
                    looks.update(dict.fromkeys(range(at, at + frame.ticks), look))
                    at += frame.ticks
                    yield frame
            else:
                at += ticks_of(part)
                yield part
            if at >= behind.stop:
                return

    with open_sink(task.path, plan.mp4_shape, overwrite=True) as sink:
        drawn = parts(runs=True)
        for part in spanned(drawn, range(span.start - first, span.stop - first)):
            write_part(part, sink)
        for _ in drawn:  # the overlap, which is only compared
            pass
        sink.finish()
    flashes = meter.flashes()
    fps = film.settings.fps
    over = (second + first / fps for second in flashes.over)
    flashes = replace(flashes, over=tuple(at for at in over if at >= span.start / fps))
    return _Segment(
        tuple(looks[tick] for tick in ahead), tuple(looks[tick] for tick in behind), flashes
    )


def _joined(
    plan: OutputPlan, tracks: FurtherTracks, segments: Sequence[Path], staging: Staging
) -> Written:
    shape = replace(plan.mp4_shape, tracks=tracks)
    if plan.encoder_choice.direct:
        from undoku.render.write.join_segments import join_direct

        frames = join_direct(segments, staging.temporary, shape)
    else:
        made = segments[0].with_name("joined.mp4")
        frames = join(segments, made, shape)
        staging.adopt(made)
    seconds = plan.film.timeline.frames / shape.fps
    size = staging.temporary.stat().st_size
    return Written(
        staging.final,
        frames,
        seconds,
        size,
        shape.width,
        shape.height,
        shape.fps,
        shape.mp4_encoder,
    )
