"""The types of values in loops."""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace

_ELEMENTS = {
    "U8": "uchar", "I8": "schar", "U16": "ushort", "I16": "short", "U32": "uint", "I32": "int",
    "U64": "ulonglong", "I64": "longlong", "F32": "float", "F64": "double",
}  # fmt: skip
"""The names of element types in annotations, as in U8 or I64_2D, and in Cython."""
_ARRAY = re.compile(rf"(Read)?({'|'.join(_ELEMENTS)})(?:_([2-4])D)?")
_LETTERS = {"U": "BHILQ", "I": "bhilq", "F": "fd"}

CASTS = {"int32": "int", "uint32": "uint", "uint64": "ulonglong", "int64": "longlong"}
"""numpy's names of types to which a loop may convert a number, and Cython's."""

_IN_C = {
    "uchar": "unsigned char", "schar": "signed char", "ushort": "unsigned short",
    "uint": "unsigned int", "ulonglong": "unsigned long long", "longlong": "long long",
    "p_void": "void *",
}  # fmt: skip
"""The names of types in C, where they differ."""

_WIDENED = {"uchar", "schar", "ushort", "short", "uint", "int"}


@dataclass(frozen=True)
class Type:
    """A type: a number of Cython (`name`), an array of it (`dims` > 0), a group (a NamedTuple, with
    its module and name), or a tuple of `parts`."""

    name: str
    dims: int = 0
    group: tuple[str, str] | None = None
    parts: tuple[Type, ...] = ()
    constant: bool = field(default=False, compare=False)  # of an array that may be read-only
    literal: bool = False  # of a constant, which takes the type of what it is combined with

    @property
    def element(self) -> str:
        """The name of the type of an array's elements in annotations."""
        return next(name for name, written in _ELEMENTS.items() if written == self.name)

    @property
    def struct(self) -> str:
        """The name of the C structure of an array or a group."""
        if self.group:
            return self.name
        return f"{self.element}_{self.dims}D" if self.dims > 1 else self.element

    @property
    def written(self) -> str:
        """In Cython."""
        if self.parts:
            return f"tuple[{', '.join(part.written for part in self.parts)}]"
        if self.group:
            return f"cython.pointer[{self.name}]"
        return self.struct if self.dims else f"cython.{self.name}"

    @property
    def in_c(self) -> str:
        """In a C structure."""
        if self.group or self.dims:
            return self.struct
        return _IN_C.get(self.name, self.name)

    @property
    def buffer(self) -> str:
        """How the buffer protocol names an array of this type: the letters of elements of this
        kind, their bytes, the number of dimensions."""
        letters, bits = _LETTERS[self.element[0]], int(self.element[1:])
        return f'b"{letters}", {bits // 8}, {self.dims}'

    @property
    def whole(self) -> Type:
        """The same type of a value that is no literal."""
        return replace(self, literal=False)


LONG, BOOL, DOUBLE = Type("longlong"), Type("bint"), Type("double")
OBJECT, NOTHING = Type("p_void"), Type("void")


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
