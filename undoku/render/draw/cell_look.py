"""The look of a cell, which determines its picture. What changes is packed into one number for
compiled loops:

bits 0-2   kind         bits 3-4   mark         bits 6-8   tries
bits 9..   by kind:
    GIVEN, GUESS, FORCED, EMPTY   value | tint << 5
    FADING                        value | level << 5
    GHOST                         value | heat << 6
    PENCIL                        candidates | struck << 25, bit v - 1 for value v
bits 59-62 failed
"""

from __future__ import annotations

from enum import IntEnum
from typing import NamedTuple

from undoku.solver.problem.appearance import SYMBOLS, Form

PAYLOAD = 9
"""The first bit of the part that depends on the kind."""

HEAT = 6
"""The first bit of a ghost's heat, from PAYLOAD on."""

FAILED = 59
"""The first bit of `failed`."""

FADES = 3
"""The number of pictures of a fading digit; picture 1 is nearly invisible."""

USUAL_VALUES = 9
"""The number of values of a board if a look does not state it."""

MAX_VALUES = 25
"""The number of bits of a mask of values."""


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


class CellLook(NamedTuple):
    """Everything that determines the picture of a cell, or of one of the fields of a cell that has
    several, except its size.

    `tint` is 0..TINTS - 1, for FADING 1..FADES. `failed` are the sides (bits: left, top, right,
    bottom) on which a unit ends that has no place left for a value. `tries` is 0 if the background
    does not show how often the cell was tried, otherwise 1 + its shade, 0..SHADES - 1. `heat` is
    0..HEATS - 1. `candidates` and `struck` are masks, bit v - 1 for value v; struck ones were
    candidates until inference removed them.

    The rest never changes. `left` and `top` state whether the line on that side is a strong one,
    `extra` whether the cell is in a unit that is shown by tinting its cells.
    `cages` are the sides on which an extra unit ends, bit 4 * level + side: left, top, right,
    bottom; units that overlap have different levels, from 0 (outermost) to 2. `tabs` are marks
    below the digit, bit k for the one in slot k of `slots`. `values` is the number of values of the
    board, 0 for USUAL_VALUES; it determines the places of candidates. In a `story` candidates
    are dots, not digits, and struck ones are not shown; digits have the colours of guessed and of
    forced ones instead of tints.

    `form` is the form of the problem, and `symbols` are its values' marks; values that are
    `coloured` fill the cell with their colours. A field with a `place` shows only what concerns
    value `place`; one that is `bare` shows colours, but no marks. `sides` are the sides on which
    the cell ends; a node has none. A node has lines towards its `edges` (x, y), relative to its
    centre; `text` is shown while the cell is empty."""

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
    form: Form = Form.GRID
    symbols: tuple[str, ...] = tuple(SYMBOLS)
    coloured: bool = False
    place: int = 0
    bare: bool = False
    sides: int = 15
    edges: tuple[tuple[float, float], ...] = ()
    text: str = ""

    def symbol(self, value: int) -> str:
        """The mark of a value, from 1."""
        return self.symbols[value - 1]

    @property
    def dead(self) -> bool:
        """Whether the cell has no candidate; one of its fields may only lack its own."""
        left = self.candidates or (self.place and self.struck)
        return self.kind is CellKind.PENCIL and not left

    @property
    def fixed(self) -> CellLook:
        """The look without what changes."""
        return self._replace(
            kind=CellKind.EMPTY, value=0, tint=0, mark=StepMark.NONE, failed=0, heat=0,
            candidates=0, struck=0, tries=0,
        )  # fmt: skip


def packed(look: CellLook) -> int:
    """The number, below 2^63, of what changes in a look."""
    payload = look.value | look.tint << 5
    if look.kind is CellKind.GHOST:
        payload = look.value | look.heat << HEAT
    elif look.kind is CellKind.PENCIL:
        payload = look.candidates | look.struck << MAX_VALUES
    number = look.kind | look.mark << 3 | look.tries << 6 | look.failed << FAILED
    return number | payload << PAYLOAD


def unpacked(number: int, fixed: CellLook) -> CellLook:
    """The look with what changes from a number, and what never does from `fixed`."""
    kind = CellKind(number & 7)
    payload = (number & (1 << FAILED) - 1) >> PAYLOAD
    value = tint = heat = candidates = struck = 0
    if kind is CellKind.GHOST:
        value, heat = payload & 31, payload >> HEAT
    elif kind is CellKind.PENCIL:
        candidates, struck = payload & (1 << MAX_VALUES) - 1, payload >> MAX_VALUES
    else:
        value, tint = payload & 31, payload >> 5
    return fixed._replace(
        kind=kind,
        value=value,
        tint=tint,
        mark=StepMark(number >> 3 & 3),
        failed=number >> FAILED,
        heat=heat,
        candidates=candidates,
        struck=struck,
        tries=number >> 6 & 7,
    )
