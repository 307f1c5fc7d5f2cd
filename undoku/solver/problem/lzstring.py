"""LZ-string in base64: the compression that puzzle links use.

The text is cut into phrases of a growing dictionary (Lempel and Ziv, 1978), and each phrase is
written as its number, in as many bits as the dictionary needs at that moment, least significant
bit first, six bits to a base64 character. Numbers 0 and 1 announce a new character, of 8 or 16
bits; number 2 ends the text. Characters are UTF-16 code units.

Source: the format of the JavaScript library lz-string by Pieroxy.
"""

from __future__ import annotations

from collections.abc import Iterator

from undoku.errors import PuzzleError

__all__ = ["compress", "decompress"]

_ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
# The library has a second alphabet, which needs no escaping in links; both are read.
_DIGITS = {mark: k for k, mark in enumerate(_ALPHABET)} | {"-": 63}
_PADDING = "=$"
_NEW_BYTE, _NEW_WIDE, _END, _FIRST = range(4)
_MAX_UNITS = 1 << 18  # code units: a small text can decompress to an enormous one


def compress(text: str) -> str:
    """`text` compressed, as base64."""
    units = _units(text)
    numbers: dict[tuple[int, int], int] = {}  # (number of a phrase, next unit) -> longer phrase
    singles: dict[int, int] = {}
    bits: list[int] = []
    size, room, width = _FIRST, 2, 2  # room: phrases until the numbers need another bit

    def spend() -> None:
        nonlocal room, width
        room -= 1
        if not room:
            room = 1 << width
            width += 1

    phrase = -1
    fresh: set[int] = set()  # characters that occurred, but are not written yet

    def emit() -> None:
        unit = character.get(phrase)
        if unit is not None and unit in fresh:
            wide = unit > 0xFF
            _push(bits, _NEW_WIDE if wide else _NEW_BYTE, width)
            _push(bits, unit, 16 if wide else 8)
            fresh.remove(unit)
            spend()
        else:
            _push(bits, phrase, width)
        spend()

    character: dict[int, int] = {}  # the number of a one-character phrase -> that character
    for unit in units:
        if unit not in singles:
            singles[unit] = size
            character[size] = unit
            fresh.add(unit)
            size += 1
        if phrase < 0:
            phrase = singles[unit]
        elif (phrase, unit) in numbers:
            phrase = numbers[phrase, unit]
        else:
            emit()
            numbers[phrase, unit] = size
            size += 1
            phrase = singles[unit]
    if phrase >= 0:
        emit()
    _push(bits, _END, width)
    bits += [0] * (6 - len(bits) % 6)  # one more character if the bits fill the last one
    sixes = (bits[k : k + 6] for k in range(0, len(bits), 6))
    written = "".join(_ALPHABET[int("".join(map(str, six)), 2)] for six in sixes)
    return written + "=" * (-len(written) % 4)


def decompress(packed: str) -> str:
    """The decompressed text. Raises PuzzleError if `packed` is invalid, or the text is longer than
    262,144 characters."""
    bits = _bits(packed)
    phrases: list[list[int] | None] = [None] * _FIRST
    units: list[int] = []
    last: list[int] = []
    room, width = 1, 2
    while True:
        number = _take(bits, width)
        if number == _END:
            return _text(units)
        if number in (_NEW_BYTE, _NEW_WIDE):
            phrase = [_take(bits, 16 if number else 8)]
            phrases.append(phrase)
            if last:
                room -= 1
                if not room:
                    room = 1 << width
                    width += 1
        elif number < len(phrases) and (known := phrases[number]) is not None:
            phrase = known
        elif number == len(phrases) and last:
            phrase = [*last, last[0]]
        else:
            raise _broken(f"there is no phrase {number}")
        units += phrase
        if len(units) > _MAX_UNITS:
            raise _broken(f"it grows to over {_MAX_UNITS:,} characters")
        if last:
            phrases.append([*last, phrase[0]])
        last = phrase
        room -= 1
        if not room:
            room = 1 << width
            width += 1


def _units(text: str) -> Iterator[int]:
    raw = text.encode("utf-16-le", "surrogatepass")
    return (raw[k] | raw[k + 1] << 8 for k in range(0, len(raw), 2))


def _text(units: list[int]) -> str:
    raw = b"".join(unit.to_bytes(2, "little") for unit in units)
    return raw.decode("utf-16-le", "replace")


def _push(bits: list[int], number: int, width: int) -> None:
    bits.extend(number >> k & 1 for k in range(width))


def _bits(packed: str) -> Iterator[int]:
    for mark in packed:
        if mark in _PADDING:
            return
        if mark not in _DIGITS:
            raise _broken(f"{mark!r} is not base64")
        digit = _DIGITS[mark]
        yield from (digit >> k & 1 for k in range(5, -1, -1))


def _take(bits: Iterator[int], width: int) -> int:
    number = 0
    for k in range(width):
        bit = next(bits, None)
        if bit is None:
            raise _broken("it ends too early")
        number |= bit << k
    return number


def _broken(reason: str) -> PuzzleError:
    return PuzzleError(
        f"its compressed text can't be read: {reason}", remedy="copy the whole link again"
    )
