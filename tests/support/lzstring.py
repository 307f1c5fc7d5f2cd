"""Writes LZ-string in base64, as other programs do, for links of puzzles."""

from __future__ import annotations

_ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
_END, _FIRST = 2, 3


def compress(text: str) -> str:
    """`text` compressed, as base64."""
    raw = text.encode("utf-16-le", "surrogatepass")
    units = [chr(raw[k] | raw[k + 1] << 8) for k in range(0, len(raw), 2)]
    numbers: dict[str, int] = {}
    fresh: set[str] = set()  # characters that occurred, but are not written yet
    bits: list[str] = []
    written = 2  # phrases and characters, and the two numbers that announce characters

    def write(number: int, width: int) -> None:
        bits.append(f"{number:0{width}b}"[::-1])

    phrase = ""
    for unit in [*units, ""]:
        if unit and unit not in numbers:
            numbers[unit] = _FIRST + len(numbers)
            fresh.add(unit)
        if unit and phrase + unit in numbers:
            phrase += unit
            continue
        if phrase in fresh:
            wide = phrase > "\xff"
            write(int(wide), written.bit_length())
            write(ord(phrase), 16 if wide else 8)
            fresh.remove(phrase)
            written += 2
        elif phrase:
            write(numbers[phrase], written.bit_length())
            written += 1
        numbers.setdefault(phrase + unit, _FIRST + len(numbers))
        phrase = unit
    write(_END, written.bit_length())
    whole = "".join(bits)
    whole += "0" * (6 - len(whole) % 6)  # one more character if the bits fill the last one
    packed = "".join(_ALPHABET[int(whole[k : k + 6], 2)] for k in range(0, len(whole), 6))
    return packed + "=" * (-len(packed) % 4)
