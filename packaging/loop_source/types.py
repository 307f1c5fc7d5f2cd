"""The types of values in loops."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

_ELEMENTS = {
    "U8": "uchar", "I8": "schar", "U16": "ushort", "I16": "short", "U32": "uint", "I32": "int",
    "U64": "ulonglong", "I64": "longlong", "F32": "float", "F64": "double",
}  # fmt: skip
"""The names of element types in annotations, as in U8 or I64_2D, and in Cython."""
_ARRAY = re.compile(rf"(Read)?({'|'.join(_ELEMENTS)})(?:_([2-4])D)?")

CASTS = {"int32": "int", "uint32": "uint", "uint64": "ulonglong", "int64": "longlong"}
"""numpy's names of types to which a loop may convert a number, and Cython's."""

_WIDENED = {"uchar", "schar", "ushort", "short", "uint", "int"}


@dataclass(frozen=True)
class Type:
    """A type: a number of Cython (`name`), an array of it (`dims` > 0), a group (a NamedTuple, with
    its module and name), or a tuple of `parts`."""

    name: str
    dims: int = 0
    group: tuple[str, str] | None = None
    parts: tuple[Type, ...] = ()
    constant: bool = False  # of an array that is only read
    literal: bool = False  # of a constant, which takes the type of what it is combined with

    @property
    def written(self) -> str:
        """In Cython."""
        if self.parts:
            return f"tuple[{', '.join(part.written for part in self.parts)}]"
        if self.group:
            return self.name
        if not self.dims:
            return f"cython.{self.name}"
        element = f"cython.const[cython.{self.name}]" if self.constant else f"cython.{self.name}"
        return f"{element}[{', '.join([':'] * (self.dims - 1) + ['::1'])}]"

    @property
    def whole(self) -> Type:
        """The same type of a value that is no literal."""
        return replace(self, literal=False)


LONG, BOOL, DOUBLE = Type("longlong"), Type("bint"), Type("double")
OBJECT, NOTHING = Type("object"), Type("void")


def array_type(name: str) -> Type | None:
    """The type of an array by its name in annotations, None if it is none."""
    match = _ARRAY.fullmatch(name)
    if match is None:
        return None
    return Type(_ELEMENTS[match[2]], int(match[3] or 1), constant=bool(match[1]))


def element_type(kind: Type, number: Type) -> Type:
    """The type as which an element of an array is computed with; `number` is that of integers."""
    if kind.name == "float":
        return DOUBLE
    return number if kind.name in _WIDENED else Type(kind.name)


def common_type(one: Type, other: Type, number: Type) -> Type:
    """The type of a name that holds values of both types."""
    if one.dims or one.group or one.parts or one == other:
        return one
    if DOUBLE.name in (one.name, other.name):
        return DOUBLE
    if one.literal != other.literal:
        literal, known = (one, other) if one.literal else (other, one)
        return number if known == BOOL else known if literal.name != "bint" else number
    if one.name == other.name:
        return replace(one, literal=one.literal and other.literal)
    if "ulonglong" in (one.name, other.name):
        return Type("ulonglong")
    return number
