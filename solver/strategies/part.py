"""One named part of strategies: what it decides, its sentence, its source."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum

__all__ = ["Part", "PartKind"]


class PartKind(StrEnum):
    """What a part decides."""

    CELLS = "cell order"
    VALUES = "value order"
    INFERENCE = "inference"
    PRIORITY = "priority"
    BACK = "going back"
    RESTART = "restart"
    PRESET = "preset"


@dataclass(frozen=True, slots=True)
class Part:
    """One named part of strategies.

    `function` is "module:function" of the compiled function behind it, "" where the search
    itself knows the part; the contracts are in `solver.strategies.dynamic_orders` (cell and value
    orders) and `solver.inference.singles`. `spec` is what a preset stands for, or the names, joined
    by +, that a collective name of inference rules stands for. `seeded` parts are written
    NAME:SEED; a part of another number has that number's name in `number` and is written
    NAME:NUMBER. `exhaustive` presets search for all solutions. `plain` is what people who never
    heard of the part call it, "Fewest options first"; parts that add to a cell order begin small,
    "forced digits". Without one it is the name in words. `aliases` are further names under which
    people know it, as they are written: "DLX". They find it in lists; a spec doesn't know them.
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
    def gist(self) -> str:
        """The sentence up to its first semicolon or colon, without a full stop."""
        return re.split(r"[;:]|[.]$", self.sentence)[0]

    @property
    def written(self) -> str:
        """The name as a spec writes it: "mrv", "random:SEED"."""
        number = "SEED" if self.seeded else self.number
        return f"{self.name}:{number}" if number else self.name
