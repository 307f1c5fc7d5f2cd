"""The sentences that state the rules of searches, as short as a story needs them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from undoku.render.panels.title_card import described
from undoku.solver.search.strategy import Strategy
from undoku.solver.search.strategy_part import PartKind
from undoku.solver.trace.trace import Header
from undoku.texts import story_texts as say
from undoku.texts.strategy_texts import story_part_sentence, story_sentence

__all__ = ["RuleText", "differing_parts", "rule_texts"]

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
