"""Sentences that one reader can read one after the other."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction

from undoku.render.playback.reading_time import reading_time_beside_boards
from undoku.render.timeline.notes import Note

__all__ = ["readable"]

_TOGETHER = Fraction(1, 4)
"""Texts that begin within this many seconds count as simultaneous."""


def readable(texts: Sequence[Note], ranks: Sequence[int], fps: Fraction) -> list[str]:
    """The wording of each text that can be read, of its full and its brief one. Of texts that begin
    together, one of rank 0 is read before one of rank 1. The reader begins when the text
    appears and the text before it is read, and reads it to its end. It is the longest one for which
    there is time, if texts that begin together can then be read, too; if there is no time for a
    whole wording, its last sentences are left out. "" if there is no time for any. Equal texts that
    begin together are read once."""

    def order(number: int) -> Fraction:
        return texts[number].start + ranks[number] * _TOGETHER * fps

    free = Fraction(0)
    found = [""] * len(texts)
    ordered = sorted(range(len(texts)), key=order)
    for at, number in enumerate(ordered):
        text = texts[number]
        if equal := _equal_before(number, ordered[:at], texts, fps):
            found[number] = found[equal[0]]
            continue
        begin = max(free, Fraction(text.start))
        fitting = [
            (wording, read)
            for wording in _shorter(_wordings(text))
            if (read := begin + reading_time_beside_boards(wording) * fps) <= text.end
        ]
        if not fitting:
            continue
        following = [texts[other] for other in ordered[at + 1 :]]
        together = [
            each
            for each in following
            if each.start - text.start < _TOGETHER * fps and _wordings(each) != _wordings(text)
        ]
        # If there is not enough time for all of them, the last ones are not read.
        found[number], free = next(
            (wording, read)
            for count in range(len(together), -1, -1)
            for wording, read in fitting
            if _can_be_read(together[:count], read, fps)
        )
    return found


def _wordings(text: Note) -> list[str]:
    return [*filter(None, (text.text, text.brief))]


def _equal_before(
    number: int, others: Sequence[int], texts: Sequence[Note], fps: Fraction
) -> list[int]:
    """Those of `others`, read before, with the same wordings that begin together with a text and
    are shown for at most as long."""
    text = texts[number]
    return [
        other
        for other in others
        if _wordings(texts[other]) == _wordings(text)
        and abs(texts[other].start - text.start) < _TOGETHER * fps
        and texts[other].end <= text.end
    ]


def _can_be_read(texts: Iterable[Note], free: Fraction, fps: Fraction) -> bool:
    """Whether texts can be read one after the other, each in its shortest wording, by a viewer who
    begins on frame `free`."""
    for text in texts:
        shortest = min(_shorter(_wordings(text)), key=len, default="")
        free = max(free, Fraction(text.start)) + reading_time_beside_boards(shortest) * fps
        if free > text.end:
            return False
    return True


def _shorter(wordings: Sequence[str]) -> list[str]:
    """The wordings, the longest first, then each without its last sentences, the longest first."""
    cut = (shorter for wording in wordings for shorter in _without_last(wording))
    return [*sorted(wordings, key=len, reverse=True), *sorted(cut, key=len, reverse=True)]


def _without_last(wording: str) -> Iterator[str]:
    """A text without its last sentences."""
    sentences = re.split(r"(?<=[.!?;]) +", wording)
    for count in range(len(sentences) - 1, 0, -1):
        shorter = " ".join(sentences[:count])
        yield shorter[:-1] + "." if shorter.endswith(";") else shorter
