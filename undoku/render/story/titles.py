"""The titles of films, and the sentence that replaces the title of a story."""

from __future__ import annotations

from collections.abc import Sequence

from undoku.render.panels.verdict import explanation_of
from undoku.render.settings.settings import FilmSettings, default_title
from undoku.render.story.rule_texts import differing_parts
from undoku.render.timeline.beats import BeatKind
from undoku.render.timeline.notes import FILM, Note, NoteKind
from undoku.render.timeline.timeline import Timeline
from undoku.solver.search.strategy import Strategy
from undoku.solver.trace.trace import Header, Tally
from undoku.texts import story_texts as say
from undoku.texts.text_lines import encodable

__all__ = ["film_title", "story_explanation", "story_title"]

_DIFFERS = {
    "cells": say.SAME_PUZZLE_ORDER,
    "values": say.SAME_PUZZLE_VALUES,
    "inference": say.SAME_PUZZLE_LOGIC,
    "back": say.SAME_PUZZLE_WAY_BACK,
}
"""The titles of strategies that differ in one part."""

_ENDS = (".", "!", "?")
"""The last characters of a sentence."""


def film_title(settings: FilmSettings, headers: Sequence[Header]) -> str:
    """The title of a film of these searches, on one line: that of the settings, or a default."""
    title = settings.title
    if title is None:
        title = (story_title if settings.pace.story else _usual_title)(headers)
    return " ".join(encodable(title).split())


def story_title(headers: Sequence[Header]) -> str:
    """A title that states in what the searches differ, if they differ in one part; and that they
    look for all solutions."""
    return _with_goal(_common(headers), headers)


def story_explanation(
    headers: Sequence[Header], tallies: Sequence[Tally], timeline: Timeline
) -> Note | None:
    """Why the searches of a story differ: the sentence that replaces its title after the first step
    is explained, until the end card; None if their counts do not show it."""
    sentence = explanation_of([header.strategy for header in headers], tallies)
    explained = [beat.end for beat in timeline.beats if beat.kind is BeatKind.FIRST_STEP]
    if not sentence or not explained or len({header.puzzle for header in headers}) > 1:
        return None
    end, text = timeline.frames - timeline.card, _with_goal(sentence, headers)
    return Note(explained[-1], end, FILM, NoteKind.CALLOUT, text)


def _with_goal(title: str, headers: Sequence[Header]) -> str:
    """A title that also states if all searches look for all solutions."""
    if not all(header.exhaustive for header in headers):
        return title
    return say.ALL_SOLUTIONS(title=title if title.endswith(_ENDS) else f"{title}.")


def _common(headers: Sequence[Header]) -> str:
    usual = _usual_title(headers)
    strategies = [Strategy.known(header.strategy) for header in headers]
    known = [strategy for strategy in strategies if strategy]
    if len(known) < 2 or len(known) < len(headers) or len({h.puzzle for h in headers}) > 1:
        return usual
    fixed = sum(strategy.has_fixed_order for strategy in known)
    if len(known) > 2 and 0 < fixed < len(known):
        return say.SAME_PUZZLE_ORDERS(fixed=fixed, chosen=len(known) - fixed)
    differing = differing_parts(known)
    return _DIFFERS[differing[0]]() if len(differing) == 1 else usual


def _usual_title(headers: Sequence[Header]) -> str:
    return default_title(len(headers), len({header.puzzle for header in headers}))
