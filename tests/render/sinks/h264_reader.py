"""Reads H.264 streams of one slice a picture, Constrained Baseline, down to every macroblock.

Shares the code tables with the writer (two foreign decoders vouch for those), and nothing else.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from render.sinks.h264.tables import (
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


class Bits:
    """Reads the RBSP of a NAL unit."""

    def __init__(self, unit: bytes) -> None:
        assert unit[0] & 0x80 == 0
        for index in range(len(unit) - 2):
            assert unit[index : index + 3] not in (b"\0\0\0", b"\0\0\1", b"\0\0\2")
        payload = bytearray()
        zeros = 0
        for byte in unit[1:]:
            if zeros >= 2 and byte == 3:
                zeros = 0
                continue
            payload.append(byte)
            zeros = zeros + 1 if byte == 0 else 0
        self.text = "".join(f"{byte:08b}" for byte in payload)
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

    def code(self, table: dict[str, int]) -> int:
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


def _codes(lengths: list[int], bits: list[int], entries: list[int]) -> dict[str, int]:
    return {f"{bits[n]:0{lengths[n]}b}": n for n in entries}


_TOKENS = [
    _codes(
        TOKEN_LENGTH[kind].tolist(),
        TOKEN_BITS[kind].tolist(),
        [4 * n + t for n in range(5 if kind == 4 else 17) for t in range(min(n, 3) + 1)],
    )
    for kind in range(5)
]
_ZEROS = [
    _codes(ZEROS_LENGTH[n].tolist(), ZEROS_BITS[n].tolist(), list(range(16 - n))) for n in range(15)
]
_ZEROS_CHROMA = [
    _codes(ZEROS_CHROMA_LENGTH[n].tolist(), ZEROS_CHROMA_BITS[n].tolist(), list(range(4 - n)))
    for n in range(3)
]
_RUNS = [
    _codes(RUN_LENGTH[n].tolist(), RUN_BITS[n].tolist(), list(range(n + 2 if n < 6 else 15)))
    for n in range(7)
]


@dataclass
class Sequence:
    """A sequence parameter set, as far as it may differ."""

    profile: tuple[int, int]
    level: int
    width: int
    height: int
    visible: tuple[int, int]
    ticks: tuple[int, int]


def read_sequence(unit: bytes) -> Sequence:
    bits = Bits(unit)
    assert unit[0] == 0x67
    profile = bits.u(8), bits.u(8)
    level = bits.u(8)
    assert [bits.ue() for _ in range(4)] == [0, 0, 2, 1]  # id, frame_num bits, POC type, references
    assert bits.u(1) == 0
    width, height = bits.ue() + 1, bits.ue() + 1
    assert bits.u(2) == 0b11
    assert bits.u(1) == 1
    left, right, top, bottom = (bits.ue() for _ in range(4))
    assert left == top == 0
    assert bits.u(1) == 1  # VUI
    assert (bits.u(1), bits.u(8), bits.u(1)) == (1, 1, 0)
    assert (bits.u(1), bits.u(3), bits.u(1), bits.u(1)) == (1, 5, 0, 1)
    assert [bits.u(8) for _ in range(3)] == [1, 1, 1]
    assert (bits.u(1), bits.ue(), bits.ue(), bits.u(1)) == (1, 1, 1, 1)
    ticks = bits.u(32), bits.u(32)
    assert (bits.u(4), bits.u(1), bits.u(1)) == (0, 1, 0)
    assert [bits.ue() for _ in range(6)] == [0, 0, 13, 11, 0, 1]
    assert not bits.more
    visible = 16 * width - 2 * right, 16 * height - 2 * bottom
    return Sequence(profile, level, width, height, visible, ticks)


def read_qp(unit: bytes) -> int:
    """pic_init_qp of a picture parameter set."""
    bits = Bits(unit)
    assert unit[0] == 0x68
    assert (bits.ue(), bits.ue(), bits.u(2)) == (0, 0, 0)
    assert (bits.ue(), bits.ue(), bits.ue(), bits.u(3)) == (0, 1, 0, 0)
    qp = 26 + bits.se()
    assert (bits.se(), bits.se(), bits.u(3)) == (0, 0, 0b100)
    assert not bits.more
    return qp


@dataclass
class Slice:
    """A picture: its header, and of each macroblock the kind ("skip", "copy", "residual", "intra4",
    "intra16", "raw"), the motion vector in quarter samples, and its bits."""

    key: bool
    frame_num: int
    idr: int
    kinds: list[str] = field(default_factory=list)
    vectors: list[tuple[int, int] | None] = field(default_factory=list)
    references: list[int] = field(default_factory=list)
    lengths: list[int] = field(default_factory=list)


class _Reader:
    def __init__(self, unit: bytes, width: int, height: int) -> None:
        self.bits = Bits(unit)
        self.width, self.count = width, width * height
        self.key = unit[0] == 0x65
        assert self.key or unit[0] == 0x41
        self.totals: list[dict[tuple[int, int, int], int]] = []

    def read(self) -> Slice:
        bits = self.bits
        assert bits.ue() == 0
        assert bits.ue() == (2 if self.key else 0)
        assert bits.ue() == 0
        found = Slice(self.key, bits.u(4), bits.ue() if self.key else 0)
        if self.key:
            assert bits.u(2) == 0
        else:
            # No override, the picture before named twice, sliding window marking.
            assert bits.u(2) == 0b01
            assert [bits.ue() for _ in range(5)] == [0, 0, 0, 15, 3]
            assert bits.u(1) == 0
        assert (bits.se(), bits.ue()) == (0, 1)  # the QP of the parameter set, no deblocking
        self.found = found
        while bits.more:
            if not self.key:
                for _ in range(bits.ue()):
                    self._add("skip", self._skipped(), bits.at)
                if not bits.more:
                    break
            self._macroblock()
        assert bits.at == bits.end
        assert len(found.kinds) == self.count
        return found

    def _add(
        self, kind: str, vector: tuple[int, int] | None, start: int, reference: int = 0
    ) -> None:
        self.found.kinds.append(kind)
        self.found.references.append(-1 if vector is None else reference)
        self.found.vectors.append(vector)
        self.found.lengths.append(self.bits.at - start)
        if len(self.totals) < len(self.found.kinds):
            self.totals.append({})

    # --- vectors, clauses 8.4.1.1 and 8.4.1.3

    def _neighbours(self) -> tuple[int | None, int | None, int | None]:
        at, width = len(self.found.kinds), self.width
        column = at % width
        a = at - 1 if column else None
        b = at - width if at >= width else None
        c = at - width + 1 if at >= width and column < width - 1 else None
        if c is None and at >= width and column:
            c = at - width - 1
        return a, b, c

    def _predicted(self, reference: int) -> tuple[int, int]:
        a, b, c = self._neighbours()
        vectors = self.found.vectors
        if b is None and c is None:
            return (a is not None and vectors[a]) or (0, 0)
        references = self.found.references
        alike = [n for n in (a, b, c) if n is not None and references[n] == reference]
        if len(alike) == 1:
            return vectors[alike[0]] or (0, 0)
        three = [(n is not None and vectors[n]) or (0, 0) for n in (a, b, c)]
        return sorted(v[0] for v in three)[1], sorted(v[1] for v in three)[1]

    def _skipped(self) -> tuple[int, int]:
        a, b, _ = self._neighbours()
        if a is None or b is None:
            return 0, 0
        if any(self.found.references[n] == 0 and self.found.vectors[n] == (0, 0) for n in (a, b)):
            return 0, 0
        return self._predicted(0)

    # --- macroblocks, clause 7.3.5

    def _macroblock(self) -> None:
        bits, start = self.bits, self.bits.at
        self.totals.append({})
        number = bits.ue()
        if not self.key:
            if number == 0:
                reference = 1 - bits.u(1)
                right, down = self._predicted(reference)
                vector = right + bits.se(), down + bits.se()
                pattern = CBP_INTER.tolist().index(bits.ue())
                if pattern:
                    assert bits.se() == 0
                self._luma(pattern & 15, 0)
                self._chroma(pattern >> 4)
                self._add("residual" if pattern else "copy", vector, start, reference)
                return
            number -= 5
        if number == 25:
            while bits.at % 8:
                assert bits.u(1) == 0
            bits.at += 384 * 8
            self.totals[-1] = {
                **{(0, x, y): 16 for x in range(4) for y in range(4)},
                **{(plane, x, y): 16 for plane in (1, 2) for x in range(2) for y in range(2)},
            }
            self._add("raw", None, start)
        elif number == 0:
            for _ in range(16):
                if bits.u(1) == 0:
                    bits.u(3)
            assert bits.ue() <= 3
            pattern = CBP_INTRA.tolist().index(bits.ue())
            if pattern:
                assert bits.se() == 0
            self._luma(pattern & 15, 0)
            self._chroma(pattern >> 4)
            self._add("intra4", None, start)
        else:
            assert 1 <= number <= 24
            assert bits.ue() <= 3
            assert bits.se() == 0
            self._block(self._context(0, 0, 0, 4), 16)
            self._luma(15 if number > 12 else 0, 1)
            self._chroma((number - 1) // 4 % 3)
            self._add("intra16", None, start)

    def _luma(self, pattern: int, first: int) -> None:
        for quarter in range(4):
            for part in range(4):
                x = 2 * (quarter % 2) + part % 2
                y = 2 * (quarter // 2) + part // 2
                total = 0
                if pattern >> quarter & 1:
                    total = self._block(self._context(0, x, y, 4), 16 - first)
                self.totals[-1][0, x, y] = total

    def _chroma(self, pattern: int) -> None:
        if pattern:
            self._block(-1, 4)
            self._block(-1, 4)
        for plane in (1, 2):
            for part in range(4):
                x, y = part % 2, part // 2
                total = self._block(self._context(plane, x, y, 2), 15) if pattern == 2 else 0
                self.totals[-1][plane, x, y] = total

    def _context(self, plane: int, x: int, y: int, size: int) -> int:
        at, width = len(self.totals) - 1, self.width
        known = []
        if x:
            known.append(self.totals[at][plane, x - 1, y])
        elif at % width:
            known.append(self.totals[at - 1].get((plane, size - 1, y), 0))
        if y:
            known.append(self.totals[at][plane, x, y - 1])
        elif at >= width:
            known.append(self.totals[at - width].get((plane, x, size - 1), 0))
        return -(-sum(known) // len(known)) if known else 0

    def _block(self, context: int, count: int) -> int:
        """residual_block_cavlc(): how many coefficients there are."""
        bits = self.bits
        kind = 4 if context < 0 else sum(context >= bound for bound in (2, 4, 8))
        total, ones = divmod(bits.code(_TOKENS[kind]), 4)
        assert total <= count
        if total == 0:
            return 0
        bits.u(ones)
        suffix = 1 if total > 10 and ones < 3 else 0
        for number in range(ones, total):
            prefix = bits.text.index("1", bits.at) - bits.at
            assert prefix <= 15
            bits.at += prefix + 1
            size = 12 if prefix == 15 else 4 if prefix == 14 and suffix == 0 else suffix
            code = (min(15, prefix) << suffix) + bits.u(size)
            if prefix == 15 and suffix == 0:
                code += 15
            if number == ones and ones < 3:
                code += 2
            level = code // 2 + 1
            suffix = suffix or 1
            if level > 3 << (suffix - 1) and suffix < 6:
                suffix += 1
        zeros = 0
        if total < count:
            zeros = bits.code((_ZEROS_CHROMA if context < 0 else _ZEROS)[total - 1])
        for _ in range(total - 1):
            if zeros:
                zeros -= bits.code(_RUNS[min(zeros, 7) - 1])
        assert zeros >= 0
        return total


def read_slice(unit: bytes, width: int, height: int) -> Slice:
    """Every bit of a slice NAL unit; fails where it breaks the syntax."""
    return _Reader(unit, width, height).read()
