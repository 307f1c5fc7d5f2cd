"""Strategies as short texts: `CELLS[/VALUES][+INFERENCE[@root]…][+PRIORITY][+BACK][+RESTART]`, or
the
name of a preset.

`mrv`, `random:7/descending`, `mrv/lcv+singles+locked`, `row-major+cbj`, `mrv+singles@root+lds`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from undoku.errors import StrategyError
from undoku.solver.search.part_registry import parts
from undoku.solver.search.specification import (
    check_presolve,
    check_waves,
    found,
    joined,
    later,
    numbered,
    one_of,
    split_presolve,
    written,
)
from undoku.solver.search.strategy_part import Part, PartKind

COMPARED = ("row-major", "mrv")
"""The strategies that are compared where none is named."""

FIXED_CELLS = ("row-major", "column-major", "box-major", "spiral", "random", "static")
"""The cell orders that are fixed before the search begins."""

FIXED_VALUES = ("ascending", "descending", "random")
"""The value orders that are fixed before the search begins."""

_MAX_CHARACTERS = 500  # characters
_ADDED = (PartKind.INFERENCE, PartKind.PRIORITY, PartKind.BACK, PartKind.RESTART)


class Words(NamedTuple):
    """The wording of names of strategies: the plain name of a part, a list, and rules that run only
    at the start."""

    name: Callable[[Part], str]
    listed: Callable[[Sequence[str]], str]
    at_start: Callable[[str], str]


@dataclass(frozen=True, slots=True)
class Strategy:
    """How a search chooses, infers and goes back; `str` of it is its form in manifests. `cells` and
    `values` are as in a specification, with a seed if they have one. `inference` holds the names of
    rules in the order in which they run, `presolve` those that run at the root only. `priority`
    names the part that is chosen before the cells of the order, "" for none; `restart` is the part
    for restarts with its number, "" for none. `preset` is the name of the preset from which it was
    made, "" for a specification; `exhaustive` is set by presets that search for all solutions.
    """

    cells: str
    values: str = "ascending"
    inference: tuple[str, ...] = ()
    back: str = "chronological"
    preset: str = ""
    exhaustive: bool = False
    presolve: tuple[str, ...] = ()
    priority: str = ""
    restart: str = ""

    @classmethod
    def parse(cls, text: str) -> Strategy:
        """Parse a specification or the name of a preset, in small or capital letters. Raises
        StrategyError that names the unknown part and the nearest known one.
        """
        spec = text.strip().lower()
        if len(spec) > _MAX_CHARACTERS:
            raise StrategyError(
                f"a strategy can't have {len(spec)} characters",
                remedy="write one such as mrv/lcv+singles",
            )
        for preset in parts(PartKind.PRESET):
            if preset.name == spec:
                meant = cls.parse(preset.spec)
                return replace(meant, preset=preset.name, exhaustive=preset.exhaustive)
        head, *tail = (word.strip() for word in spec.split("+"))
        cells, slash, values = (word.strip() for word in head.partition("/"))
        cells = written(cells, text, PartKind.CELLS, PartKind.PRESET)
        if slash:
            values = written(values, text, PartKind.VALUES)
        rules: set[str] = set()
        at_root: set[str] = set()
        others: dict[PartKind, list[str]] = {kind: [] for kind in _ADDED}
        for word in tail:
            name, once = split_presolve(word)
            part = found(name.partition(":")[0].rstrip(), text, *_ADDED)
            word_of_part = numbered(part, name)
            if once:
                check_presolve(part)
            if part.kind is PartKind.INFERENCE:
                named = at_root if once else rules
                named.update(part.spec.split("+") if part.spec else [part.name])
            else:
                others[part.kind].append(word_of_part)
        back = one_of(others[PartKind.BACK], text, "two backtracking methods")
        priority = one_of(others[PartKind.PRIORITY], text, "two priorities")
        restart = one_of(others[PartKind.RESTART], text, "two restarts")
        if back == "lds":
            check_waves(cells, values, rules | at_root, [*filter(None, [priority, restart])])
        known = [part.name for part in parts(PartKind.INFERENCE)]
        return cls(
            cells,
            values or "ascending",
            tuple(rule for rule in known if rule in rules),
            back or "chronological",
            # Rules for every node run at the root anyway.
            presolve=tuple(rule for rule in known if rule in at_root - rules),
            priority=priority,
            restart=restart,
        )

    @classmethod
    def known(cls, text: str) -> Strategy | None:
        """The strategy that the header of a trace names; None if it names none, or an unknown one,
        such as that of another program."""
        try:
            return cls.parse(text) if text else None
        except StrategyError:
            return None

    @classmethod
    def of(cls, strategy: Strategy | str) -> Strategy:
        """A strategy from a strategy or a text."""
        if isinstance(strategy, Strategy):
            return strategy
        if not isinstance(strategy, str):
            raise StrategyError(f"{strategy!r} is not a strategy", remedy='name one, such as "mrv"')
        return cls.parse(strategy)

    @property
    def spec(self) -> str:
        """The specification, also of a preset."""
        orders = "/".join(written for _, written in self._orders)
        additions = "".join(f"+{written}" for _, written in self._additions)
        return orders + joined(self.inference, self.presolve) + additions

    def reseeded(self, more: int) -> Strategy:
        """The same strategy with `more` >= 0 added to each of its seeds."""
        cells, values = later(self.cells, more), later(self.values, more)
        if (cells, values) == (self.cells, self.values):
            return self
        return replace(self, cells=cells, values=values, preset="")

    @property
    def needs_version_2(self) -> bool:
        """Whether its traces may contain restarts, nogoods or probes, for which version 1 of the
        trace format has no events."""
        probes = "sac" in (*self.inference, *self.presolve)
        return bool(self.restart) or self.back == "nogoods" or probes

    @property
    def has_fixed_order(self) -> bool:
        """Whether the order of its cells is fixed before the search begins."""
        return self.cells.partition(":")[0] in FIXED_CELLS

    @property
    def eliminates(self) -> bool:
        """Whether its inference may eliminate candidates."""
        named = {*self.inference, *self.presolve}
        rules = (part for part in parts(PartKind.INFERENCE) if part.name in named)
        return any(part.eliminates for part in rules) or self.back == "nogoods"

    @property
    def plain_name(self) -> str:
        """The name for readers who do not know the strategy: "Fewest options first, forced
        digits"."""
        return self.name_in(ENGLISH)

    def name_in(self, words: Words) -> str:
        """The plain name in another language."""
        if self.preset:
            return _plain(PartKind.PRESET, self.preset, words)
        clauses = [_plain(kind, written, words) for kind, written in self._orders]
        if self.inference:
            clauses.append(_plain_rules(self.inference, words))
        if self.presolve:
            clauses.append(words.at_start(_plain_rules(self.presolve, words)))
        clauses += [_plain(kind, written, words) for kind, written in self._additions]
        return ", ".join(clauses)

    @property
    def _orders(self) -> list[tuple[PartKind, str]]:
        """The orders of cells and, unless values ascend, of values."""
        values = [] if self.values == "ascending" else [(PartKind.VALUES, self.values)]
        return [(PartKind.CELLS, self.cells), *values]

    @property
    def _additions(self) -> list[tuple[PartKind, str]]:
        """The parts after the rules."""
        back = "" if self.back == "chronological" else self.back
        kinds = (PartKind.PRIORITY, PartKind.BACK, PartKind.RESTART)
        named = zip(kinds, (self.priority, back, self.restart), strict=True)
        return [(kind, written) for kind, written in named if written]

    def __str__(self) -> str:
        return self.preset or self.spec


def _plain(kind: PartKind, written: str, words: Words) -> str:
    """The plain name of a part written as in a specification, with its seed."""
    name, colon, seed = written.partition(":")
    plain = next((words.name(part) for part in parts(kind) if part.name == name), name)
    return f"{plain} {seed}" if colon else plain


def _plain_rules(names: tuple[str, ...], words: Words) -> str:
    """The plain names of rules in one list; rules with a collective name are listed by that."""
    plain = {name: _plain(PartKind.INFERENCE, name, words) for name in names}
    for part in parts(PartKind.INFERENCE):
        members = part.spec.split("+")
        own = part.name in members  # a rule that includes another one
        if part.spec and not own and all(member in plain for member in members):
            plain[members[0]] = words.name(part)
            for member in members[1:]:
                del plain[member]
    return words.listed(list(plain.values()))


def _listed(names: Sequence[str]) -> str:
    """ "a", "a and b", "a, b and c" """
    return " and ".join(filter(None, [", ".join(names[:-1]), names[-1]]))


ENGLISH = Words(
    name=lambda part: part.plain_name,
    listed=_listed,
    at_start="{} at the start".format,
)
