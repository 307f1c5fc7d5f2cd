"""The question with which a film begins: its title, and the first sentence of a story."""

from __future__ import annotations

from collections.abc import Sequence

from undoku.render.settings.settings import FilmSettings, default_title
from undoku.solver.search.strategy import Strategy
from undoku.solver.trace.trace import Header
from undoku.texts import wording as say
from undoku.texts.text_lines import encodable

_DIFFERS = {
    "cells": say.QUESTION_ORDERS,
    "values": say.QUESTION_VALUES,
    "inference": say.QUESTION_LOGIC,
    "back": say.QUESTION_WAYS_BACK,
}
"""The questions about strategies that differ in one part."""


def differing_parts(strategies: Sequence[Strategy]) -> list[str]:
    """The parts in which strategies differ, of "cells", "values", "inference" and "back"."""
    return [part for part in _DIFFERS if len({getattr(each, part) for each in strategies}) > 1]


def film_title(settings: FilmSettings, headers: Sequence[Header]) -> str:
    """The title of a film of these searches, on one line: that of the settings, or a default."""
    title = settings.title
    if title is None:
        puzzles = len({header.puzzle for header in headers})
        title = question(headers) if settings.pace.story else default_title(len(headers), puzzles)
    return " ".join(encodable(title).split())


def question(headers: Sequence[Header]) -> str:
    """The question of a story of these searches."""
    everything = all(header.exhaustive for header in headers)
    if len(headers) == 1:
        free = headers[0].puzzle.geometry.is_free
        asked = say.QUESTION_TAKEN_BACK if free else say.QUESTION_GUESSES
        return say.QUESTION_SOLUTIONS() if everything else asked()
    puzzles = len({header.puzzle for header in headers})
    if puzzles > 1:
        return default_title(len(headers), puzzles)
    asked = say.QUESTION_SEARCHES
    known = {strategy for header in headers if (strategy := Strategy.known(header.strategy))}
    if len(known) == len(headers):
        differing = differing_parts([*known])
        asked = _DIFFERS[differing[0]] if len(differing) == 1 else say.QUESTION_STRATEGIES
    sentence = asked(number=say.capitalised(say.number_word(len(headers))))
    return say.ALL_SOLUTIONS(title=sentence) if everything else sentence
