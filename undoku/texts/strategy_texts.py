"""Strategies in the language of a film: a text for the plain name of each built-in part, and one
for its description, except for rules. Parts of other packages keep their own texts."""

from __future__ import annotations

from dataclasses import replace

from undoku.solver.search.part_registry import REPERTOIRE, parts
from undoku.solver.search.strategy import Strategy, Words
from undoku.solver.search.strategy_part import Part, PartKind
from undoku.texts import story_texts
from undoku.texts.language import Text
from undoku.texts.wording import AT_THE_START, INFERS, INFERS_ONCE, listed

__all__ = [
    "part_name",
    "story_part_sentence",
    "story_sentence",
    "strategy_name",
    "strategy_sentence",
]

_KINDS = {
    PartKind.CELLS: "cells",
    PartKind.VALUES: "values",
    PartKind.INFERENCE: "inference",
    PartKind.PRIORITY: "priority",
    PartKind.BACK: "back",
    PartKind.RESTART: "restart",
    PartKind.PRESET: "preset",
}

# The lines of pseudocode of a search

CODE = Text("code", "code")
CODE_SOLVE = Text("code-solve", "solve:")
CODE_FULL = Text("code-full", "board full? done")
CODE_CELL = Text("code-cell", "choose a cell: {order}")
CODE_ANY_CELL = Text("code-any-cell", "choose an empty cell")
CODE_EACH = Text("code-each", "for each option:")
CODE_EACH_IN_ORDER = Text("code-each-in-order", "for each option, {order}:")
CODE_PLACE = Text("code-place", "write it")
CODE_INFER = Text("code-infer", "fill in what follows: {rules}")
CODE_ELIMINATE = Text("code-eliminate", "cross off what can't be: {rules}")
CODE_CHECK = Text("code-check", "no option left somewhere? go back")
CODE_ONCE = Text("code-once", "once, at the start: {rules}")
CODE_RESTART = Text("code-restart", "too many dead ends? begin again")
CODE_DEEPER = Text("code-deeper", "solve the rest")
CODE_UNDO = Text("code-undo", "take it back")
CODE_UNDO_WAY = Text("code-undo-way", "take it back: {way}")
CODE_DEAD_END = Text("code-dead-end", "no option left? dead end")


def _escaped(text: str) -> str:
    return text.replace("{", "{{").replace("}", "}}")


_NAMES = {
    part: Text(f"{_KINDS[part.kind]}-{part.name}", _escaped(part.plain_name)) for part in REPERTOIRE
}
_GISTS = {
    part: Text(f"{_KINDS[part.kind]}-{part.name}-does", _escaped(part.gist))
    for part in REPERTOIRE
    if part.kind is not PartKind.INFERENCE  # sentences contain only the names of rules
}


def _name(part: Part) -> str:
    return _NAMES[part]() if part in _NAMES else part.plain_name


def _part(kind: PartKind, name: str) -> Part | None:
    return next((part for part in parts(kind) if part.name == name), None)


def part_name(kind: PartKind, name: str) -> str:
    """The plain name of the part with this name; the name itself if the part is unknown."""
    part = _part(kind, name)
    return _name(part) if part else name


def _gist(part: Part) -> str:
    return _GISTS[part]() if part in _GISTS else part.gist


_STORY_GISTS = {
    (PartKind.CELLS, "mrv"): story_texts.FEWEST_FIT,
    (PartKind.CELLS, "mrv-degree"): story_texts.FEWEST_FIT,
    (PartKind.VALUES, "lcv"): story_texts.LEAST_LIMITING,
    (PartKind.BACK, "cbj"): story_texts.BACK_TO_CAUSE,
    (PartKind.BACK, "nogoods"): story_texts.REMEMBERS_FAILURES,
    (PartKind.BACK, "lds"): story_texts.FIRST_CHOICES,
}
"""The parts that a story describes more briefly, or in its own words."""


def _story_gist(part: Part) -> str:
    text = _STORY_GISTS.get((part.kind, part.name))
    return text() if text else _gist(part)


_WORDS = Words(
    name=_name,
    gist=_gist,
    listed=listed,
    at_start=lambda rules: AT_THE_START(rules=rules),
    infers=lambda rules: INFERS(rules=rules),
    infers_once=lambda rules: INFERS_ONCE(rules=rules),
)
_STORY_WORDS = replace(_WORDS, gist=_story_gist)


def strategy_name(strategy: Strategy) -> str:
    """The plain name of a strategy: "Fewest options first"."""
    return strategy.name_in(_WORDS)


def strategy_sentence(strategy: Strategy) -> str:
    """What a strategy does, without a full stop."""
    return strategy.sentence_in(_WORDS)


def story_sentence(strategy: Strategy) -> str:
    """What a strategy does, in the words of stories, without a full stop."""
    return strategy.sentence_in(_STORY_WORDS)


def story_part_sentence(kind: PartKind, name: str) -> str:
    """What the part with this name does, in the words of stories, without a full stop; "" if it is
    unknown."""
    part = _part(kind, name)
    return _story_gist(part) if part else ""
