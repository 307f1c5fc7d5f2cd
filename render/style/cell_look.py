"""The look of a cell, which determines its picture, packed into one number for compiled loops.

bits 0-2   kind         bits 3-4   mark         bits 6-8   tries
bits 9..   by kind:
    GIVEN, GUESS, FORCED, EMPTY   value | tint << 5
    FADING                        value | level << 5
    GHOST                         value | strength << 5 | heat << 6
    PENCIL                        candidates | struck << 25, bit v - 1 for value v
bits 59-62 failed
bits 63..  the plot: what never changes, which compiled loops don't see
    left, top, extra << 2, cages << 4, slots << 16, tabs << 21, values << 46
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum

__all__ = [
    "FADES",
    "FAILED",
    "HEAT",
    "PAYLOAD",
    "PLOT",
    "STRENGTH",
    "USUAL_VALUES",
    "CellKind",
    "CellLook",
    "StepMark",
    "packed",
    "unpacked",
]

PAYLOAD = 9
"""The first bit of what depends on the kind."""

STRENGTH, HEAT = 5, 6
"""The first bits of a ghost's strength and heat, from PAYLOAD on."""

FAILED = 59
"""The first of the bits that say on which sides a unit that failed ends."""

PLOT = 63
"""The first bit of the plot."""

FADES = 3
"""Pictures of a digit that was undone, from 1, nearly gone."""

USUAL_VALUES = 9
"""Values of a board for which a look doesn't say how many there are."""

_VALUES = 25


class CellKind(IntEnum):
    """What a cell holds."""

    EMPTY = 0
    GIVEN = 1
    GUESS = 2
    FORCED = 3
    GHOST = 4
    """Several digits in turn: the one that stood longest, on a ground that tells of the churn."""
    FADING = 5
    """Nothing; the digit that was undone is still fading."""
    PENCIL = 6
    """Nothing; the small digits are its candidates. Without any, it is a dead end."""


class StepMark(IntEnum):
    """The effect of the current step on a cell."""

    NONE = 0
    TRYING = 1
    UNDOING = 2
    PASSING = 3
    """Tries it, among steps so fast that nothing may light up."""


@dataclass(frozen=True, slots=True)
class CellLook:
    """Everything that determines the picture of a cell, except its size.

    `tint` is 0..TINTS - 1, for FADING 1..FADES, for GHOST 1 where the digit stood for half of the
    time, else 0. `left` and `top` say whether the line on that side
    is a strong one, `extra` whether the cell is in a unit that is told by tinting its cells,
    `failed` on which sides a unit ends that has no place left for a value: left, top, right,
    bottom, bit by bit. `tries` is 0 where the ground doesn't
    tell how often the cell was tried, else 1 + its shade, 0..SHADES - 1. `heat` is 0..HEATS - 1.
    `candidates` and `struck` are masks, bit v - 1 for
    value v; struck ones were candidates until inference removed them.

    `cages` are the sides on which an extra unit ends, bit 4 * level + side: left, top, right,
    bottom; units that overlap have different levels, 0 outermost, up to 2. `tabs` are marks below
    the digit, bit k for the one in slot k of `slots`. `values` is how many the board has, 0 for
    USUAL_VALUES: every candidate has its place.
    """

    kind: CellKind
    value: int = 0
    tint: int = 0
    mark: StepMark = StepMark.NONE
    left: bool = False
    top: bool = False
    extra: bool = False
    failed: int = 0
    heat: int = 0
    candidates: int = 0
    struck: int = 0
    tries: int = 0
    cages: int = 0
    slots: int = 0
    tabs: int = 0
    values: int = 0


def packed(look: CellLook) -> int:
    """The number of a look; without its plot it is below 2^63."""
    number = look.kind | look.mark << 3 | look.tries << 6 | look.failed << FAILED
    plot = look.left | look.top << 1 | look.extra << 2
    plot |= look.cages << 4 | look.slots << 16 | look.tabs << 21 | look.values << 46
    payload = look.value | look.tint << 5
    if look.kind is CellKind.GHOST:
        payload = look.value | look.tint << STRENGTH | look.heat << HEAT
    elif look.kind is CellKind.PENCIL:
        payload = look.candidates | look.struck << _VALUES
    return number | payload << PAYLOAD | plot << PLOT


def unpacked(number: int) -> CellLook:
    """The look that a number stands for."""
    kind, plot = CellKind(number & 7), number >> PLOT
    payload = (number & (1 << FAILED) - 1) >> PAYLOAD
    value = tint = heat = candidates = struck = 0
    if kind is CellKind.GHOST:
        value, tint, heat = payload & 31, payload >> STRENGTH & 1, payload >> HEAT
    elif kind is CellKind.PENCIL:
        candidates, struck = payload & (1 << _VALUES) - 1, payload >> _VALUES
    else:
        value, tint = payload & 31, payload >> 5
    return CellLook(
        kind,
        value,
        tint,
        StepMark(number >> 3 & 3),
        failed=number >> FAILED & 15,
        left=bool(plot & 1),
        top=bool(plot >> 1 & 1),
        extra=bool(plot >> 2 & 1),
        heat=heat,
        candidates=candidates,
        struck=struck,
        tries=number >> 6 & 7,
        cages=plot >> 4 & 0xFFF,
        slots=plot >> 16 & 31,
        tabs=plot >> 21 & (1 << _VALUES) - 1,
        values=plot >> 46,
    )
