"""The texts about single steps, each declared once, as in `undoku.texts.wording`."""

from __future__ import annotations

from collections.abc import Sequence

from undoku.solver.problem.problem import Unit
from undoku.texts.language import Text
from undoku.texts.wording import LIST_MIDDLE, capitalised

__all__ = ["find_text", "said", "unit_text", "values_text"]

UNIT_ROW = Text("unit-row", "row {number}")
UNIT_COLUMN = Text("unit-column", "column {number}")
UNIT_BOX = Text("unit-box", "box {number}")
UNIT_REGION = Text("unit-region", "region {number}")

TRIES = Text("step-tries", "{cell}: tries {value}")
TRIES_OF = Text("step-tries-of", "{cell}: tries {value} of {values}")
TRIES_BY = Text("step-tries-by", "{cell}: tries {value} ({rule})")
TRIES_BY_IN = Text("step-tries-by-in", "{cell}: tries {value} ({rule} in {unit})")
ONLY_OPTION = Text("step-only-option", "{cell}: only option {value}")
NAKED_SINGLE = Text("step-naked-single", "{cell}: only option {value} (naked single)")
HIDDEN_SINGLE = Text(
    "step-hidden-single", "{cell}: the only place for {value} in {unit} (hidden single)"
)
MUST_BE = Text("step-must-be", "{cell}: must be {value}")
MUST_BE_BY = Text("step-must-be-by", "{cell}: must be {value} ({rule})")
MUST_BE_BY_IN = Text("step-must-be-by-in", "{cell}: must be {value} ({rule} in {unit})")

NO_OPTION = Text("step-no-option", "{cell} has no option left")
NO_PLACE = Text("step-no-place", "{unit} has no place for {value}")
TOO_FEW = Text(
    "step-too-few", "{unit} has {cells} cells for {count} values",
    one="{unit} has {cells} cells for {count} value",
)  # fmt: skip
LED_NOWHERE = Text("step-led-nowhere", "{cell}: {value} led nowhere")
BACK_TO = Text("step-back-to", "{cause}: back to {cell}")
BACK_TO_START = Text("step-back-to-start", "{cause}: back to the start")
BEGINS_AGAIN = Text("step-begins-again", "restart {number}: takes back all guesses")
REMOVES = Text(
    "step-removes", "{rule}: {value} removed from {count} cells",
    one="{rule}: {value} removed from {count} cell",
)  # fmt: skip
REMOVES_IN = Text(
    "step-removes-in", "{rule} in {units}: {value} removed from {count} cells",
    one="{rule} in {units}: {value} removed from {count} cell",
)  # fmt: skip
RULED_OUT = Text("step-ruled-out", "nogood: {value} is ruled out in {cell}")
REFUTED = Text("step-refuted", "probe: {value} in {cell} leads to a contradiction")
REFUTED_VALUES = Text("step-refuted-values", "probes: {values} in {cell} lead to contradictions")
REFUTED_CELLS = Text(
    "step-refuted-cells", "probes: {count} candidates in {cells} cells lead to contradictions"
)
SHORT_CELL = Text("step-short-cell", "r{row}c{column}")

# Single deductions of rules; the names of parts are plural.
PAIR = Text("found-pair", "pair")
TRIPLE = Text("found-triple", "triple")
X_WING = Text("found-x-wing", "X-wing")
SWORDFISH = Text("found-swordfish", "swordfish")
XY_WING = Text("found-xy-wing", "XY-wing")
ALL_DIFFERENT = Text("found-alldiff", "all different")
GOES_BACK = Text("step-goes-back", "back to {cell}")
GOES_BACK_TO_START = Text("step-goes-back-to-start", "back to the start")

_FINDS = {
    "pairs": PAIR,
    "triples": TRIPLE,
    "x-wing": X_WING,
    "swordfish": SWORDFISH,
    "xy-wing": XY_WING,
    "alldiff": ALL_DIFFERENT,
}
_UNITS = {"row": UNIT_ROW, "column": UNIT_COLUMN, "box": UNIT_BOX, "region": UNIT_REGION}


def unit_text(unit: Unit) -> str:
    """ "row 4"; a unit of another kind has its own name."""
    return _UNITS[unit.kind](number=unit.index) if unit.kind in _UNITS else unit.name


def find_text(rule: str) -> str:
    """The name of a single deduction of a rule: "X-wing"; "" if it has none."""
    return _FINDS[rule]() if rule in _FINDS else ""


def values_text(values: Sequence[str]) -> str:
    """ "3, 5, 9" """
    found = values[0]
    for value in values[1:]:
        found = LIST_MIDDLE(first=found, rest=value)
    return found


def said(text: str) -> str:
    """A text in the form of a separate sentence."""
    return capitalised(text)
