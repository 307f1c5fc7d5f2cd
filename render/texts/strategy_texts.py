"""Strategies in the language of a film: a text for the plain name of each built-in part, and one
for its description, except for rules. Parts of other packages keep their own texts."""

from __future__ import annotations

from render.texts.language import Text
from render.texts.wording import AT_THE_START, INFERS, INFERS_ONCE, listed
from solver.strategies.builtin_parts import REPERTOIRE
from solver.strategies.part import Part, PartKind
from solver.strategies.registry import parts
from solver.strategies.strategy import Strategy, Words

__all__ = ["part_name", "strategy_name", "strategy_sentence"]

_KINDS = {
    PartKind.CELLS: "cells",
    PartKind.VALUES: "values",
    PartKind.INFERENCE: "inference",
    PartKind.PRIORITY: "priority",
    PartKind.BACK: "back",
    PartKind.RESTART: "restart",
    PartKind.PRESET: "preset",
}


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


def part_name(kind: PartKind, name: str) -> str:
    """The plain name of the part with this name; the name itself if the part is unknown."""
    known = (part for part in parts(kind) if part.name == name)
    return next(map(_name, known), name)


def _gist(part: Part) -> str:
    return _GISTS[part]() if part in _GISTS else part.gist


_WORDS = Words(
    name=_name,
    gist=_gist,
    listed=listed,
    at_start=lambda rules: AT_THE_START(rules=rules),
    infers=lambda rules: INFERS(rules=rules),
    infers_once=lambda rules: INFERS_ONCE(rules=rules),
)


def strategy_name(strategy: Strategy) -> str:
    """The plain name of a strategy: "Fewest options first"."""
    return strategy.name_in(_WORDS)


def strategy_sentence(strategy: Strategy) -> str:
    """What a strategy does, without a full stop."""
    return strategy.sentence_in(_WORDS)
