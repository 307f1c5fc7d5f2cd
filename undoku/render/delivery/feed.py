"""Passes the frames of a film to its writer and to the flash meter."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Protocol

from undoku.render.draw.canvas import Frame
from undoku.render.draw.film_parts import ticks_of
from undoku.render.draw.sprite_run import SpriteRun
from undoku.render.film.flash_meter import FlashMeter

__all__ = ["Progress", "Writer", "feed", "write_part"]

Progress = Callable[[int, int], None]
"""Called with the number of frames that are done and the number of all frames."""


class Writer(Protocol):
    """A writer that receives a film part by part, in order."""

    def write(self, frame: Frame) -> None: ...

    def write_run(self, run: SpriteRun) -> None: ...


def write_part(part: Frame | SpriteRun, writer: Writer) -> None:
    """Write a part of a film to `writer`."""
    if isinstance(part, SpriteRun):
        writer.write_run(part)
    else:
        writer.write(part)


def feed(
    parts: Iterable[Frame | SpriteRun],
    writer: Writer,
    meter: FlashMeter | None,
    total: int,
    progress: Progress | None = None,
    *,
    done: int = 0,
) -> int:
    """Write frames and runs of a film of `total` ticks, `done` of which were written before.
    `meter`, if given, watches each of them, and `progress` is called after each. Returns the number
    of ticks done."""
    for part in meter.watched(parts) if meter else parts:
        write_part(part, writer)
        done += ticks_of(part)
        if progress:
            progress(done, total)
    return done
