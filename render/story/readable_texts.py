"""Sentences that one reader can read one after the other."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import NamedTuple

from render.playback.reading_time import reading_time_beside_boards

__all__ = ["TimedText", "readable"]

_TOGETHER = Fraction(1, 4)
"""Texts that begin within this many seconds count as simultaneous."""


class TimedText(NamedTuple):
    """A text that is shown on the frames `start` to `end` - 1, in one of several `wordings`, the
    fullest first. Of texts that begin together, one of `rank` 0 is read before one of rank 1."""

    start: int
    end: int
    rank: int
    wordings: tuple[str, ...]


def readable(texts: Sequence[TimedText], fps: Fraction) -> list[str]:
    """The wording of each text that can be read: the reader begins when the text appears and the
    text before it is read, and reads it to its end. It is the longest one for which there is time;
    the last sentences of a wording may be left out. "" if there is no time for any."""

    def order(number: int) -> Fraction:
        return texts[number].start + texts[number].rank * _TOGETHER * fps

    free = Fraction(0)
    found = [""] * len(texts)
    for number in sorted(range(len(texts)), key=order):
        text = texts[number]
        begin = max(free, Fraction(text.start))
        for wording in sorted(_shorter(text.wordings), key=len, reverse=True):
            read = begin + reading_time_beside_boards(wording) * fps
            if read <= text.end:
                found[number], free = wording, read
                break
    return found


def _shorter(wordings: Sequence[str]) -> Iterator[str]:
    """Each wording, whole and without its last sentences."""
    for wording in wordings:
        sentences = re.split(r"(?<=[.!?;]) +", wording)
        for count in range(len(sentences), 0, -1):
            shorter = " ".join(sentences[:count])
            yield shorter[:-1] + "." if shorter.endswith(";") else shorter
