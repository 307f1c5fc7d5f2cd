"""Reads Constrained Baseline H.264 (CAVLC) down to every macroblock: whatever partitions, reference
pictures, intra modes and slices a stream uses. It knows nothing of the writer's choices.

Each assertion is a rule of ITU-T H.264; clauses are named where they are not plain.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from copy import deepcopy
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from tests.support.h264.bits import (
    PATTERN_INTER,
    PATTERN_INTRA,
    RUNS,
    TOKENS,
    ZEROS,
    ZEROS_CHROMA,
    Bits,
)
from tests.support.h264.headers import Head, Parameters, References, Sequence

__all__ = ["Macroblock", "Part", "Picture", "Stream"]

Vector = tuple[int, int]
_STILL = (0, 0)
_MAX_BITS = 3200
"""Of a macroblock, clause A.3.1."""


class Part(NamedTuple):
    """A partition: its place in the picture and its size in luma samples, and where it is copied
    from: the picture's number in the stream, and the vector in quarter samples."""

    x: int
    y: int
    width: int
    height: int
    reference: int
    picture: int
    vector: Vector


@dataclass(slots=True)
class Macroblock:
    """`kind`: "skip", "copy" (inter without residual), "residual", "intra4", "intra16", "raw"."""

    slice: int
    qp: int
    kind: str = "skip"
    parts: list[Part] = field(default_factory=list)
    totals: dict[tuple[int, int, int], int] = field(default_factory=dict)
    """Coefficients of the 4x4 blocks by (plane, column, row); none where there are none."""
    bits: int = 0

    @property
    def inter(self) -> bool:
        return self.kind in ("skip", "copy", "residual")


@dataclass
class Picture:
    """A picture of the stream: its slices' headers and its macroblocks, row by row."""

    number: int
    heads: list[Head] = field(default_factory=list)
    macroblocks: list[Macroblock] = field(default_factory=list)
    elements: Counter[str] = field(default_factory=Counter)
    """Bits of the picture's macroblocks by kind of syntax element."""

    @property
    def key(self) -> bool:
        return self.heads[0].key

    @property
    def kinds(self) -> list[str]:
        return [macroblock.kind for macroblock in self.macroblocks]

    @property
    def parts(self) -> Iterator[Part]:
        for macroblock in self.macroblocks:
            yield from macroblock.parts


class Stream:
    """A decoder that draws nothing."""

    def __init__(self, sequence: bytes, parameters: bytes) -> None:
        self.sequence = Sequence.of(sequence)
        self.parameters = Parameters.of(parameters)
        self._references = References(self.sequence)
        self._before = self._references
        self.pictures: list[Picture] = []

    def read(self, unit: bytes) -> Picture:
        """Every bit of a slice NAL unit; fails where it breaks the syntax. Returns the picture as
        far as it has come."""
        bits = Bits(unit)
        if bits.text.startswith("1"):  # first_mb_in_slice 0: a new picture
            assert not self.pictures or self._whole(self.pictures[-1])
            self.pictures.append(Picture(len(self.pictures)))
            self._before = self._references
        picture = self.pictures[-1]
        # All slices of a picture refer to what stood before it, and say the same of what is kept.
        references = deepcopy(self._before)
        head = Head.of(bits, unit[0], self.parameters, references, picture.number)
        assert head.first == len(picture.macroblocks)
        if picture.heads:
            for name in ("key", "kept", "frame_num", "idr"):
                assert getattr(head, name) == getattr(picture.heads[0], name)
        elif head.key and len(self.pictures) > 1 and self.pictures[-2].key:
            assert head.idr != self.pictures[-2].heads[0].idr
        self._references = references
        picture.heads.append(head)
        _SliceReader(bits, head, picture, self.sequence, self.parameters).read()
        return picture

    def read_alone(self, unit: bytes) -> Picture:
        """Every bit of a picture of one slice, whatever pictures were read before it. Its parts
        name picture 0."""
        bits = Bits(unit)
        references = References(replace(self.sequence, references=32))
        if unit[0] & 31 != 5:
            most = 1 << self.sequence.frame_num_bits
            at = self.sequence.frame_num_bits
            number = int(bits.text[3 : 3 + at], 2)  # after three ue(v) of 0
            references.short = {back: 0 for back in range(most) if back != number}
            references.last = (number - 1) % most
        picture = Picture(1)
        head = Head.of(bits, unit[0], self.parameters, references, picture.number)
        picture.heads.append(head)
        _SliceReader(bits, head, picture, self.sequence, self.parameters).read()
        assert self._whole(picture)
        return picture

    def _whole(self, picture: Picture) -> bool:
        return len(picture.macroblocks) == self.sequence.width * self.sequence.height

    def finish(self) -> list[Picture]:
        """All pictures; fails when the last is not whole."""
        assert self.pictures
        assert self._whole(self.pictures[-1])
        assert self.pictures[0].key
        return self.pictures


class _SliceReader:
    """slice_data(), clause 7.3.4, and what is inferred from neighbours."""

    def __init__(
        self, bits: Bits, head: Head, picture: Picture, sequence: Sequence, parameters: Parameters
    ) -> None:
        self.bits, self.head, self.picture, self.sequence = bits, head, picture, sequence
        self.qp, self.offset = head.qp, parameters.chroma_offset
        self.number = len(picture.heads) - 1
        self.moves: dict[tuple[int, int], tuple[int, Vector]] = {}
        """(ref_idx, vector) of the 4x4 blocks of this slice that are read; ref_idx -1 is intra."""
        self.whole: dict[tuple[int, int], tuple[int, Vector]] = {}
        """The same of macroblocks whose blocks are all alike, as most are; `moves` lacks these."""
        self.modes: dict[tuple[int, int], int] = {}
        """Intra4x4PredMode of the blocks that have one."""

    def read(self) -> None:
        bits, count = self.bits, self.sequence.width * self.sequence.height
        while bits.more:
            if not self.head.intra:
                start = bits.at
                skipped = bits.ue()
                self._count("skip runs", start)
                for _ in range(skipped):
                    assert len(self.picture.macroblocks) < count
                    self._skip()
                if not bits.more:
                    break
            assert len(self.picture.macroblocks) < count
            self._macroblock()
        assert bits.at == bits.end

    def _count(self, element: str, start: int) -> None:
        """Count the bits from `start` on for a kind of syntax element."""
        self.picture.elements[element] += self.bits.at - start

    # --- where we are

    def _place(self) -> tuple[int, int]:
        """The current macroblock's column and row."""
        row, column = divmod(len(self.picture.macroblocks) - 1, self.sequence.width)
        return column, row

    def _neighbour(self, across: int, down: int) -> Macroblock | None:
        """The macroblock beside the current one, if it is available: clause 6.4.9."""
        column, row = self._place()
        column, row = column + across, row + down
        if not (0 <= column < self.sequence.width and row >= 0):
            return None
        found = self.picture.macroblocks[row * self.sequence.width + column]
        return found if found.slice == self.number else None

    def _begin(self) -> Macroblock:
        found = Macroblock(self.number, self.qp)
        self.picture.macroblocks.append(found)
        return found

    # --- vectors, clause 8.4.1

    def _moved(self, x: int, y: int) -> tuple[int, Vector] | None:
        """What is known of a 4x4 block, if it has been read."""
        return self.whole.get((x >> 2, y >> 2)) or self.moves.get((x, y))

    def _around(self, x: int, y: int, width: int) -> list[tuple[int, Vector] | None]:
        """What is known of A, B and C (or D) beside a partition, in 4x4 blocks."""
        c = self._moved(x + width, y - 1) or self._moved(x - 1, y - 1)
        return [self._moved(x - 1, y), self._moved(x, y - 1), c]

    def _predicted(self, place: tuple[int, int], size: tuple[int, int], reference: int) -> Vector:
        (x, y), (width, height) = place, size
        around = self._around(x, y, width)
        a, b, c = around
        # Halves of a macroblock look to one side first: clause 8.4.1.3.
        side = None
        if (width, height) == (4, 2):
            side = b if y % 4 == 0 else a
        elif (width, height) == (2, 4):
            side = a if x % 4 == 0 else c
        if side is not None and side[0] == reference:
            return side[1]
        if b is None and c is None:
            return a[1] if a else _STILL
        alike = [found[1] for found in around if found and found[0] == reference]
        if len(alike) == 1:
            return alike[0]
        three = [found[1] if found else _STILL for found in around]
        return sorted(v[0] for v in three)[1], sorted(v[1] for v in three)[1]

    def _move(
        self, place: tuple[int, int], size: tuple[int, int], reference: int, vector: Vector
    ) -> None:
        """A partition, in 4x4 blocks of the picture."""
        picture = self.head.pictures[reference]
        assert picture is not None
        assert picture < self.picture.number
        if size == (4, 4):
            self.whole[place[0] >> 2, place[1] >> 2] = reference, vector
        else:
            for x in range(place[0], place[0] + size[0]):
                for y in range(place[1], place[1] + size[1]):
                    self.moves[x, y] = reference, vector
        self.picture.macroblocks[-1].parts.append(
            Part(4 * place[0], 4 * place[1], 4 * size[0], 4 * size[1], reference, picture, vector)
        )

    def _skip(self) -> None:
        self._begin()
        column, row = self._place()
        place = 4 * column, 4 * row
        a, b = self._moved(place[0] - 1, place[1]), self._moved(place[0], place[1] - 1)
        vector = _STILL
        if a and b and (0, _STILL) not in (a, b):
            vector = self._predicted(place, (4, 4), 0)
        self._move(place, (4, 4), 0, vector)

    # --- macroblocks, clause 7.3.5

    def _macroblock(self) -> None:
        bits, start = self.bits, self.bits.at
        found = self._begin()
        number = bits.ue()
        if self.head.intra or number >= 5:
            self._intra(found, number if self.head.intra else number - 5)
        else:
            self._inter(found, number)
        found.bits, found.qp = bits.at - start, self.qp
        assert found.kind == "raw" or found.bits <= _MAX_BITS

    def _inter(self, found: Macroblock, number: int) -> None:
        bits, most = self.bits, len(self.head.pictures) - 1
        column, row = self._place()
        if number < 3:
            size = ((4, 4), (4, 2), (2, 4))[number]
            corners = [(x, y) for y in range(0, 4, size[1]) for x in range(0, 4, size[0])]
            references = [bits.te(most) for _ in corners]
            parts = [(corner, size) for corner in corners]
        else:
            kinds = [bits.ue() for _ in range(4)]
            assert max(kinds) <= 3
            chosen = [bits.te(most) if number == 3 else 0 for _ in kinds]
            parts, references = [], []
            for quarter, kind in enumerate(kinds):
                size = ((2, 2), (2, 1), (1, 2), (1, 1))[kind]
                for y in range(0, 2, size[1]):
                    for x in range(0, 2, size[0]):
                        corner = 2 * (quarter % 2) + x, 2 * (quarter // 2) + y
                        parts.append((corner, size))
                        references.append(chosen[quarter])
        for ((x, y), size), reference in zip(parts, references, strict=True):
            place = 4 * column + x, 4 * row + y
            right, down = self._predicted(place, size, reference)
            start = bits.at
            vector = right + bits.se(), down + bits.se()
            self._count("vectors", start)
            self._move(place, size, reference, vector)
        pattern = PATTERN_INTER[bits.ue()]
        found.kind = "residual" if pattern else "copy"
        self._residual(pattern)

    def _intra(self, found: Macroblock, number: int) -> None:
        bits = self.bits
        column, row = self._place()
        self.whole[column, row] = -1, _STILL
        left, above = self._neighbour(-1, 0), self._neighbour(0, -1)
        corner = left and above and self._neighbour(-1, -1)
        if number == 25:
            found.kind = "raw"
            while bits.at % 8:
                assert bits.u(1) == 0
            bits.u(384 * 8)
            found.totals = {
                **{(0, x, y): 16 for x in range(4) for y in range(4)},
                **{(plane, x, y): 16 for plane in (1, 2) for x in range(2) for y in range(2)},
            }
            return
        if number == 0:
            found.kind = "intra4"
            start = bits.at
            for part in range(16):
                self._mode(part)
            self._count("intra modes", start)
        else:
            assert 1 <= number <= 24
            found.kind = "intra16"
            needed = ((above,), (left,), (), (left, above, corner))[(number - 1) % 4]
            assert all(needed)
        chroma = bits.ue()
        assert chroma <= 3
        assert all(((), (left,), (above,), (left, above, corner))[chroma])
        if number == 0:
            self._residual(PATTERN_INTRA[bits.ue()])
        else:
            self._quantiser()
            start = bits.at
            self._block(self._context(0, 0, 0, 4), 16)
            self._count("luma levels", start)
            self._planes((15 if number > 12 else 0) | (number - 1) // 4 % 3 << 4, 1)

    def _mode(self, part: int) -> None:
        """prev_intra4x4_pred_mode and rem_intra4x4_pred_mode, clause 8.3.1.1."""
        bits = self.bits
        column, row = self._place()
        x = 4 * column + 2 * (part // 4 % 2) + part % 2
        y = 4 * row + 2 * (part // 8) + part // 2 % 2
        left, above = self._moved(x - 1, y), self._moved(x, y - 1)
        predicted = 2
        if left and above:
            predicted = min(self.modes.get((x - 1, y), 2), self.modes.get((x, y - 1), 2))
        mode = predicted
        if not bits.u(1):
            rest = bits.u(3)
            mode = rest + (rest >= predicted)
        self.modes[x, y] = mode
        assert above or mode not in (0, 3, 4, 5, 6, 7)
        assert left or mode not in (1, 4, 5, 6, 8)
        assert self._moved(x - 1, y - 1) or mode not in (4, 5, 6)

    # --- residuals, clauses 7.3.5.3 and 9.2

    def _residual(self, pattern: int) -> None:
        if pattern:
            self._quantiser()
            self._planes(pattern, 0)

    def _quantiser(self) -> None:
        delta = self.bits.se()
        assert -26 <= delta <= 25
        self.qp = (self.qp + delta + 52) % 52

    def _planes(self, pattern: int, first: int) -> None:
        totals = self.picture.macroblocks[-1].totals
        start = self.bits.at
        for part in range(16):
            if pattern >> part // 4 & 1:
                x, y = 2 * (part // 4 % 2) + part % 2, 2 * (part // 8) + part // 2 % 2
                totals[0, x, y] = self._block(self._context(0, x, y, 4), 16 - first)
        self._count("luma levels", start)
        start = self.bits.at
        assert pattern >> 4 <= 2
        if pattern >> 4:
            self._block(-1, 4)
            self._block(-1, 4)
        if pattern >> 4 == 2:
            for plane in (1, 2):
                for part in range(4):
                    x, y = part % 2, part // 2
                    totals[plane, x, y] = self._block(self._context(plane, x, y, 2), 15)
        self._count("chroma levels", start)

    def _context(self, plane: int, x: int, y: int, size: int) -> int:
        """nC: the mean of the coefficients to the left and above, as far as they are available."""
        here = self.picture.macroblocks[-1]
        left = here if x else self._neighbour(-1, 0)
        above = here if y else self._neighbour(0, -1)
        known = [
            macroblock.totals.get((plane, *place), 0)
            for macroblock, place in ((left, ((x - 1) % size, y)), (above, (x, (y - 1) % size)))
            if macroblock
        ]
        return -(-sum(known) // len(known)) if known else 0

    def _block(self, context: int, count: int) -> int:
        """residual_block_cavlc(): how many coefficients there are."""
        bits = self.bits
        kind = 4 if context < 0 else sum(context >= bound for bound in (2, 4, 8))
        total, ones = divmod(bits.code(TOKENS[kind]), 4)
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
            zeros = bits.code((ZEROS_CHROMA if context < 0 else ZEROS)[total - 1])
            assert total + zeros <= count
        for _ in range(total - 1):
            if zeros:
                zeros -= bits.code(RUNS[min(zeros, 7) - 1])
        assert zeros >= 0
        return total
