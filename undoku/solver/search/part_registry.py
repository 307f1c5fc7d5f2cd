"""The registry of parts of strategies, each with a name, a sentence and a source.

Another package adds parts through the entry-point group `undoku.strategies`: an entry point
names an iterable of `Part`s, or a function that returns one. A part's function is named as
"module:function" and loaded when a search needs it.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

from undoku.errors import StrategyError
from undoku.extensions import add_offers, named_function
from undoku.solver.search.builtin_parts import REPERTOIRE
from undoku.solver.search.strategy_part import Part, PartKind

__all__ = ["GROUP", "loaded", "parts", "register"]

GROUP = "undoku.strategies"
"""The entry-point group."""


_parts = {(part.kind, part.name): part for part in REPERTOIRE}


def register(part: Part) -> None:
    """Add a part under its name. Raises StrategyError if the name is taken or can't be used in a
    specification."""
    name = part.name
    if not name or name != name.lower() or set(name) & set("/+:@ \t"):
        raise StrategyError(
            f"a part can't be called {name!r}", remedy="use small letters, digits and hyphens"
        )
    # Cell orders and presets begin a specification; other parts, except value orders, follow a +:
    # their names must not coincide.
    heads = (PartKind.CELLS, PartKind.PRESET)
    tails = (PartKind.INFERENCE, PartKind.PRIORITY, PartKind.BACK, PartKind.RESTART)
    alike = next((kinds for kinds in (heads, tails) if part.kind in kinds), (part.kind,))
    if any((kind, name) in _parts for kind in alike):
        raise StrategyError(f"there is a {part.kind} called {name!r} already")
    _parts[part.kind, name] = part


def parts(*kinds: PartKind) -> tuple[Part, ...]:
    """All parts of these kinds (of every kind if none is named), in the order of the printed list;
    parts of other packages come last within their kind."""
    _load_entry_points()
    wanted = kinds or tuple(PartKind)
    return tuple(part for kind in wanted for part in _parts.values() if part.kind is kind)


def loaded(part: Part) -> Callable[..., int]:
    """The function of a part. Raises StrategyError if it can't be loaded."""
    return named_function(f"the {part.kind} {part.name!r}", part.function, StrategyError)


@cache
def _load_entry_points() -> None:
    add_offers(GROUP, register, StrategyError)
