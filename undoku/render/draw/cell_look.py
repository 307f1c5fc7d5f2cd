"""The look of a cell, which determines its picture, packed into one number for compiled loops.

bits 0-2   kind         bits 3-4   mark         bits 6-8   tries
bits 9..   by kind:
    GIVEN, GUESS, FORCED, EMPTY   value | tint << 5
    FADING                        value | level << 5
    GHOST                         value | heat << 6
    PENCIL                        candidates | struck << 25, bit v - 1 for value v
bits 59-62 failed
bits 63..  the fixed part, which never changes and is not used by compiled loops
    left, top, extra << 2, story << 3, cages << 4, slots << 16, tabs << 21, values << 46
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum

PAYLOAD = 9
"""The first bit of the part that depends on the kind."""

HEAT = 6
"""The first bit of a ghost's heat, from PAYLOAD on."""

FAILED = 59
"""The first bit of `failed`."""

PLOT = 63
"""The first bit of the fixed part."""

FADES = 3
"""The number of pictures of a fading digit; picture 1 is nearly invisible."""

USUAL_VALUES = 9
"""The number of values of a board if a look does not state it."""

_VALUES = 25


class CellKind(IntEnum):
    """What a cell holds."""

    EMPTY = 0
    GIVEN = 1
    GUESS = 2
    FORCED = 3
    GHOST = 4
    """A cell that changed several times: its present digit, if any, on a background that shows how
    much it changed."""
    FADING = 5
    """No value; the digit that was undone is fading."""
    PENCIL = 6
    """No value; small digits show its candidates. Without any, it is a dead end."""


class StepMark(IntEnum):
    """The effect of the current step on a cell."""

    NONE = 0
    TRYING = 1
    UNDOING = 2
    PASSING = 3
    """The step places a value, but steps are so fast that nothing may flash."""


@dataclass(frozen=True, slots=True)
class CellLook:
    """Everything that determines the picture of a cell, except its size.

    `tint` is 0..TINTS - 1, for FADING 1..FADES. `left` and `top` state whether the line on that
    side is a strong one, `extra` whether the cell is in a unit that is shown by tinting its cells,
    `failed` the sides (bits: left, top, right, bottom) on which a unit ends that has no place left
    for a value. `tries` is 0 if the background does not show how often the cell was tried,
    otherwise 1 + its shade, 0..SHADES - 1. `heat` is 0..HEATS - 1. `candidates` and `struck` are
    masks, bit v - 1 for value v; struck ones were candidates until inference removed them.

    `cages` are the sides on which an extra unit ends, bit 4 * level + side: left, top, right,
    bottom; units that overlap have different levels, from 0 (outermost) to 2. `tabs` are marks
    below the digit, bit k for the one in slot k of `slots`. `values` is the number of values of the
    board, 0 for USUAL_VALUES; it determines the places of candidates. In a `story` candidates
    are dots, not digits, and struck ones are not shown; digits have the colours of guessed and of
    forced ones instead of tints."""

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
    story: bool = False


def packed(look: CellLook) -> int:
    """The number of a look; without its fixed part it is below 2^63."""
    number = look.kind | look.mark << 3 | look.tries << 6 | look.failed << FAILED
    plot = look.left | look.top << 1 | look.extra << 2 | look.story << 3
    plot |= look.cages << 4 | look.slots << 16 | look.tabs << 21 | look.values << 46
    payload = look.value | look.tint << 5
    if look.kind is CellKind.GHOST:
        payload = look.value | look.heat << HEAT
    elif look.kind is CellKind.PENCIL:
        payload = look.candidates | look.struck << _VALUES
    return number | payload << PAYLOAD | plot << PLOT


def unpacked(number: int) -> CellLook:
    """The look of a number."""
    kind, plot = CellKind(number & 7), number >> PLOT
    payload = (number & (1 << FAILED) - 1) >> PAYLOAD
    value = tint = heat = candidates = struck = 0
    if kind is CellKind.GHOST:
        value, heat = payload & 31, payload >> HEAT
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
        story=bool(plot >> 3 & 1),
    )
