"""Reads LZ-string in base64: the compression that puzzle links use.

The text is cut into phrases of a growing dictionary (Lempel and Ziv, 1978), and each phrase is
written as its number, in as many bits as the dictionary needs at that moment, least significant
bit first, six bits to a base64 character. Numbers 0 and 1 announce a new character, of 8 or 16
bits; number 2 ends the text. Characters are UTF-16 code units.

Source: the format of the JavaScript library lz-string by Pieroxy. The Python package of this name
loses characters beyond U+FFFF, and a small hostile text fills the memory.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from undoku.errors import PuzzleError

_ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
# The library has a second alphabet, which needs no escaping in links; both are read.
_DIGITS = {mark: f"{k:06b}" for k, mark in enumerate(_ALPHABET)} | {"-": "111111"}
_END = 2
_FIRST = 3  # the number of the first phrase
_MAX_UNITS = 1 << 18  # code units: a small text can decompress to an enormous one


def decompress(packed: str) -> str:
    """The decompressed text. Raises PuzzleError if `packed` is invalid, or the text is longer than
    262,144 characters."""
    bits = _bits(packed)
    phrases = [""] * _FIRST
    units: list[str] = []
    length = 0
    last = ""
    while (number := _take(bits, len(phrases).bit_length())) != _END:
        if number < _END:
            phrase = chr(_take(bits, 16 if number else 8))
            phrases.append(phrase)
        elif number < len(phrases):
            phrase = phrases[number]
        elif number == len(phrases) and last:
            phrase = last + last[0]
        else:
            raise _broken(f"there is no phrase {number}")
        units.append(phrase)
        length += len(phrase)
        if length > _MAX_UNITS:
            raise _broken(f"it grows to over {_MAX_UNITS:,} characters")
        if last:
            phrases.append(last + phrase[0])
        last = phrase
    return "".join(units).encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


def _bits(packed: str) -> Iterator[str]:
    """The bits of base64, "0" or "1" each, up to its padding."""
    for mark in packed:
        if mark in "=$":
            return
        if mark not in _DIGITS:
            raise _broken(f"{mark!r} is not base64")
        yield from _DIGITS[mark]


def _take(bits: Iterator[str], width: int) -> int:
    taken = "".join(islice(bits, width))
    if len(taken) < width:
        raise _broken("it ends too early")
    return int(taken[::-1], 2)


def _broken(reason: str) -> PuzzleError:
    return PuzzleError(
        f"its compressed text can't be read: {reason}", remedy="copy the whole link again"
    )
