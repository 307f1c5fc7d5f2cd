"""Passes a film on to who writes it, watched for flashing on the way."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Protocol

from render.drawing.canvas import Frame
from render.drawing.cutting import ticks_of
from render.drawing.sprite_run import Strip
from render.flashing.meter import FlashMeter

__all__ = ["Progress", "Taker", "hand_over", "pass_on"]

Progress = Callable[[int, int], None]
"""Called with the frames done and the frames in all."""


class Taker(Protocol):
    """Who is given a film, in order."""

    def write(self, frame: Frame) -> None: ...

    def write_strip(self, strip: Strip) -> None: ...


def hand_over(part: Frame | Strip, taker: Taker) -> None:
    """Give a part of a film to `taker`."""
    if isinstance(part, Strip):
        taker.write_strip(part)
    else:
        taker.write(part)


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
    for part in meter.watched(parts):
        hand_over(part, taker)
        done += ticks_of(part)
        if progress:
            progress(done, total)
