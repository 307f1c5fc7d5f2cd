"""Values as typed on the command line: durations, sizes, rates."""

from __future__ import annotations

import re
from fractions import Fraction

from undoku.errors import SettingsError

__all__ = [
    "parse_bytes",
    "parse_fps",
    "parse_percentages",
    "parse_seconds",
    "parse_size",
    "parse_steps",
]

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
    if re.fullmatch(r"\s*\d{1,6}(\.\d{1,6}|/[1-9]\d{0,5})?\s*", text):
        return Fraction(text.strip())
    raise SettingsError(
        f"{text!r} is not a valid frame rate", remedy="write it as 60 or 30000/1001"
    )


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
    if re.fullmatch(r"\s*\d{1,12}(\.\d{1,6}|/[1-9]\d{0,5})?\s*", text):
        return Fraction(text.strip())
    raise SettingsError(f"{text!r} is not a valid number of steps", remedy="write it as 12 or 1/4")


def parse_bytes(text: str) -> int:
    """Bytes from "5MB" (5,000,000), "5MiB" (5 × 2^20) or "800k". Raises SettingsError."""
    match = re.fullmatch(r"\s*(\d{1,9}(?:\.\d{1,3})?)\s*([kmg]i?|)b?\s*", text.lower())
    if not match or not (size := int(Fraction(match[1]) * _BYTE_UNITS[match[2]])):
        raise SettingsError(f"{text!r} is not a valid file size", remedy="write it as 5MB or 800k")
    return size
