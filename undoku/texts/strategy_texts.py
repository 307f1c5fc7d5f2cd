"""The names of strategies and of their parts in the language of a film. Parts of other packages
keep their own."""

from __future__ import annotations

from undoku.solver.search.part_registry import parts
from undoku.solver.search.strategy import Strategy, Words
from undoku.solver.search.strategy_part import Part, PartKind
from undoku.texts import wording as say
from undoku.texts.wording import Text, english, part_key


def _name(part: Part) -> str:
    key = part_key(part)
    return Text(key)() if key in english() else part.plain_name


def _part(kind: PartKind, name: str) -> Part | None:
    return next((part for part in parts(kind) if part.name == name), None)


def part_name(kind: PartKind, name: str) -> str:
    """The plain name of the part with this name; the name itself if the part is unknown."""
    part = _part(kind, name)
    return _name(part) if part else name


_WORDS = Words(
    name=_name,
    listed=say.listed,
    at_start=lambda rules: say.AT_THE_START(rules=rules),
)


def strategy_name(strategy: Strategy) -> str:
    """The plain name of a strategy: "Fewest options first"."""
    return strategy.name_in(_WORDS)
