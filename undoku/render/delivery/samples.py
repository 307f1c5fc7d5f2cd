"""Writes a few samples of a film, to predict the size of the whole film."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path

from undoku.render.delivery.size_ladder import Sample
from undoku.render.draw.canvas import Frame
from undoku.render.write.sink import FrameSink
from undoku.temporary_files import temporary_folder

__all__ = ["stretches", "take_sample"]


def stretches(first: int, frames: int, *, count: int = 6, length: int = 24) -> list[range]:
    """Up to `count` stretches of `length` frame numbers, spread evenly over the `frames` frames
    from number `first` on; all of them if the stretches would cover the film."""
    if frames <= count * length:
        return [range(first, first + frames)] if frames >= 2 else []
    gap = (frames - length) / (count - 1)
    starts = [first + round(gap * number) for number in range(count)]
    return [range(start, start + length) for start in starts]


def take_sample(
    frames: Iterable[Frame], suffix: str, open_sink: Callable[[Path], FrameSink]
) -> Sample:
    """Write frames, at least two and the first whole, to temporary files.

    `open_sink` opens the writer for a path ending in `suffix`. Raises what the writer raises.
    """
    with (
        temporary_folder() as folder,
        open_sink(folder / f"first{suffix}") as first,
        open_sink(folder / f"all{suffix}") as every,
    ):
        count = 0
        for frame in frames:
            if not count:
                first.write(frame)
            every.write(frame)
            count += 1
            if count == 1:
                alone = first.finish().bytes
        return Sample(alone, every.finish().bytes, count)
