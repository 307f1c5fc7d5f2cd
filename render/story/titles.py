"""What a story is called when nobody says."""

from __future__ import annotations

from collections.abc import Sequence

from render.settings import default_title
from render.texts import story_texts as say
from solver.strategies.strategy import Strategy
from solver.trace import Header

__all__ = ["story_title"]

_DIFFERS = {
    "cells": say.SAME_PUZZLE_ORDER,
    "values": say.SAME_PUZZLE_VALUES,
    "inference": say.SAME_PUZZLE_LOGIC,
    "back": say.SAME_PUZZLE_WAY_BACK,
}
"""What is said where strategies differ in one of their parts."""


def story_title(headers: Sequence[Header]) -> str:
    """What the searches have in common and in what they differ, where that is one thing."""
    usual = default_title(len(headers), len({h.puzzle for h in headers}))
    strategies = [Strategy.known(header.strategy) for header in headers]
    known = [strategy for strategy in strategies if strategy]
    if len(known) < 2 or len(known) < len(headers) or len({h.puzzle for h in headers}) > 1:
        return usual
    differing = [
        told
        for part, told in _DIFFERS.items()
        if len({getattr(strategy, part) for strategy in known}) > 1
    ]
    return differing[0]() if len(differing) == 1 else usual
