"""Films in segments: their tasks, and the joined film when all segments are finished."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from undoku.batch.draw_pass import STILL, film_of, with_batch_settings
from undoku.batch.passes import in_segments
from undoku.batch.schedule import Pending
from undoku.batch.work import Drawn, DrawTask, Made, digest_of
from undoku.errors import EncoderError, OutputError, UndokuError
from undoku.render.delivery.plan import OutputPlan
from undoku.render.delivery.segment_files import join, spans
from undoku.render.delivery.sound_files import tracks_with_sound
from undoku.render.write import splice
from undoku.render.write.join_segments import join_direct

__all__ = ["FilmSegments"]


class FilmSegments:
    """The segments of a batch's long films, which are joined in `folder`."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._plans: dict[int, OutputPlan] = {}
        self._missing: dict[int, set[int]] = {}
        self._started = time.monotonic()

    def cut(self, pending: Sequence[Pending]) -> list[Pending]:
        """The tasks: one for each segment of a film that is cut, and one for each other pass."""
        found: list[Pending] = []
        for one in pending:
            names = one.drawn.names
            whole = zip(names, one.wanted, strict=True)
            cut = tuple(wanted and in_segments(name) for name, wanted in whole)
            plan = self._plan(one) if one.drawn.settings.closed and any(cut) else None
            parts = self._spans(plan) if plan else []
            if plan is None or len(parts) < 2:
                found.append(replace(one, encoder_choice=plan.encoder_choice) if plan else one)
                continue
            rest = tuple(
                wanted and not one_cut for wanted, one_cut in zip(one.wanted, cut, strict=True)
            )
            if any(rest):
                found.append(Pending(one.number, one.drawn, rest))
            self._plans[one.number] = plan
            self._missing[one.number] = {span.start for span in parts}
            found += [
                Pending(one.number, one.drawn, cut, span, plan.encoder_choice) for span in parts
            ]
        return found

    def _plan(self, one: Pending) -> OutputPlan | None:
        """The plan of a film, with its frames counted and its encoder chosen; None if this fails,
        which its worker will report."""
        try:
            plan = OutputPlan(film_of(with_batch_settings(one.drawn)))
            _ = plan.encoder_choice
        except UndokuError:
            return None
        return plan

    def _spans(self, plan: OutputPlan) -> list[range]:
        return spans(plan.film.timeline.frames, splice.SEGMENT if plan.encoder_choice.direct else 0)

    def add(self, one: Pending, task: DrawTask, drawn: Drawn) -> tuple[DrawTask, Drawn] | None:
        """Add a drawn segment; after the last one, return the whole film, as if one task had drawn
        it. Raises UndokuError if the segments can't be joined."""
        assert one.span is not None
        folder = self._folder / f"joined-{one.number}"
        try:
            folder.mkdir(exist_ok=True)
            for made in drawn.films:
                target = folder / f"{made.number}-{one.span.start:09}.mp4"
                (task.folder / made.file).replace(target)
            if one.span.stop == self._plans[one.number].film.timeline.frames:
                (task.folder / STILL).replace(folder / STILL)
            self._missing[one.number].discard(one.span.start)
            if self._missing[one.number]:
                return None
            films = tuple(self._joined(one, folder, made.number) for made in drawn.films)
        except OSError as error:
            raise OutputError(f"writing failed: {error.strerror or error}") from None
        except ValueError as error:
            raise EncoderError(f"a segment is damaged: {error}") from None
        whole = DrawTask(one.drawn, one.wanted, folder)
        return whole, Drawn(films, drawn.tallies, time.monotonic() - self._started)

    def _joined(self, one: Pending, folder: Path, number: int) -> Made:
        plan = self._plans[one.number]
        segments = sorted(folder.glob(f"{number}-*.mp4"))
        path = folder / f"{number}.mp4"
        joined = join_direct if plan.encoder_choice.direct else join
        with tracks_with_sound(plan, [path]) as tracks:
            frames = joined(segments, path, replace(plan.mp4_shape, tracks=tracks))
        duration = float(plan.film.timeline.duration)
        return Made(number, path.name, frames, duration, path.stat().st_size, digest_of(path))
