"""Rules that run once, at the root, before the first guess: `singles@root`.

This is also called presolving or preprocessing: the rules simplify the puzzle as far as possible,
and the rest is searched only with the rules of every node, or without any.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from undoku.errors import StrategyError
from undoku.solver.search.strategy_part import Part, PartKind

__all__ = ["MARK", "check_presolve", "joined", "split_presolve"]

MARK = "@root"
"""The suffix of a rule that runs at the root only."""

_COLLECTIVE = ("naked-singles+hidden-singles", "singles")


def split_presolve(word: str) -> tuple[str, bool]:
    """The name of a part in a specification, and whether it is marked to run at the root only."""
    name = word.removesuffix(MARK).rstrip()
    return name, word.endswith(MARK)


def check_presolve(part: Part) -> None:
    """Raise StrategyError for a part that can't run at the root only."""
    if part.kind is not PartKind.INFERENCE:
        kind = f"a {part.kind}"
        raise StrategyError(
            f"{part.name}{MARK}: {part.name} is {kind}, not a rule of inference",
            remedy=f"only rules run at the root, such as singles{MARK}; write +{part.name}",
        )


def joined(inference: Sequence[str], presolve: Iterable[str]) -> str:
    """The rules in a specification: "+forward+singles@root", "" for none."""
    text = "".join(f"+{rule}" for rule in inference)
    text = text.replace("+" + _COLLECTIVE[0], "+" + _COLLECTIVE[1])
    once = "".join(f"+{rule}{MARK}" for rule in presolve)
    both = "".join(f"+{rule}{MARK}" for rule in _COLLECTIVE[0].split("+"))
    return text + once.replace(both, f"+{_COLLECTIVE[1]}{MARK}")
