"""What a problem tells about its look: where its variables are, how a value shows, its nouns.

`undoku.render` draws and words every problem from this and from `Problem`, and knows nothing else
of it. Places are in fields: a field is a square of side 1 in a picture, (row, column) is its upper
left corner, rows run downwards.

    GRID     a variable is the square field at its place, a value a symbol in it
    FIELDS   a variable has `size` fields in reading order, such as a row of a chessboard; a value
             is a piece in the field of this number, and the free fields are the candidates
    REGIONS  a variable is the area of its fields, which need not be connected; a value colours it
    NODES    a variable is a disc around the centre of the field at its place, with the colour or
             the symbol of its value; lines join the cells that can clash (`Problem.edges`)

A value that is called "colour" is shown by a colour, with its symbol where colours are not enough;
any other value by its symbol.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple

SYMBOLS = "123456789ABCDEFGHIJKLMNOP"
"""The marks of the values 1, 2, … in text, whatever their names. Problems with nine values use only
digits."""


def symbols_of(values: Iterable[int]) -> str:
    """The symbols of values in one text, "." for 0, an empty cell."""
    return "".join(SYMBOLS[value - 1] if value else "." for value in values)


class Form(StrEnum):
    """How the variables of a problem are drawn: see the top of this file."""

    GRID = "grid"
    FIELDS = "fields"
    REGIONS = "regions"
    NODES = "nodes"


class Variable(NamedTuple):
    """The name of a variable, unique in its problem: "row 3", "NSW"; its (row, column) on a
    picture, where its symbol or its name stands: whole numbers except for NODES; and its fields,
    which are empty for NODES, and for GRID, where the place is the only one."""

    name: str
    place: tuple[float, float]
    fields: tuple[tuple[int, int], ...] = ()


@dataclass(frozen=True)
class Appearance:
    """How a problem is drawn and worded.

    `variable` and `value` are nouns in the singular, by which texts find their translation: "cell",
    "row", "region", "node" and "digit", "queen", "colour", "value"; another noun is used as it is.
    Kinds of units, such as "column", "diagonal", "border" and "edge", are nouns of the same sort.
    `names` has a name for each value, "red", "a"; it is empty if values have only symbols.
    `placed` is false if nobody chose the places of the variables: they are in rows, in the order of
    their numbers, and a picture may choose better ones. `texts` has a text for each variable, which
    it shows while it has no value, such as the letters of a word search; it may be empty.
    """

    form: Form = Form.GRID
    variable: str = "cell"
    value: str = "digit"
    names: tuple[str, ...] = ()
    placed: bool = True
    texts: tuple[str, ...] = ()

    @property
    def coloured(self) -> bool:
        """Whether a value is shown by a colour."""
        return self.value == "colour"

    def value_name(self, value: int) -> str:
        """The name of a value from 1, "red"; its symbol if it has no name."""
        return self.names[value - 1] if self.names else SYMBOLS[value - 1]
