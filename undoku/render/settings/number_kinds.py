"""The types of options with numbers: integers, rates, times."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar

from undoku.errors import SettingsError
from undoku.render.settings.kinds import OptionType
from undoku.render.settings.texts import parse_percentages, parse_seconds

__all__ = ["Margins", "Rate", "Seconds", "Whole"]

_HUGE = 10**18

_MAX_MARGIN = 40
"""The maximum percentage of a side, so that a board has room in the rest."""


@dataclass(frozen=True, repr=False)
class Whole(OptionType):
    """An integer from `least` to `most`, both included; with `zero`, also 0."""

    least: int = 0
    most: int | None = None
    zero: bool = False
    metavar: ClassVar[str] = "N"
    value_type: ClassVar[str] = "int"
    argument_type: ClassVar[str] = "int"

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
            shown = "the number" if isinstance(value, int) and abs(value) > _HUGE else repr(value)
            raise SettingsError(f"{name}: {shown} is not {self.called}")


@dataclass(frozen=True, repr=False)
class Rate(OptionType):
    """A rational number above 0, from `least` to `most`. `parse` reads it from a text; `unit` is
    its unit."""

    parse: Callable[[str], Fraction]
    unit: str
    least: Fraction | None = None
    most: Fraction | None = None
    metavar: ClassVar[str] = "N"
    value_type: ClassVar[str] = "Fraction"
    argument_type: ClassVar[str] = "str | float | Fraction"

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
class Seconds(OptionType):
    """A time of `least` to `most` seconds; a film of more than a day is a typing mistake."""

    least: Fraction = Fraction(0)
    most: Fraction | None = Fraction(24 * 3600)
    metavar: ClassVar[str] = "TIME"
    value_type: ClassVar[str] = "Fraction"
    argument_type: ClassVar[str] = "str | float | Fraction"

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
                remedy=f"take {float(self.least):g} s to 24 h" if self.most else "give 0 s or more",
            )

    def store(self, value: Fraction) -> str:
        return str(value)

    def restore(self, stored: Any) -> Fraction:
        return Fraction(stored)

    def as_argument(self, value: Fraction) -> str:
        return f"{float(value):g}s"


@dataclass(frozen=True, repr=False)
class Margins(OptionType):
    """Parts of a picture's width and height, in percent: on the left, at the top, on the right and
    at the bottom. One number sets all four; () means not set."""

    metavar: ClassVar[str] = "LIST"
    value_type: ClassVar[str] = "tuple[Fraction, ...]"
    argument_type: ClassVar[str] = "str | float | Sequence[float]"

    @property
    def called(self) -> str:
        return "one percentage or four"

    @property
    def schema(self) -> dict[str, Any]:
        one = {"type": "number", "minimum": 0, "maximum": _MAX_MARGIN}
        four = {"type": "array", "items": one, "minItems": 4, "maxItems": 4}
        return {"anyOf": [one, four, {"type": "string"}]}

    def takes(self, given: object) -> bool:
        if isinstance(given, str):
            return True
        return all(
            isinstance(one, int | float) and not isinstance(one, bool) and 0 <= one <= _MAX_MARGIN
            for one in (given if isinstance(given, list) and len(given) == 4 else [given])
        )

    def read(self, name: str, given: object) -> tuple[Fraction, ...]:
        if isinstance(given, str):
            found = parse_percentages(given)
        else:
            each = given if isinstance(given, Sequence) else [given]
            found = tuple(_number(name, one, Fraction) for one in each)
        found = found * 4 if len(found) == 1 else found
        self.check(name, found)
        return found

    def check(self, name: str, value: Any) -> None:
        if value == ():
            return
        if not (
            isinstance(value, tuple)
            and len(value) == 4
            and all(isinstance(one, int | Fraction) for one in value)
        ):
            raise SettingsError(
                f"{name}: {self._shown(value)} is not {self.called}",
                remedy='write "5" or "4,10,11,25": left, top, right, bottom',
            )
        if not all(0 <= one <= _MAX_MARGIN for one in value):
            raise SettingsError(
                f"{name}: {self.as_argument(value)} is out of range",
                remedy=f"take 0 to {_MAX_MARGIN} percent for each side",
            )

    def _shown(self, value: Any) -> str:
        numbers = isinstance(value, tuple) and all(isinstance(one, Fraction) for one in value)
        return self.as_argument(value) if numbers else repr(value)

    def store(self, value: tuple[Fraction, ...]) -> list[str]:
        return [str(one) for one in value]

    def restore(self, stored: Any) -> tuple[Fraction, ...]:
        return tuple(Fraction(one) for one in stored)

    def as_argument(self, value: tuple[Fraction, ...]) -> str:
        return ",".join(f"{float(one):g}" for one in value)


def _number(name: str, given: object, parse: Callable[[str], Fraction]) -> Fraction:
    """A Fraction from a number, or from a text by `parse`."""
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
