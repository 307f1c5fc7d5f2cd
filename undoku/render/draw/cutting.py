"""Cuts films that consist of frames and runs at given ticks."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from typing import overload

from undoku.render.draw.canvas import Frame, whole
from undoku.render.draw.sprite_run import SpriteRun

__all__ = ["divided", "frames_of", "spanned", "ticks_of"]


def ticks_of(part: Frame | SpriteRun) -> int:
    """The duration of a part of a film in ticks."""
    return len(part) if isinstance(part, SpriteRun) else part.ticks


def frames_of(parts: Iterable[Frame | SpriteRun]) -> Iterator[Frame]:
    """The frames of a film, one by one."""
    for part in parts:
        if isinstance(part, SpriteRun):
            yield from part.frames()
        else:
            yield part


def divided(
    parts: Iterable[Frame | SpriteRun], cuts: Sequence[int], first: int = 0
) -> Iterator[Frame | SpriteRun]:
    """The film, which begins at tick `first`, divided into parts that do not span any of the `cuts`
    (ticks in ascending order)."""
    at = first
    for part in parts:
        ticks = ticks_of(part)
        within = dict.fromkeys(cut - at for cut in cuts if at < cut < at + ticks)
        for start, stop in pairwise((0, *within, ticks)):
            if isinstance(part, SpriteRun):
                yield part.part(start, stop)
            else:
                yield Frame(part.pixels, () if start else part.changes, stop - start)
        at += ticks


@overload
def spanned(parts: Iterable[Frame], span: range) -> Iterator[Frame]: ...


@overload
def spanned(parts: Iterable[Frame | SpriteRun], span: range) -> Iterator[Frame | SpriteRun]: ...


def spanned(parts: Iterable[Frame | SpriteRun], span: range) -> Iterator[Frame | SpriteRun]:
    """The parts of a film within a `span` of its ticks, beginning with a whole frame. Earlier parts
    are also made, and runs are played, because a picture depends on the previous ones."""
    at, begun = 0, False
    for part in divided(parts, (span.start, span.stop)):
        first, at = at, at + ticks_of(part)
        if first < span.start:
            if isinstance(part, SpriteRun):
                part.play()
        elif begun:
            yield part
        else:
            yield from _begun(part)
            begun = True
        if at >= span.stop:
            return


def _begun(part: Frame | SpriteRun) -> Iterator[Frame | SpriteRun]:
    """A part as the beginning of a film: all of its first frame is new."""
    ticks = 1
    if isinstance(part, SpriteRun):
        part.part(0, 1).play()
    else:
        ticks = part.ticks
    yield Frame(part.pixels, whole(part.pixels), ticks)
    if isinstance(part, SpriteRun) and len(part) > 1:
        yield part.part(1, len(part))
