"""Bits of a NAL unit, and the code words of CAVLC: ITU-T H.264, clauses 7.3.1, 7.2, 9.1 and 9.2.

The code words are those of the writer's tables, for which foreign decoders vouch; nothing else of
the writer is used.
"""

from __future__ import annotations

from undoku.h264.cavlc import (
    CBP_INTER,
    CBP_INTRA,
    RUN_BITS,
    RUN_LENGTH,
    TOKEN_BITS,
    TOKEN_LENGTH,
    ZEROS_BITS,
    ZEROS_CHROMA_BITS,
    ZEROS_CHROMA_LENGTH,
    ZEROS_LENGTH,
)

__all__ = [
    "PATTERN_INTER",
    "PATTERN_INTRA",
    "RUNS",
    "TOKENS",
    "ZEROS",
    "ZEROS_CHROMA",
    "Bits",
    "Table",
]

Table = dict[str, int]


def _codes(lengths: list[int], bits: list[int], entries: list[int]) -> Table:
    return {f"{bits[n]:0{lengths[n]}b}": n for n in entries}


def _inverse(codes: list[int]) -> list[int]:
    return [codes.index(number) for number in range(48)]


TOKENS = [
    _codes(
        TOKEN_LENGTH[kind].tolist(),
        TOKEN_BITS[kind].tolist(),
        [4 * n + t for n in range(5 if kind == 4 else 17) for t in range(min(n, 3) + 1)],
    )
    for kind in range(5)
]
"""coeff_token, table 9-5: 4 × TotalCoeff + TrailingOnes; the last is for chroma DC."""
ZEROS = [
    _codes(ZEROS_LENGTH[n].tolist(), ZEROS_BITS[n].tolist(), list(range(16 - n))) for n in range(15)
]
ZEROS_CHROMA = [
    _codes(ZEROS_CHROMA_LENGTH[n].tolist(), ZEROS_CHROMA_BITS[n].tolist(), list(range(4 - n)))
    for n in range(3)
]
RUNS = [
    _codes(RUN_LENGTH[n].tolist(), RUN_BITS[n].tolist(), list(range(n + 2 if n < 6 else 15)))
    for n in range(7)
]
PATTERN_INTER = _inverse(CBP_INTER.tolist())
PATTERN_INTRA = _inverse(CBP_INTRA.tolist())


class Bits:
    """Reads the RBSP of a NAL unit; fails where emulation prevention or the trailing bits are
    wrong."""

    def __init__(self, unit: bytes) -> None:
        assert unit[0] & 0x80 == 0
        for forbidden in (b"\0\0\0", b"\0\0\1", b"\0\0\2"):
            assert forbidden not in unit
        payload = unit[1:].replace(b"\0\0\3", b"\0\0")
        self.text = f"{int.from_bytes(payload):0{8 * len(payload)}b}"
        self.end = self.text.rindex("1")  # where rbsp_trailing_bits begin
        assert len(self.text) - self.end <= 8
        self.at = 0

    def u(self, count: int) -> int:
        assert self.at + count <= len(self.text)
        value = int(self.text[self.at : self.at + count] or "0", 2)
        self.at += count
        return value

    def ue(self) -> int:
        zeros = self.text.index("1", self.at) - self.at
        self.at += zeros
        return self.u(zeros + 1) - 1

    def se(self) -> int:
        number = self.ue()
        return (number + 1) // 2 if number % 2 else -number // 2

    def te(self, most: int) -> int:
        """te(v) of a number that is at most `most`."""
        if most == 0:
            return 0
        number = 1 - self.u(1) if most == 1 else self.ue()
        assert number <= most
        return number

    def code(self, table: Table) -> int:
        for length in range(1, 17):
            word = self.text[self.at : self.at + length]
            if word in table:
                self.at += length
                return table[word]
        raise AssertionError(f"no code at bit {self.at}")

    @property
    def more(self) -> bool:
        """more_rbsp_data()."""
        return self.at < self.end
