"""The sentences that state the rules of searches, those that many searches share, and the titles of
films."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import NamedTuple

from undoku.render.playback.search_texts import described, explanation_of
from undoku.render.settings.settings import FilmSettings, default_title
from undoku.render.timeline.beats import BeatKind, first_beat
from undoku.render.timeline.notes import FILM, Note, NoteKind
from undoku.render.timeline.timeline import Timeline
from undoku.solver.search.strategy import Strategy
from undoku.solver.search.strategy_part import PartKind
from undoku.solver.trace.trace import Header, Tally
from undoku.texts import wording as say
from undoku.texts.strategy_texts import story_part_sentence, story_sentence
from undoku.texts.text_lines import encodable

_PARTS = ("cells", "values", "inference", "back")

_TOLD_ALONE = {"values": PartKind.VALUES, "back": PartKind.BACK}
"""The parts of which a film tells only these if its searches differ in nothing else."""

_BRIEF_TEXTS: dict[tuple[PartKind, str], Callable[[], str]] = {
    (PartKind.CELLS, "row-major"): say.IN_READING_ORDER,
    (PartKind.CELLS, "column-major"): say.COLUMN_BY_COLUMN,
    (PartKind.CELLS, "box-major"): say.BOX_BY_BOX,
    (PartKind.CELLS, "spiral"): say.IN_A_SPIRAL,
    (PartKind.CELLS, "static"): say.SORTED_ONCE,
    (PartKind.CELLS, "random"): say.IN_RANDOM_ORDER,
    (PartKind.CELLS, "mrv"): say.FEWEST_BRIEFLY,
    (PartKind.CELLS, "mrv-degree"): say.FEWEST_BRIEFLY,
    (PartKind.VALUES, "ascending"): say.LOWEST_FIRST,
    (PartKind.VALUES, "descending"): say.HIGHEST_FIRST,
    (PartKind.VALUES, "lcv"): say.LEAST_LIMITING_BRIEFLY,
    (PartKind.BACK, "cbj"): say.TO_CAUSE_BRIEFLY,
}


class RuleText(NamedTuple):
    """The sentence of a rule, and a shorter one; "" if there is none."""

    sentence: str = ""
    brief: str = ""


def differing_parts(strategies: Sequence[Strategy]) -> list[str]:
    """The parts in which strategies differ, of "cells", "values", "inference" and "back"."""
    return [
        part for part in _PARTS if len({getattr(strategy, part) for strategy in strategies}) > 1
    ]


def rule_texts(headers: Sequence[Header]) -> list[RuleText]:
    """The rule of each search of a film. If known strategies differ only in the order of values, or
    in how they go back, it is the rule of that part, because a reader has no time for all parts."""
    known = [_composed(header) for header in headers]
    strategies = [strategy for strategy in known if strategy]
    differing = differing_parts(strategies) if len(strategies) == len(headers) else []
    kind = _TOLD_ALONE.get(differing[0]) if len(differing) == 1 else None
    if kind and len({(each.presolve, each.priority, each.restart) for each in strategies}) == 1:
        return [_rule_of_part(kind, getattr(each, differing[0])) for each in strategies]
    return [_rule(header, strategy) for header, strategy in zip(headers, known, strict=True)]


def _composed(header: Header) -> Strategy | None:
    """The strategy of a search that neither its trace nor a preset describes."""
    strategy = None if header.description else Strategy.known(header.strategy)
    return None if strategy and strategy.preset else strategy


def _rule_of_part(kind: PartKind, written: str) -> RuleText:
    name = written.partition(":")[0]
    brief = _BRIEF_TEXTS.get((kind, name))
    sentence = say.RULE(rule=story_part_sentence(kind, name))
    return RuleText(sentence, brief() if brief else "")


def _rule(header: Header, strategy: Strategy | None) -> RuleText:
    if strategy is None:
        rule = described(header)
        return RuleText(say.RULE(rule=rule)) if rule else RuleText()
    if str(strategy) == "dom-wdeg":
        # Its description has no room below one of three boards.
        return RuleText(say.FEWEST_PER_FAILURE())
    rule = story_sentence(strategy)
    first, *others = rule.split("; ")
    if others and (strategy.inference or strategy.presolve):
        return RuleText(say.RULE(rule=rule), say.RULE(rule=first))
    brief = _rule_of_part(PartKind.CELLS, strategy.cells).brief
    return RuleText(say.RULE(rule=rule), brief)


_FEWEST_OPTIONS = ("mrv", "mrv-degree")
"""The cell orders that take a cell with the fewest options."""


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
    fixed: list[int] = []
    fewest: list[int] = []
    infers = False
    for number, strategy in enumerate(strategies):
        if strategy and strategy.has_fixed_order and not strategy.inference:
            fixed.append(number)
        elif strategy and strategy.cells in _FEWEST_OPTIONS:
            fewest.append(number)
            infers = infers or bool(strategy.inference or strategy.presolve)
    sentences: dict[int, tuple[str, tuple[int, ...]]] = {}
    fewest_text = say.FORCED_OR_FEWEST if infers else say.FEWEST_TOGETHER
    for text, alike in ((say.ORDER_FIXED, fixed), (fewest_text, fewest)):
        if len(alike) < 2:
            continue
        first, *others = alike
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
