"""What the kernels of films written directly take, and how near their pictures come."""

from __future__ import annotations

import math
import time
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from render.delivery.plan import OutputPlan
from render.drawing.sprite_run import SpriteRun
from render.film import Film
from render.settings import FilmSettings
from render.sinks.h264 import film_encoder
from render.sinks.h264.encoder_arrays import WIDTH
from render.sinks.h264.picture_coding import emit
from render.sinks.h264.picture_encoder import Coder, Samples
from render.sinks.h264.picture_plan import arrange, commit, keep
from render.sinks.mp4.direct_sink import DirectSink
from render.sinks.staging import Staging
from render.sinks.yuv import Planes
from render.timing.timeline import Pace
from solver import search
from solver.formats import parse_puzzle
from solver.jit import compiled, lean

__all__ = ["film_of", "kernels", "worst_luma"]

PUZZLE = Path(__file__).parent.parent / "examples/puzzles/comparison.txt"


def film_of(panels: str, first: int, last: int, quality: str = "draft") -> Film:
    """Two searches from one step to another, one step a frame, 1280x720; all of the film when
    `first` is 0, else the race alone."""
    still: dict[str, Any] = {name: Fraction(0) for name in ("intro", "hold", "card")}
    pace = Pace(Fraction(1), first=first, last=last)
    puzzle = parse_puzzle(PUZZLE.read_text())
    traces = [search(puzzle, order) for order in ("row-major", "mrv")]
    chosen = {} if first == 0 else still
    settings = FilmSettings(pace=pace, panels=tuple(panels.split(",")), quality=quality, **chosen)
    return Film(traces, settings)


_EVERY, _TIMES = 50, 400
"""Of so many P pictures one is written so often again, on a copy of the coder's state."""


class _TimedCoder(Coder):
    """Adds up what the kernels take, in nanoseconds."""

    last: _TimedCoder

    def __init__(self, *given: Any) -> None:
        super().__init__(*given)
        _TimedCoder.last = self
        self.spent = {"run": 0, "key": 0, "emission": 0}
        self.count = dict(self.spent)
        self.bytes = dict(self.spent)

    def run(self, *given: Any) -> tuple[int, Samples]:
        start = time.perf_counter_ns()
        frame, samples = super().strip(*given)
        self._add("run", start, len(samples.sizes), int(samples.sizes.sum()))
        return frame, samples

    def key(self) -> memoryview:
        start = time.perf_counter_ns()
        unit = super().key()
        self._add("key", start, 1, len(unit))
        return unit

    def delta(self) -> memoryview:
        self._sampled = getattr(self, "_sampled", 0) + 1
        if self._sampled % _EVERY == 0:
            self._write_again()
        return super().delta()

    def _write_again(self) -> None:
        groups = self._plan, self._work, self._scratch
        plan, work, scratch = ([array.copy() for array in group] for group in groups)
        registers, places, grid, heads, memory, _ = plan
        commit(self._changed, places, grid, heads)
        total = keep(self._changed, *plan)
        unit = self._unit.copy()
        given = (self._pixels, registers, places, grid, memory, *work, unit, *scratch)
        _again(1, total, *given)
        start = time.perf_counter_ns()
        size = _again(_TIMES, total, *given)
        self._add("emission", start, _TIMES, size * _TIMES)

    def _add(self, what: str, start: int, count: int, size: int) -> None:
        self.spent[what] += time.perf_counter_ns() - start
        self.count[what] += count
        self.bytes[what] += size

    def each(self, what: str) -> str:
        """Microseconds and bytes of one."""
        count = max(1, self.count[what])
        return f"{self.spent[what] / count / 1000:,.1f} µs, {self.bytes[what] / count:,.0f} bytes"


@lean
def _again(
    times: int, total: int, pixels: Any, registers: Any, places: Any, grid: Any, memory: Any,
    quarters: Any, fours: Any, tiles: Any, around: Any, page: Any, unit: Any, samples: Any,
    levels: Any, numbers: Any,
) -> int:  # fmt: skip
    """Write a planned picture again and again; returns its bytes."""
    size = 0
    for _ in range(times):
        arrange(total, int(registers[WIDTH]), grid)
        size = emit(
            pixels, registers, places, grid, memory, quarters, fours, tiles, around, page, unit,
            samples, levels, numbers,
        )  # fmt: skip
    return size


def kernels(film: Film, path: Path) -> str:
    """Write the film to `path`, in runs and then frame by frame; what its pictures took in the
    kernels."""
    known = film_encoder.Coder
    film_encoder.Coder = _TimedCoder  # type: ignore[misc]
    try:
        for runs in (True, False):
            path.unlink(missing_ok=True)
            with DirectSink(Staging(path), OutputPlan(film).shape) as sink:
                for part in film.parts(runs=runs):
                    if isinstance(part, SpriteRun):
                        sink.write_run(part)
                    else:
                        sink.write(part)
                sink.finish()
            if runs:
                whole = _TimedCoder.last
    finally:
        film_encoder.Coder = known  # type: ignore[misc]
    coder = _TimedCoder.last
    rate = coder.count["emission"] / (coder.spent["emission"] / 1e9)
    return (
        f"  P pictures, emission alone: {rate:,.0f} frames/s (budget 200,000), "
        f"{coder.each('emission')} each\n"
        f"  in runs, played, surveyed, planned and written, key frames included: "
        f"{whole.each('run')} a frame\n"
        f"  key frames: {coder.count['key']}, {coder.each('key')} each; macroblocks in P pictures: "
        f"{coder.tally().copied:,} copied, {coder.tally().coded:,} coded"
    )


@compiled
def _error(one: NDArray[np.uint8], other: NDArray[np.uint8]) -> tuple[int, int]:
    """Sum of squared differences, and the largest difference."""
    total, largest = 0, 0
    for row in range(one.shape[0]):
        for column in range(one.shape[1]):
            off = abs(np.int64(one[row, column]) - np.int64(other[row, column]))
            total += off * off
            largest = max(largest, off)
    return total, largest


def _shown(path: Path) -> Iterator[tuple[Fraction, NDArray[np.uint8]]]:
    """When each stored picture appears, and its luma as ffmpeg's library decodes it."""
    import av

    with av.open(str(path)) as film:
        track = film.streams.video[0]
        track.thread_type = "AUTO"
        for frame in film.decode(track):
            plane = frame.planes[0]
            rows = np.frombuffer(plane, np.uint8).reshape(plane.height, plane.line_size)
            yield frame.pts * frame.time_base, rows[:, : plane.width]


def worst_luma(film: Film, path: Path) -> str:
    """Every frame of the film in `path` against the canvas."""
    try:
        import av  # noqa: F401
    except ImportError:
        return "  picture: not compared, PyAV is missing"
    shape = OutputPlan(film).shape
    planes = Planes(shape.width, shape.height)
    pictures = _shown(path)
    _, shown = next(pictures)
    following = next(pictures, None)
    count = shape.width * shape.height
    most, largest, tick = 0, 0, 0
    for frame in film.frames():
        planes.update(frame.pixels, frame.changes)
        while following and following[0] <= tick / shape.fps:
            shown, following = following[1], next(pictures, None)
        luma = planes.bytes[:count].reshape(shape.height, shape.width)
        total, off = _error(shown, luma)
        most, largest = max(most, total), max(largest, off)
        tick += frame.ticks
    assert following is None
    worst = 10 * math.log10(255**2 / max(most / count, 1e-9))
    return (
        f"  picture: of {tick:,} frames the worst has a luma PSNR of {worst:.1f} dB (budget 50), "
        f"the largest error is {largest} of 255"
    )
