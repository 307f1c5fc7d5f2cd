"""Selects the notes that one reader can read one after the other."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from fractions import Fraction

from undoku.render.playback.reading_time import MIN_SHOWN, reading_time_beside_boards
from undoku.render.timeline.notes import Note

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


_MIN_SECONDS = 1
"""The minimum time in seconds for which a sentence is shown."""

_MAX_AT_END = 2
"""The maximum time in seconds for which the end of a search is shown, unless nothing follows."""

_AT_ONCE = Fraction(1, 4)
"""Sentences that begin within this many seconds count as simultaneous."""


def one_at_a_time(
    callouts: Sequence[Note], totals: Sequence[int], fps: Fraction
) -> tuple[Note, ...]:
    """Those of `callouts`, given by search and frame, that can be shown one after the other, by
    frame and without overlap. They are about the longest of the searches of `totals` steps, about
    the one that ends first, about several searches, and about the end of each search. Simultaneous
    sentences are shown one after the other: first ends of searches, then sentences about the
    longest search."""
    longest = totals.index(max(totals))
    first = min(range(len(totals)), key=lambda number: totals[number] or max(totals))
    selected = sorted(
        (
            each
            for each in callouts
            if each.result or each.others or each.search in (longest, first)
        ),
        key=lambda each: each.start,
    )

    def rank(each: Note) -> tuple[bool, bool]:
        """The order of simultaneous sentences."""
        return not each.result, longest not in (each.search, *each.others)

    least = round(_MIN_SECONDS * fps)
    groups: list[list[Note]] = []
    for begun in _at_once(selected, round(_AT_ONCE * fps)):
        group = begun
        if groups and begun[0].start - groups[-1][0].start < least:
            # Only the end of a search may shorten the sentence before it.
            group = [each for each in begun if each.result]
            if not group or groups[-1][0].result:
                continue
            groups.pop()
        groups.append(sorted(group, key=rank))
    found: list[Note] = []
    for at, group in enumerate(groups):
        start = min(each.start for each in group)
        end = max(each.end for each in group)
        if at + 1 < len(groups):
            end = min(end, *(each.start for each in groups[at + 1]))
            if all(each.result for each in group):
                end = min(end, start + round(_MAX_AT_END * fps))
        shown = group[: max(1, (end - start) // least)]
        parts = _shared_out(shown, start, end)
        if len(parts) > 1 and parts[-1].end - parts[-1].start < MIN_SHOWN * fps:
            parts = _shared_out(shown[:-1], start, end)
        found += parts
    return tuple(each for each in found if each.end - each.start >= MIN_SHOWN * fps)


def _at_once(callouts: Sequence[Note], frames: int) -> list[list[Note]]:
    """Notes, by frame, in groups; all of a group begin within `frames` frames of its first."""
    groups: list[list[Note]] = []
    for each in callouts:
        if groups and each.start - groups[-1][0].start <= frames:
            groups[-1].append(each)
        else:
            groups.append([each])
    return groups


def _shared_out(callouts: Sequence[Note], start: int, end: int) -> list[Note]:
    """Notes one after the other on the frames `start` to `end` - 1, each for an equal part of
    them, the last one until its own end."""
    count, frames = len(callouts), end - start
    found = []
    for at, each in enumerate(callouts):
        begin, until = start + at * frames // count, start + (at + 1) * frames // count
        last = at == count - 1
        found.append(
            replace(
                each,
                start=begin,
                end=min(until, max(each.end, begin + 1)) if last else until,
                rings_end=min(until, each.rings_end) if each.rings_end > begin else 0,
            )
        )
    return found
