"""The time of the compiled loops for directly written films, and the errors of their pictures."""

from __future__ import annotations

import copy
import math
import time
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from undoku import search
from undoku.h264 import gop_encoder
from undoku.h264.canvas import DeferredCanvas
from undoku.h264.encoder_arrays import WIDTH, Pictures, Plan, Scratch
from undoku.h264.picture_coding import write_p_picture
from undoku.h264.picture_encoder import PictureEncoder, Samples
from undoku.h264.picture_plan import find_changes, index_changes, mark_columns, plan_atlas
from undoku.h264.quantiser_control import choose_quantiser
from undoku.machine_code.jit import compiled, lean
from undoku.render.delivery.outputs import context_of
from undoku.render.draw.sprite_run import SpriteRun
from undoku.render.film.film import Film
from undoku.render.settings.settings import FilmSettings
from undoku.render.timeline.timeline import Pace
from undoku.render.write import mp4_direct
from undoku.render.write.mp4_direct import DirectSink
from undoku.render.write.staging import Staging
from undoku.render.write.yuv import Planes
from undoku.solver.problem.sources import parse_puzzle

__all__ = ["film_of", "kernels", "worst_luma"]

PUZZLE = Path(__file__).parent.parent / "examples/puzzles/comparison.txt"


def film_of(panels: str, first: int, last: int, quality: str = "draft") -> Film:
    """Two searches from step `first` to step `last`, one step per frame, 1280x720; the whole film
    if `first` is 0, otherwise only the race."""
    still: dict[str, Any] = {name: Fraction(0) for name in ("intro", "hold", "card")}
    pace = Pace(Fraction(1), first=first, last=last)
    puzzle = parse_puzzle(PUZZLE.read_text())
    traces = [search(puzzle, order) for order in ("row-major", "mrv")]
    chosen = {} if first == 0 else still
    settings = FilmSettings(pace=pace, panels=tuple(panels.split(",")), quality=quality, **chosen)
    return Film(traces, settings)


_EVERY, _TIMES = 50, 400
"""One of _EVERY P pictures is written _TIMES times, on a copy of the encoder's state."""


class _TimedPictures(PictureEncoder):
    """Sums the time of the compiled loops, in nanoseconds."""

    last: _TimedPictures

    def __init__(self, *given: Any) -> None:
        super().__init__(*given)
        _TimedPictures.last = self
        self.spent = {"run": 0, "key": 0, "emission": 0}
        self.count = dict(self.spent)
        self.bytes = dict(self.spent)
        self._frames = 0

    def run(self, *given: Any) -> tuple[int, Samples]:
        start = time.perf_counter_ns()
        frame, samples = super().run(*given)
        self._add("run", start, len(samples.sizes), int(samples.sizes.sum()))
        return frame, samples

    def frame(self, pixels: Any, changes: Any, ticks: int, counters: Any) -> Samples:
        self._frames += 1
        if self._frames % _EVERY == 0:
            self._write_again(pixels, changes)
        start = time.perf_counter_ns()
        samples = super().frame(pixels, changes, ticks, counters)
        if samples.keys.any():
            self._add("key", start, 1, int(samples.sizes[0]))
        return samples

    def _write_again(self, pixels: Any, changes: Any) -> None:
        plan, pictures = copy.deepcopy((self._plan, self._pictures))
        rects = np.array(
            [(x, y, x + w, y + h, -1, n >= 0) for (x, y, w, h), n in changes], np.int32
        )
        if not len(rects):
            return
        none = np.empty(0, np.int64)
        flat = pixels.reshape(-1)
        canvas = DeferredCanvas(
            *(flat, np.empty(0, np.uint64), np.empty(0, np.uint8), np.empty((0, 3), np.int64)),
            self._scratch.deferred,
        )
        changed = find_changes(canvas, rects, len(rects), none, plan, self._scratch)
        index_changes(changed, 1, plan)
        total = plan_atlas(changed, plan)
        choose_quantiser(total, plan, pictures.decoded)
        unit = self._output.bytes.copy()
        _again(1, total, canvas, plan, pictures, unit, self._scratch)
        start = time.perf_counter_ns()
        size = _again(_TIMES, total, canvas, plan, pictures, unit, self._scratch)
        self._add("emission", start, _TIMES, size * _TIMES)

    def _add(self, what: str, start: int, count: int, size: int) -> None:
        self.spent[what] += time.perf_counter_ns() - start
        self.count[what] += count
        self.bytes[what] += size

    def each(self, what: str) -> str:
        """Microseconds and bytes per picture."""
        count = max(1, self.count[what])
        return f"{self.spent[what] / count / 1000:,.1f} µs, {self.bytes[what] / count:,.0f} bytes"


@lean
def _again(
    times: int,
    total: int,
    canvas: DeferredCanvas,
    plan: Plan,
    pictures: Pictures,
    unit: NDArray[np.uint8],
    scratch: Scratch,
) -> int:
    """Write a planned picture `times` times; returns its bytes."""
    size = 0
    for _ in range(times):
        mark_columns(total, int(plan.registers[WIDTH]), plan.grid)
        size = write_p_picture(canvas, plan, pictures, unit, scratch)
    return size


def kernels(film: Film, path: Path) -> str:
    """Write the film to `path`, in runs and then frame by frame; returns a text with the times of
    the compiled loops."""
    known, threads = PictureEncoder, mp4_direct._MAX_THREADS
    mp4_direct._MAX_THREADS = 1  # one encoder sees all pictures
    gop_encoder.PictureEncoder = _TimedPictures  # type: ignore[attr-defined,assignment]
    try:
        for runs in (True, False):
            path.unlink(missing_ok=True)
            with DirectSink(Staging(path), context_of(film)) as sink:
                for part in film.parts(runs=runs):
                    if isinstance(part, SpriteRun):
                        sink.write_run(part)
                    else:
                        sink.write(part)
                sink.finish()
            if runs:
                whole = _TimedPictures.last
    finally:
        gop_encoder.PictureEncoder = known  # type: ignore[attr-defined]
        mp4_direct._MAX_THREADS = threads
    encoder = _TimedPictures.last
    rate = encoder.count["emission"] / (encoder.spent["emission"] / 1e9)
    return (
        f"  P pictures, emission alone: {rate:,.0f} frames/s (budget 200,000), "
        f"{encoder.each('emission')} each\n"
        f"  in runs, played, surveyed, planned and written, key frames included: "
        f"{whole.each('run')} a frame\n"
        f"  key frames: {encoder.count['key']}, {encoder.each('key')} each; macroblocks in P "
        f"pictures: {encoder.counts().copied:,} copied, {encoder.counts().coded:,} coded"
    )


@compiled
def _error(one: NDArray[np.uint8], other: NDArray[np.uint8]) -> tuple[int, int]:
    """The sum of squared differences, and the largest difference."""
    total, largest = np.int64(0), np.int64(0)
    for row in range(one.shape[0]):
        for column in range(one.shape[1]):
            off = abs(np.int64(one[row, column]) - np.int64(other[row, column]))
            total += off * off
            largest = max(largest, off)
    return int(total), int(largest)


def _shown(path: Path) -> Iterator[tuple[Fraction, NDArray[np.uint8]]]:
    """(seconds, luma) of each stored picture, as decoded by libavcodec."""
    import av

    with av.open(str(path)) as film:
        track = film.streams.video[0]
        track.thread_type = "AUTO"
        for frame in film.decode(track):
            plane = frame.planes[0]
            rows = np.frombuffer(bytes(plane), np.uint8).reshape(plane.height, plane.line_size)
            assert frame.pts is not None
            assert frame.time_base is not None
            yield frame.pts * frame.time_base, rows[:, : plane.width]


def worst_luma(film: Film, path: Path) -> str:
    """Compare every frame of the film in `path` with the canvas; returns a text."""
    try:
        import av  # noqa: F401
    except ImportError:
        return "  picture: not compared, PyAV is missing"
    settings = film.settings
    planes = Planes(settings.width, settings.height)
    pictures = _shown(path)
    _, shown = next(pictures)
    following = next(pictures, None)
    count = settings.width * settings.height
    most, largest, tick = 0, 0, 0
    for frame in film.frames():
        planes.update(frame.pixels, frame.changes)
        luma = planes.bytes[:count].reshape(settings.height, settings.width)
        for _ in range(frame.ticks):
            while following and following[0] <= tick / settings.fps:
                shown, following = following[1], next(pictures, None)
            total, off = _error(shown, luma)
            most, largest = max(most, total), max(largest, off)
            tick += 1
    assert following is None
    worst = 10 * math.log10(255**2 / max(most / count, 1e-9))
    return (
        f"  picture: of {tick:,} frames the worst has a luma PSNR of {worst:.2f} dB (budget 50), "
        f"the largest error is {largest} of 255"
    )
