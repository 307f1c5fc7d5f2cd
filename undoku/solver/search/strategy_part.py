"""One named part of strategies: what it decides, its sentence, its source."""

from __future__ import annotations

from enum import StrEnum
from typing import NamedTuple


class PartKind(StrEnum):
    """What a part decides."""

    CELLS = "cell order"
    VALUES = "value order"
    INFERENCE = "inference"
    PRIORITY = "priority"
    BACK = "backtracking method"
    RESTART = "restart"
    PRESET = "preset"


LEARNS, DRAWS = "learns and changes the tree", "draws another order at each node"
"""Why a part does not search the same tree again."""


class Part(NamedTuple):
    """One named part of strategies.

    `function` is "module:function" of its Python function, or "module:NAME" of the number of a
    built-in loop; "" if the search itself implements the part. The contracts are in
    `undoku.solver.search.dynamic_orders` (cell and value orders) and
    `undoku.solver.search.singles`. `spec` is the specification of a preset, or the names of the
    rules, joined by +, for a collective name. `seeded` parts are written NAME:SEED; for a part with
    another number, `number` is the name of that number, and it is written NAME:NUMBER. `exhaustive`
    presets search for all solutions. `plain` is the name for readers who do not know the part,
    "Fewest options first"; for parts that are added to a cell order it begins with a small letter,
    "forced digits". The default is the name in words. `aliases` are further names in common use, in
    their usual spelling: "DLX". They find the part in lists but can't be used in a specification.
    A rule that `eliminates` may remove candidates; other rules only place values. A part that
    `varies` does not search the same tree again; the text is the reason, such as LEARNS.
    """

    kind: PartKind
    name: str
    sentence: str
    source: str
    function: str = ""
    spec: str = ""
    seeded: bool = False
    exhaustive: bool = False
    plain: str = ""
    aliases: tuple[str, ...] = ()
    number: str = ""
    eliminates: bool = True
    varies: str = ""

    @property
    def plain_name(self) -> str:
        """`plain`, or the name in words: of a cell order "fewest-failures"
        "Fewest failures"."""
        if self.plain:
            return self.plain
        words = self.name.replace("-", " ")
        first = self.kind in (PartKind.CELLS, PartKind.PRESET)
        return words[:1].upper() + words[1:] if first else words

    @property
    def written(self) -> str:
        """The name in a specification: "mrv", "random:SEED"."""
        number = "SEED" if self.seeded else self.number
        return f"{self.name}:{number}" if number else self.name
