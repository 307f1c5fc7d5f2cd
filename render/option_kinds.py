"""What options take: texts, numbers, times, sizes, names; read from what people type, from TOML and
from Python.

A value has three forms: what is **given** (a text of the command line, or a value of TOML or
Python), the **value** that a film is made with, and what is **stored** of it in JSON.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar

from render.option_texts import parse_bytes, parse_seconds, parse_size
from solver.errors import SettingsError

__all__ = [
    "Bytes",
    "Choice",
    "Flag",
    "Kind",
    "Names",
    "Rate",
    "Seconds",
    "Size",
    "Text",
    "Whole",
]

_HUGE = 10**18


class Kind:
    """What an option takes; the base of all kinds. Messages begin with the option's `name`."""

    metavar: ClassVar[str] = "TEXT"
    """What help calls the value."""

    @property
    def called(self) -> str:
        """What a person calls it, as a part of a sentence."""
        return "a text"

    @property
    def schema(self) -> dict[str, Any]:
        """The JSON Schema of what may stand in a manifest."""
        return {"type": "string"}

    @property
    def choices(self) -> tuple[str, ...]:
        """All texts that it may be; () where that is no list."""
        return ()

    def takes(self, given: object) -> bool:
        """Whether a value read from TOML is of this kind; `read` says whether it is a good one."""
        return isinstance(given, str)

    def read(self, name: str, given: object) -> Any:
        """The value, from what is given. Raises SettingsError."""
        if isinstance(given, str):
            return given
        raise SettingsError(f"{name}: {given!r} is not {self.called}")

    def check(self, name: str, value: Any) -> None:
        """Raises SettingsError for a value out of range or of another type."""
        if not isinstance(value, str):
            raise SettingsError(f"{name}: {value!r} is not {self.called}")

    def store(self, value: Any) -> Any:
        """The value as JSON holds it, exactly."""
        return value

    def restore(self, stored: Any) -> Any:
        """The value from what `store` made of it. Raises ValueError, TypeError."""
        return stored

    def told(self, value: Any) -> str:
        """The value as a person would type it."""
        return str(value)

    def __repr__(self) -> str:
        return f"<{self.called}>"


class Text(Kind):
    """Any text."""


class Flag(Kind):
    """Yes or no."""

    metavar: ClassVar[str] = ""

    @property
    def called(self) -> str:
        return "true or false"

    @property
    def schema(self) -> dict[str, Any]:
        return {"type": "boolean"}

    def takes(self, given: object) -> bool:
        return isinstance(given, bool)

    def read(self, name: str, given: object) -> bool:
        self.check(name, given)
        return bool(given)

    def check(self, name: str, value: Any) -> None:
        if not isinstance(value, bool):
            raise SettingsError(f"{name}: {value!r} is not {self.called}")


@dataclass(frozen=True, repr=False)
class Choice(Kind):
    """One of some names. `value` makes of the name what a film is made with."""

    names: tuple[str, ...]
    value: Callable[[str], Any] = str

    @property
    def schema(self) -> dict[str, Any]:
        return {"type": "string", "enum": list(self.names)}

    @property
    def choices(self) -> tuple[str, ...]:
        return self.names

    def read(self, name: str, given: object) -> Any:
        self.check(name, given)
        return self.value(str(given))

    def check(self, name: str, value: Any) -> None:
        if value not in self.names:
            raise SettingsError(
                f"there is no {name} {value!r}", remedy=f"known: {', '.join(self.names)}"
            )

    def restore(self, stored: Any) -> Any:
        return self.value(stored)


@dataclass(frozen=True, repr=False)
class Whole(Kind):
    """A whole number from `least` to `most`, both included; with `zero`, 0 too."""

    least: int = 0
    most: int | None = None
    zero: bool = False
    metavar: ClassVar[str] = "N"

    @property
    def called(self) -> str:
        zero = "0 or " if self.zero else ""
        if self.most is None:
            return f"{zero}a whole number of {self.least} or more"
        return f"{zero}a whole number from {self.least} to {self.most}"

    @property
    def schema(self) -> dict[str, Any]:
        found: dict[str, Any] = {"type": "integer", "minimum": self.least}
        if self.most is not None:
            found["maximum"] = self.most
        return {"anyOf": [{"const": 0}, found]} if self.zero else found

    def takes(self, given: object) -> bool:
        if type(given) is not int:
            return False
        most = given if self.most is None else self.most
        return (self.zero and given == 0) or self.least <= given <= most

    def read(self, name: str, given: object) -> int:
        number = given
        if isinstance(given, str) and given.isascii() and given.isdigit() and len(given) < 16:
            number = int(given)
        self.check(name, number)
        assert isinstance(number, int)
        return number

    def check(self, name: str, value: Any) -> None:
        if not self.takes(value):
            # An int of thousands of digits can't be printed.
            told = "the number" if isinstance(value, int) and abs(value) > _HUGE else repr(value)
            raise SettingsError(f"{name}: {told} is not {self.called}")


@dataclass(frozen=True, repr=False)
class Rate(Kind):
    """A rational number above 0, from `least` to `most`. `parse` reads it from a text; `unit` is
    what is counted."""

    parse: Callable[[str], Fraction]
    unit: str
    least: Fraction | None = None
    most: Fraction | None = None
    metavar: ClassVar[str] = "N"

    @property
    def called(self) -> str:
        return "a number"

    @property
    def schema(self) -> dict[str, Any]:
        return {"type": ["number", "string"]}

    def takes(self, given: object) -> bool:
        return isinstance(given, int | float | str) and not isinstance(given, bool)

    def read(self, name: str, given: object) -> Fraction:
        return _number(name, given, self.parse)

    def check(self, name: str, value: Any) -> None:
        if not isinstance(value, int | Fraction):
            raise SettingsError(f"{name}: {value!r} is not {self.called}")
        if value <= 0 and self.least is None:
            raise SettingsError(f"{value} {self.unit} never end", remedy="give more than 0")
        if (self.least is not None and value < self.least) or (
            self.most is not None and value > self.most
        ):
            raise SettingsError(
                f"{value} {self.unit} is out of range", remedy=f"take {self._range}"
            )

    @property
    def _range(self) -> str:
        return f"{float(self.least or 0):g} to {float(self.most or _HUGE):g}"

    def store(self, value: Fraction) -> str:
        return str(value)

    def restore(self, stored: Any) -> Fraction:
        return Fraction(stored)


@dataclass(frozen=True, repr=False)
class Seconds(Kind):
    """A time of `least` to `most` seconds: a film of more than a day is a slip of the finger."""

    least: Fraction = Fraction(0)
    most: Fraction | None = Fraction(24 * 3600)
    metavar: ClassVar[str] = "TIME"

    @property
    def called(self) -> str:
        return 'a time, such as "20s" or 1.5'

    @property
    def schema(self) -> dict[str, Any]:
        return {"type": ["number", "string"]}

    def takes(self, given: object) -> bool:
        return isinstance(given, int | float | str) and not isinstance(given, bool)

    def read(self, name: str, given: object) -> Fraction:
        return _number(name, given, parse_seconds)

    def check(self, name: str, value: Any) -> None:
        if not isinstance(value, int | Fraction):
            raise SettingsError(f"{name}: {value!r} is not {self.called}")
        if value < self.least or (self.most is not None and value > self.most):
            raise SettingsError(
                f"{name}: {float(value):g} seconds is out of range",
                remedy=f"take {float(self.least):g} s to 24 h" if self.most else "take 0 s or more",
            )

    def store(self, value: Fraction) -> str:
        return str(value)

    def restore(self, stored: Any) -> Fraction:
        return Fraction(stored)

    def told(self, value: Fraction) -> str:
        return f"{float(value):g}s"


class Size(Kind):
    """Width and height in pixels. How large a picture may be is for the layout to say."""

    metavar: ClassVar[str] = "WxH"

    @property
    def called(self) -> str:
        return 'a size, such as "1280x720"'

    def read(self, name: str, given: object) -> tuple[int, int]:
        if isinstance(given, str):
            return parse_size(given)
        self.check(name, given)
        assert isinstance(given, Sequence)
        return given[0], given[1]

    def check(self, name: str, value: Any) -> None:
        pair = isinstance(value, Sequence) and len(value) == 2
        if not pair or not all(type(side) is int for side in value):
            raise SettingsError(
                f"{name}: {value!r} is not a valid size",
                remedy='write "1280x720" or (1280, 720)',
            )

    def told(self, value: tuple[int, int]) -> str:
        return f"{value[0]}x{value[1]}"


class Bytes(Kind):
    """The size of a file."""

    metavar: ClassVar[str] = "SIZE"

    @property
    def called(self) -> str:
        return 'a number of bytes, such as "5MB"'

    @property
    def schema(self) -> dict[str, Any]:
        return {"type": ["integer", "string"]}

    def takes(self, given: object) -> bool:
        return isinstance(given, str) or type(given) is int

    def read(self, name: str, given: object) -> int:
        return parse_bytes(str(given))

    def check(self, name: str, value: Any) -> None:
        if type(value) is not int or value < 1:
            raise SettingsError(f"{name}: {value!r} is not {self.called}")


@dataclass(frozen=True, repr=False)
class Names(Kind):
    """Names, one or several: a list, or one text with commas between them. `known` are all that
    there are, where that is known beforehand."""

    known: tuple[str, ...] = ()
    metavar: ClassVar[str] = "LIST"

    @property
    def called(self) -> str:
        return "a text or a list of texts"

    @property
    def schema(self) -> dict[str, Any]:
        one: dict[str, Any] = {"enum": list(self.known)} if self.known else {"type": "string"}
        return {"anyOf": [one, {"type": "array", "items": one, "minItems": 1}]}

    @property
    def choices(self) -> tuple[str, ...]:
        return self.known

    def takes(self, given: object) -> bool:
        if isinstance(given, str):
            return True
        return isinstance(given, list) and bool(given) and all(isinstance(n, str) for n in given)

    def read(self, name: str, given: object) -> tuple[str, ...]:
        names = given.split(",") if isinstance(given, str) else given
        if isinstance(names, Sequence) and all(isinstance(one, str) for one in names):
            return tuple(one.strip() for one in names if one.strip())
        raise SettingsError(
            f"{name}: {given!r} is not {self.called}", remedy='write "board,counters,depth"'
        )

    def check(self, name: str, value: Any) -> None:
        if not isinstance(value, tuple) or not all(isinstance(one, str) for one in value):
            raise SettingsError(f"{name}: {value!r} is not {self.called}")

    def store(self, value: tuple[str, ...]) -> list[str]:
        return list(value)

    def restore(self, stored: Any) -> tuple[str, ...]:
        return tuple(stored)

    def told(self, value: tuple[str, ...]) -> str:
        return ",".join(value)


def _number(name: str, given: object, parse: Callable[[str], Fraction]) -> Fraction:
    """A Fraction from a number as it stands, or from a text by `parse`."""
    if isinstance(given, str):
        return parse(given)
    if isinstance(given, bool) or not isinstance(given, int | float | Fraction):
        raise SettingsError(f"{name}: {given!r} is not a valid number")
    # The bound comes first: an int of thousands of digits is neither a float nor printable.
    if -_HUGE < given < _HUGE:
        # A float such as 23.976 means its decimal digits, not the binary number next to them.
        return Fraction(str(given)) if isinstance(given, float) else Fraction(given)
    if isinstance(given, int):
        raise SettingsError(f"{name}: a number of {given.bit_length()} bits is too large")
    raise SettingsError(f"{name}: {given!r} is not a valid number")
