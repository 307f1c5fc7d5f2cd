"""The words of a specification: the part that each names, its number, rules that run at the root.

A rule marked @root runs once, before the first guess. This is also called presolving or
preprocessing: the rules simplify the puzzle as far as possible, and the rest is searched only with
the rules of every node, or without any.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from undoku.errors import StrategyError, did_you_mean
from undoku.solver.search.part_registry import parts
from undoku.solver.search.strategy_part import Part, PartKind

_MAX_SEED = 1 << 63
_MAX_NUMBER = 1_000_000_000  # of other numbers than seeds


def number_of(written: str) -> int:
    """The number of a part written NAME:NUMBER."""
    return int(written.partition(":")[2])


def later(written: str, more: int) -> str:
    """An order as in a specification, with `more` added to its seed, if it has one."""
    name, colon, seed = written.partition(":")
    return f"{name}:{(int(seed) + more) % _MAX_SEED}" if colon else name


def written(word: str, text: str, *kinds: PartKind) -> str:
    """The name of a cell or value order, with its seed. Raises StrategyError."""
    part = found(word.partition(":")[0], text, *kinds)
    if part.kind is PartKind.PRESET:
        raise StrategyError(
            f"{part.name} is a whole strategy and can't be composed",
            remedy=f"begin with its spec: {part.spec}",
        )
    return numbered(part, word)


def numbered(part: Part, word: str) -> str:
    """The name of a part with its number, from a word of a specification. Raises StrategyError."""
    _, colon, number = (text.strip() for text in word.partition(":"))
    if not part.seeded and not part.number:
        if colon:
            raise StrategyError(f"{part.name} has no seed, so {word!r} is not valid")
        return part.name
    least, most, what, example = 0, _MAX_SEED - 1, "seed", "7"
    if part.number:
        least, most, what, example = 1, _MAX_NUMBER, f"number of {part.number.lower()}", "10"
    if not (number.isascii() and number.isdigit() and least <= int(number) <= most):
        raise StrategyError(
            f"{part.name} needs a {what}, a whole number from {least} to {most}"
            + (f", not {number!r}" if number else ""),
            remedy=f"write {part.name}:{example}",
        )
    return f"{part.name}:{int(number)}"


def one_of(named: list[str], text: str, what: str) -> str:
    """The part that is named, "" for none. Raises StrategyError if there are different ones."""
    different = list(dict.fromkeys(named))
    if len(different) > 1:
        first, second = different[:2]
        raise StrategyError(f"{text!r} has {what}, {first} and {second}", remedy="name one")
    return different[0] if different else ""


def check_waves(cells: str, values: str, rules: set[str], others: list[str]) -> None:
    """Raise StrategyError for parts that can't be combined with lds."""
    known = {part.name: part for part in parts(*PartKind)}
    for word in (cells, values, *others):
        part = known.get(word.partition(":")[0])
        if part and part.varies:
            raise StrategyError(
                f"lds searches one tree again and again, but {part.name} {part.varies}",
                remedy="combine lds with orders that neither learn nor draw, such as mrv+lds",
            )
    if others:
        raise StrategyError(
            f"lds can't be combined with {others[0]}: both restart",
            remedy=f"name one, such as +{others[0]}",
        )
    if "sac" in rules:
        raise StrategyError(
            "lds skips boards that a wave has shown, but sac may fill one while it probes",
            remedy="combine lds with other rules, such as mrv+singles+lds",
        )


def found(name: str, text: str, *kinds: PartKind) -> Part:
    known = {part.name: part for part in parts(*kinds)}
    if name in known:
        return known[name]
    what = " or ".join(kind for kind in kinds)
    if kinds[0] is PartKind.CELLS:
        what = "strategy"
    message = f"there is no {what} {name!r}" if name else f"a {kinds[0]} is missing"
    if name != text:
        message += f" in {text!r}"
    listed = "known: " + ", ".join(part.written for part in known.values())
    raise StrategyError(message, remedy=did_you_mean(name, known, listed))


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
