"""Selects callouts of many searches for pictures with room for only one sentence at a time."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction

from undoku.render.playback.reading_time import MIN_SHOWN
from undoku.render.timeline.notes import Note

__all__ = ["one_at_a_time"]

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
