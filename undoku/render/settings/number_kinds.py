"""The types of options with numbers: sizes, integers, rates, times; and how they are typed."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, cast

from undoku.errors import SettingsError
from undoku.render.settings.kinds import OptionType, json_type

_TIME_UNITS = {"h": 3600, "m": 60, "min": 60, "s": 1, "sec": 1, "": 1}
_BYTE_UNITS = {"": 1, "k": 10**3, "m": 10**6, "g": 10**9, "ki": 2**10, "mi": 2**20, "gi": 2**30}


def parse_size(text: str) -> tuple[int, int]:
    """(width, height) from "1280x720". Raises SettingsError."""
    match = re.fullmatch(r"\s*(\d{1,5})\s*[xX×]\s*(\d{1,5})\s*", text)
    if not match:
        raise SettingsError(
            f"{text!r} is not a valid size", remedy="write WIDTHxHEIGHT, as in 1280x720"
        )
    return int(match[1]), int(match[2])


def parse_seconds(text: str) -> Fraction:
    """Seconds from "20s", "1.5", "2m", "1m30s", "1:30". Raises SettingsError."""
    compact = text.strip().lower().replace(" ", "")
    if clock := re.fullmatch(r"(?:(\d{1,2}):)?(\d{1,3}):(\d{1,2}(?:\.\d{1,6})?)", compact):
        hours, minutes, seconds = clock.groups()
        return int(hours or 0) * 3600 + int(minutes) * 60 + Fraction(seconds)
    part = r"(\d{1,9}(?:\.\d{1,6})?)(h|min|m|sec|s|)"
    if compact and re.fullmatch(f"(?:{part})+", compact):
        return sum(
            (Fraction(number) * _TIME_UNITS[unit] for number, unit in re.findall(part, compact)),
            Fraction(0),
        )
    raise SettingsError(
        f"{text!r} is not a valid duration", remedy="write it as 20s, 1m30s or 1:30"
    )


def parse_fps(text: str) -> Fraction:
    """Frames per second from "60", "23.976" or "30000/1001". Raises SettingsError."""
    return _rational(text, 6, "a valid frame rate", "60 or 30000/1001")


def _rational(text: str, digits: int, what: str, examples: str) -> Fraction:
    """A decimal or a fraction of whole numbers, with at most so many `digits` in front."""
    if re.fullmatch(rf"\s*\d{{1,{digits}}}(\.\d{{1,6}}|/[1-9]\d{{0,5}})?\s*", text):
        return Fraction(text.strip())
    raise SettingsError(f"{text!r} is not {what}", remedy=f"write it as {examples}")


def parse_percentages(text: str) -> tuple[Fraction, ...]:
    """One number or four from "5" or "4,10.5,11,25". Raises SettingsError."""
    parts = [part.strip() for part in text.split(",")]
    if len(parts) in (1, 4) and all(re.fullmatch(r"\d{1,3}(\.\d{1,6})?", part) for part in parts):
        return tuple(map(Fraction, parts))
    raise SettingsError(
        f"{text!r} is not one percentage or four",
        remedy="write it as 5 or 4,10,11,25: left, top, right, bottom",
    )


def parse_steps(text: str) -> Fraction:
    """A number of steps from "12", "0.25" or "1/4". Raises SettingsError."""
    return _rational(text, 12, "a valid number of steps", "12 or 1/4")


def parse_bytes(text: str) -> int:
    """Bytes from "5MB" (5,000,000), "5MiB" (5 × 2^20) or "800k". Raises SettingsError."""
    match = re.fullmatch(r"\s*(\d{1,9}(?:\.\d{1,3})?)\s*([kmg]i?|)b?\s*", text.lower())
    if not match or not (size := int(Fraction(match[1]) * _BYTE_UNITS[match[2]])):
        raise SettingsError(f"{text!r} is not a valid file size", remedy="write it as 5MB or 800k")
    return size


def exact_number(stored: object) -> Fraction:
    """The number of a text that `str` makes of a Fraction, such as "1/4". Raises ValueError for any
    other value: an exponent would make a number of any length."""
    match = re.fullmatch(r"(-?\d{1,30})(?:/([1-9]\d{0,29}))?", str(stored)[:100], re.ASCII)
    if not match:
        raise ValueError("not a fraction")
    return Fraction(int(match[1]), int(match[2] or 1))


_HUGE = 10**18

_MAX_MARGIN = 40
"""The maximum percentage of a side, so that a board has room in the rest."""


class Size(OptionType):
    """Width and height in pixels. The layout checks the largest size."""

    called = 'a size, such as "1280x720"'
    metavar = "WxH"
    value_type = "int"
    argument_type = "str | Sequence[int]"

    def read(self, name: str, given: object) -> tuple[int, int]:
        if isinstance(given, str):
            return parse_size(given)
        self.check(name, given)
        width, height = cast(Sequence[int], given)
        return width, height

    def check(self, name: str, value: Any) -> None:
        pair = isinstance(value, Sequence) and len(value) == 2
        if not pair or not all(type(side) is int for side in value):
            raise SettingsError(
                f"{name}: {value!r} is not a valid size",
                remedy='write "1280x720" or (1280, 720)',
            )

    def as_argument(self, value: tuple[int, int]) -> str:
        return f"{value[0]}x{value[1]}"


class Bytes(OptionType):
    """The size of a file."""

    called = 'a number of bytes, such as "5MB"'
    metavar = "SIZE"
    value_type = "int"
    argument_type = "str | int"
    schema = json_type("integer", "string")

    def read(self, name: str, given: object) -> int:
        return parse_bytes(str(given))

    def valid(self, value: Any) -> bool:
        return type(value) is int and value >= 1


class Whole(OptionType):
    """An integer from `least` to `most`, both included; with `zero`, also 0. None is 2^63 - 1."""

    metavar = "N"
    value_type = "int"
    argument_type = "int"

    def __init__(self, least: int = 0, most: int | None = None, *, zero: bool = False) -> None:
        bounds = f"of {least} or more" if most is None else f"from {least} to {most}"
        self.called = f"{'0 or ' * zero}a whole number {bounds}"
        span = {"type": "integer", "minimum": least}
        if most is not None:
            span["maximum"] = most
        self.schema = {"anyOf": [{"const": 0}, span]} if zero else span

    def takes(self, given: Any) -> bool:
        return super().takes(given) and given < 1 << 63

    def read(self, name: str, given: object) -> int:
        number: Any = given
        if isinstance(given, str) and re.fullmatch(r"-?\d{1,15}", given, re.ASCII):
            number = int(given)
        self.check(name, number)
        return int(number)

    def check(self, name: str, value: Any) -> None:
        if not self.takes(value):
            # An int of thousands of digits can't be printed.
            shown = "the number" if isinstance(value, int) and abs(value) > _HUGE else repr(value)
            raise SettingsError(f"{name}: {shown} is not {self.called}")


class _Number(OptionType):
    """A rational number, exact in files; `parse` reads it from a text."""

    called = "a number"
    metavar = "N"
    value_type = "Fraction"
    argument_type = "str | float | Fraction"
    schema = json_type("number", "string")
    parse: Callable[[str], Fraction]

    def read(self, name: str, given: object) -> Fraction:
        return _number(name, given, self.parse)

    def valid(self, value: Any) -> bool:
        return isinstance(value, int | Fraction)

    def store(self, value: Fraction) -> str:
        return str(value)

    def restore(self, stored: Any) -> Fraction:
        return exact_number(stored)


@dataclass(frozen=True, repr=False)
class Rate(_Number):
    """A rational number above 0, from `least` to `most` if these are given. `parse` reads it from a
    text; `unit` is its unit."""

    parse: Callable[[str], Fraction]
    unit: str
    bounds: tuple[Fraction, Fraction] | None = None

    def check(self, name: str, value: Any) -> None:
        super().check(name, value)
        if self.bounds is None and value <= 0:
            raise SettingsError(f"{self.unit} must be more than 0, not {value}")
        least, most = self.bounds or (value, value)
        if not least <= value <= most:
            raise SettingsError(
                f"{value} {self.unit} is out of range",
                remedy=f"take {float(least):g} to {float(most):g}",
            )


@dataclass(frozen=True, repr=False)
class Seconds(_Number):
    """A time of `least` to `most` seconds; a film of more than a day is a typing mistake."""

    called = 'a time, such as "20s" or 1.5'
    metavar = "TIME"
    parse = staticmethod(parse_seconds)
    least: Fraction = Fraction(0)
    most: Fraction | None = Fraction(24 * 3600)

    def check(self, name: str, value: Any) -> None:
        super().check(name, value)
        if value < self.least or (self.most is not None and value > self.most):
            raise SettingsError(
                f"{name}: {float(value):g} seconds is out of range",
                remedy=f"take {float(self.least):g} s to 24 h" if self.most else "give 0 s or more",
            )

    def as_argument(self, value: Fraction) -> str:
        return f"{float(value):g}s"


class Margins(OptionType):
    """Parts of a picture's width and height, in percent: on the left, at the top, on the right and
    at the bottom. One number sets all four; () means not set."""

    called = "one percentage or four"
    metavar = "LIST"
    value_type = "tuple[Fraction, ...]"
    argument_type = "str | float | Sequence[float]"

    def __init__(self) -> None:
        one = {"type": "number", "minimum": 0, "maximum": _MAX_MARGIN}
        four = {"type": "array", "items": one, "minItems": 4, "maxItems": 4}
        self.schema = {"anyOf": [one, four, {"type": "string"}]}

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
        exact = isinstance(value, tuple) and all(isinstance(one, int | Fraction) for one in value)
        if not exact or len(value) not in (0, 4):
            shown = self.as_argument(value) if exact else repr(value)
            raise SettingsError(
                f"{name}: {shown} is not {self.called}",
                remedy='write "5" or "4,10,11,25": left, top, right, bottom',
            )
        if not all(0 <= one <= _MAX_MARGIN for one in value):
            raise SettingsError(
                f"{name}: {self.as_argument(value)} is out of range",
                remedy=f"take 0 to {_MAX_MARGIN} percent for each side",
            )

    def store(self, value: tuple[Fraction, ...]) -> list[str]:
        return [str(one) for one in value]

    def restore(self, stored: Any) -> tuple[Fraction, ...]:
        return tuple(map(exact_number, stored))

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
