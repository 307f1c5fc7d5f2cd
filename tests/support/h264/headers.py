"""Parameter sets, slice headers and reference pictures of Constrained Baseline streams."""

from __future__ import annotations

from dataclasses import dataclass, field

from tests.support.h264.bits import Bits

__all__ = ["Head", "Parameters", "References", "Sequence", "Usability"]


@dataclass(frozen=True)
class Usability:
    """vui_parameters(), clause E.1.1, without buffering periods."""

    square: bool
    limited: bool
    colours: tuple[int, int, int]
    ticks: tuple[int, int]
    """num_units_in_tick and time_scale."""
    fixed_rate: bool
    over_edges: bool
    """Whether motion vectors may point outside the picture."""
    longest: tuple[int, int]
    """Of a motion vector, quarter samples to the right and down."""
    reordered: int
    kept: int
    """max_dec_frame_buffering."""

    @staticmethod
    def of(bits: Bits) -> Usability:
        square = bool(bits.u(1)) and bits.u(8) == 1
        if bits.u(1):
            bits.u(1)
        limited, colours = True, (2, 2, 2)
        if bits.u(1):
            bits.u(3)
            limited = bits.u(1) == 0
            if bits.u(1):
                colours = bits.u(8), bits.u(8), bits.u(8)
        if bits.u(1):
            assert bits.ue() == bits.ue() <= 5
        ticks, fixed_rate = (0, 0), False
        if bits.u(1):
            ticks = bits.u(32), bits.u(32)
            fixed_rate = bool(bits.u(1))
        assert bits.u(2) == 0  # no HRD
        bits.u(1)
        assert bits.u(1) == 1  # bitstream_restriction_flag
        over_edges = bool(bits.u(1))
        bits.ue()
        bits.ue()
        longest = 1 << bits.ue(), 1 << bits.ue()
        reordered, kept = bits.ue(), bits.ue()
        return Usability(
            square, limited, colours, ticks, fixed_rate, over_edges, longest, reordered, kept
        )


@dataclass(frozen=True)
class Sequence:
    """A sequence parameter set, clause 7.3.2.1."""

    profile: tuple[int, int]
    level: int
    frame_num_bits: int
    order_type: int
    order_bits: int
    references: int
    width: int
    """In macroblocks, as `height`."""
    height: int
    visible: tuple[int, int]
    """In pixels."""
    usability: Usability

    @staticmethod
    def of(unit: bytes) -> Sequence:
        bits = Bits(unit)
        assert unit[0] & 31 == 7
        assert unit[0] >> 5
        profile, level = (bits.u(8), bits.u(8)), bits.u(8)
        assert profile[0] == 66
        assert profile[1] & 0x43 == 0x40  # constraint_set1_flag; reserved bits are zero
        assert bits.ue() == 0
        frame_num_bits = bits.ue() + 4
        order_type = bits.ue()
        assert order_type in (0, 2)
        order_bits = 0 if order_type else bits.ue() + 4
        references = bits.ue()
        assert bits.u(1) == 0  # gaps_in_frame_num_value_allowed_flag
        width, height = bits.ue() + 1, bits.ue() + 1
        assert bits.u(1) == 1  # frame_mbs_only_flag
        bits.u(1)
        left, right, top, bottom = (bits.ue() for _ in range(4)) if bits.u(1) else (0, 0, 0, 0)
        assert left == top == 0
        assert bits.u(1) == 1
        usability = Usability.of(bits)
        assert not bits.more
        assert usability.reordered == 0
        assert references <= usability.kept
        return Sequence(
            profile, level, frame_num_bits, order_type, order_bits, references, width, height,
            (16 * width - 2 * right, 16 * height - 2 * bottom), usability,
        )  # fmt: skip


@dataclass(frozen=True)
class Parameters:
    """A picture parameter set, clause 7.3.2.2."""

    active: int
    qp: int
    deblocking: bool
    chroma_offset: int

    @staticmethod
    def of(unit: bytes) -> Parameters:
        bits = Bits(unit)
        assert unit[0] & 31 == 8
        assert unit[0] >> 5
        assert (bits.ue(), bits.ue()) == (0, 0)
        assert bits.u(1) == 0  # CAVLC
        bits.u(1)
        assert bits.ue() == 0  # one slice group
        active = bits.ue() + 1
        bits.ue()
        assert bits.u(3) == 0  # no weights
        qp = 26 + bits.se()
        bits.se()
        offset = bits.se()
        deblocking, constrained, redundant = bits.u(1), bits.u(1), bits.u(1)
        assert (constrained, redundant) == (0, 0)
        assert not bits.more
        assert 0 <= qp <= 51
        return Parameters(active, qp, bool(deblocking), offset)


@dataclass
class References:
    """What a decoder keeps: clauses 8.2.4 and 8.2.5, for frames. A picture is its number in the
    stream."""

    sequence: Sequence
    short: dict[int, int] = field(default_factory=dict)
    """frame_num: picture. Long-term references are not read."""
    last: int = 0
    """PrevRefFrameNum."""

    def initial(self, frame_num: int) -> list[int]:
        """RefPicList0 before it is modified: from the last back."""
        most = 1 << self.sequence.frame_num_bits
        nearest = sorted(self.short, key=lambda number: (frame_num - number) % most)
        return [self.short[number] for number in nearest]

    def modified(self, bits: Bits, frame_num: int, active: int) -> list[int | None]:
        """ref_pic_list_modification() and what follows from it, clause 8.2.4.3."""
        most = 1 << self.sequence.frame_num_bits
        found: list[int | None] = [*self.initial(frame_num)]
        found = [*found, *[None] * active][:active]
        if not bits.u(1):
            return found
        predicted, at = frame_num, 0
        while (command := bits.ue()) != 3:
            assert at < active
            assert command < 2
            step = bits.ue() + 1
            assert step <= most
            predicted = (predicted + (step if command else -step)) % most
            picture = self.short[predicted]
            rest = [entry for entry in found[at:] if entry != picture]
            found = [*found[:at], picture, *rest][:active]
            at += 1
        return found

    def mark(self, bits: Bits, picture: int, frame_num: int, *, key: bool) -> None:
        """dec_ref_pic_marking() and what follows from it, clause 8.2.5, for a reference picture."""
        if key:
            bits.u(1)
            assert not bits.u(1)  # a long-term reference
            self.short, self.last = {0: picture}, 0
            return
        assert not bits.u(1)  # the oldest picture is dropped
        if len(self.short) == max(1, self.sequence.references):
            most = 1 << self.sequence.frame_num_bits
            del self.short[max(self.short, key=lambda number: (frame_num - number) % most)]
        assert frame_num not in self.short
        self.short[frame_num] = picture
        self.last = frame_num


@dataclass
class Head:
    """A slice header, clause 7.3.3."""

    key: bool
    kept: bool
    intra: bool
    first: int
    frame_num: int
    idr: int
    pictures: list[int | None]
    """RefPicList0: the number in the stream of the picture that each ref_idx means."""
    qp: int
    deblocked: bool

    @staticmethod
    def of(bits: Bits, header: int, parameters: Parameters, references: References,
           picture: int) -> Head:  # fmt: skip
        sequence = references.sequence
        kind, kept = header & 31, header >> 5 > 0
        assert kind in (1, 5), kind
        key = kind == 5
        assert kept or not key
        first = bits.ue()
        slice_type = bits.ue()
        assert slice_type in (0, 2, 5, 7), slice_type
        intra = slice_type % 5 == 2
        assert intra or not key
        assert bits.ue() == 0
        frame_num = bits.u(sequence.frame_num_bits)
        if key:
            assert frame_num == 0
        elif first == 0:
            assert frame_num == (references.last + 1) % (1 << sequence.frame_num_bits)
        idr = bits.ue() if key else -1
        if sequence.order_type == 0:
            bits.u(sequence.order_bits)
        pictures: list[int | None] = []
        if not intra:
            active = bits.ue() + 1 if bits.u(1) else parameters.active
            assert active <= 32
            pictures = references.modified(bits, frame_num, active)
        if kept:
            references.mark(bits, picture, frame_num, key=key)
        qp = parameters.qp + bits.se()
        assert 0 <= qp <= 51
        deblocked = True
        if parameters.deblocking:
            control = bits.ue()
            assert control <= 2
            deblocked = control != 1
            if deblocked:
                assert -6 <= bits.se() <= 6
                assert -6 <= bits.se() <= 6
        return Head(key, kept, intra, first, frame_num, idr, pictures, qp, deblocked)
