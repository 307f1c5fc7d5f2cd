"""The rules of many searches in few sentences: one for all searches that share a rule."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from enum import Enum, auto

from undoku.render.timeline.beats import BeatKind, first_beat
from undoku.render.timeline.notes import Note
from undoku.render.timeline.timeline import Timeline
from undoku.solver.search.strategy import Strategy
from undoku.solver.trace.trace import Header
from undoku.texts import story_texts as say

__all__ = ["with_shared_rules"]

_FEWEST_OPTIONS = ("mrv", "mrv-degree")
"""The cell orders that take a cell with the fewest options."""


class _Manner(Enum):
    """How searches with different strategies choose their cells alike."""

    FIXED = auto()
    FEWEST = auto()


def with_shared_rules(
    callouts: Sequence[Note], headers: Sequence[Header], timeline: Timeline
) -> tuple[Note, ...]:
    """`callouts`, given by search and frame, with one sentence instead of the rules of two or more
    searches that choose their cells alike. Searches that are described by their traces keep their
    descriptions."""
    rules = first_beat(timeline.beats, BeatKind.RULES)
    if rules is None:
        return tuple(callouts)
    strategies = [
        None if header.description else Strategy.known(header.strategy) for header in headers
    ]
    alike: dict[_Manner, list[int]] = {}
    for number, strategy in enumerate(strategies):
        if strategy and strategy.has_fixed_order and not strategy.inference:
            alike.setdefault(_Manner.FIXED, []).append(number)
        elif strategy and strategy.cells in _FEWEST_OPTIONS:
            alike.setdefault(_Manner.FEWEST, []).append(number)
    sentences: dict[int, tuple[str, tuple[int, ...]]] = {}
    for manner, (first, *others) in alike.items():
        if not others:
            continue
        known = [strategies[number] for number in (first, *others)]
        infers = any(each and (each.inference or each.presolve) for each in known)
        text = say.ORDER_FIXED
        if manner is _Manner.FEWEST:
            text = say.FORCED_OR_FEWEST if infers else say.FEWEST_TOGETHER
        sentences[first] = text(count=1 + len(others)), tuple(others)
        sentences |= dict.fromkeys(others, ("", ()))
    found = []
    for each in callouts:
        if each.start != rules.start or each.search not in sentences:
            found.append(each)
        elif sentences[each.search][0]:
            sentence, sharing = sentences[each.search]
            found.append(replace(each, text=sentence, others=sharing))
    return tuple(found)
