"""Passes a film on to who writes it, watched for flashing on the way."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Protocol

from render.canvas import Frame
from render.flashes import FlashMeter
from render.strip import Strip

__all__ = ["Progress", "Taker", "pass_on"]

Progress = Callable[[int, int], None]
"""Called with the frames done and the frames in all."""


class Taker(Protocol):
    """Who is given a film, in order."""

    def write(self, frame: Frame) -> None: ...

    def write_strip(self, strip: Strip) -> None: ...


def pass_on(
    parts: Iterable[Frame | Strip],
    taker: Taker,
    meter: FlashMeter,
    total: int,
    progress: Progress | None = None,
) -> None:
    """Hand over the frames and strips of a film of `total` ticks, each of which `meter` watches;
    `progress` is called after each."""
    done = 0
    for part in parts:
        if isinstance(part, Strip):
            meter.watch_strip(part)  # which doesn't play it
            taker.write_strip(part)
            done += len(part)
        else:
            meter.watch(part)
            taker.write(part)
            done += part.ticks
        if progress:
            progress(done, total)
