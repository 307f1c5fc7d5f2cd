"""The parts that strategies are made of: each has a name, a sentence and a source.

Another package adds parts through the entry-point group `undoku.strategies`: an entry point
names an iterable of `Part`s, or a function that returns one. A part's function is named as
"module:function" and loaded when a search needs it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from importlib import import_module
from importlib.metadata import entry_points
from typing import cast

from solver.errors import StrategyError

__all__ = ["GROUP", "Kind", "Part", "loaded", "parts", "register"]

GROUP = "undoku.strategies"
"""The entry-point group."""


class Kind(StrEnum):
    """What a part decides."""

    CELLS = "cell order"
    VALUES = "value order"
    INFERENCE = "inference"
    BACK = "going back"
    PRESET = "preset"


@dataclass(frozen=True, slots=True)
class Part:
    """One named part of strategies.

    `function` is "module:function" of the compiled function behind it, "" where the search
    itself knows the part; the contracts are in `solver.strategies.dynamic_orders` (cell and value
    orders) and `solver.inference.singles`. `spec` is what a preset stands for, or the names, joined
    by +, that a collective name of inference rules stands for. `seeded` parts are written
    NAME:SEED. `exhaustive` presets search for all solutions.
    """

    kind: Kind
    name: str
    sentence: str
    source: str
    function: str = ""
    spec: str = ""
    seeded: bool = False
    exhaustive: bool = False

    @property
    def written(self) -> str:
        """The name as a spec writes it: "mrv", "random:SEED"."""
        return f"{self.name}:SEED" if self.seeded else self.name


_parts: dict[tuple[Kind, str], Part] = {}


def register(part: Part) -> None:
    """Add a part under its name. Raises StrategyError when the name is taken or can't be
    written in a spec."""
    _load_own()
    name = part.name
    if not name or name != name.lower() or set(name) & set("/+: \t"):
        raise StrategyError(
            f"a part can't be called {name!r}", remedy="use small letters, digits and hyphens"
        )
    # Cell orders and presets begin a spec, rules and ways back follow a +: those may not be mixed.
    heads, tails = (Kind.CELLS, Kind.PRESET), (Kind.INFERENCE, Kind.BACK)
    alike = next((kinds for kinds in (heads, tails) if part.kind in kinds), (part.kind,))
    if any((kind, name) in _parts for kind in alike):
        raise StrategyError(f"there is a {part.kind} called {name!r} already")
    _parts[part.kind, name] = part


def parts(*kinds: Kind) -> tuple[Part, ...]:
    """All parts of these kinds (of every kind, when none is named), in the order of the list
    that a reader sees; parts of other packages come last of their kind."""
    _load_own()
    _load_entry_points()
    wanted = kinds or tuple(Kind)
    return tuple(part for kind in wanted for part in _parts.values() if part.kind is kind)


def loaded(part: Part) -> Callable[..., int]:
    """The function behind a part. Raises StrategyError when it can't be loaded."""
    module, _, name = part.function.partition(":")
    try:
        return cast("Callable[..., int]", getattr(import_module(module), name))
    except (ImportError, AttributeError, ValueError) as error:
        raise StrategyError(
            f"the {part.kind} {part.name!r} can't be loaded from {part.function!r}: {error}"
        ) from None


@cache
def _load_own() -> None:
    from solver.strategies.builtin_parts import REPERTOIRE  # it is made of what this room defines

    _parts.update({(part.kind, part.name): part for part in REPERTOIRE})


@cache
def _load_entry_points() -> None:
    for entry in entry_points(group=GROUP):
        try:
            offered = entry.load()
            added: Iterable[Part] = offered() if callable(offered) else offered
            for part in added:
                register(part)
        except StrategyError as error:
            raise StrategyError(f"the package that adds {entry.name!r}: {error.message}") from None
        except Exception as error:
            raise StrategyError(
                f"the package that adds {entry.name!r} can't be loaded: {error}",
                remedy="repair or uninstall it",
            ) from error
