"""Levels: the limits of decoders (ITU-T H.264, table A-1), and the lowest level for a film."""

from __future__ import annotations

from bisect import bisect_left
from fractions import Fraction
from math import isqrt
from typing import NamedTuple

HORIZONTAL_REACH, VERTICAL_REACH = 2048, 512
"""The range of motion vectors in samples: left and up to the limit itself, right and down below it
(clause A.3.1 and table A-1, MaxVmvR from level 3.1 on). Levels from 6 on allow more, which is not
used."""


class LevelError(ValueError):
    """No level of H.264, or none that was asked for, allows a film. `remedy` says what does."""

    def __init__(self, message: str, remedy: str) -> None:
        super().__init__(f"{message}; {remedy}")
        self.message, self.remedy = message, remedy


class Level(NamedTuple):
    """A row of table A-1. `number` is level_idc, ten times the level's name."""

    number: int
    speed: int
    """MaxMBPS: macroblocks per second."""
    size: int
    """MaxFS: macroblocks in a picture."""
    rate: int
    """MaxBR: 1200 bits per second."""
    compression: int
    """MinCR: how many times smaller than its samples a picture must be."""
    buffer: int
    """MaxDpbMbs: macroblocks of the pictures that a decoder keeps."""

    @property
    def name(self) -> str:
        return f"{self.number // 10}.{self.number % 10}"


# From 3.1 on: lower levels don't allow vertical motion vectors of 512 samples.
LEVELS = (
    Level(31, 108_000, 3_600, 14_000, 4, 18_000),
    Level(32, 216_000, 5_120, 20_000, 4, 20_480),
    Level(40, 245_760, 8_192, 20_000, 4, 32_768),
    Level(41, 245_760, 8_192, 50_000, 2, 32_768),
    Level(42, 522_240, 8_704, 50_000, 2, 34_816),
    Level(50, 589_824, 22_080, 135_000, 2, 110_400),
    Level(51, 983_040, 36_864, 240_000, 2, 184_320),
    Level(52, 2_073_600, 36_864, 240_000, 2, 184_320),
    Level(60, 4_177_920, 139_264, 240_000, 2, 696_320),
    Level(61, 8_355_840, 139_264, 480_000, 2, 696_320),
    Level(62, 16_711_680, 139_264, 800_000, 2, 696_320),
)

_MAX_SPARE, _USUAL_SPARE, _MIN_SPARE = 32, 16, 4
_COMMON = 52
"""The level of 3840x2160 at 60 frames per second, which current decoders support."""
_WIDEST, _WIDEST_COMMON, _OF_COMMON = 256, 120, 42
"""The widest picture with an atlas, in macroblocks: 4096 samples, the limit of many hardware
decoders; and 1920 samples, the limit of many that decode up to level 4.2."""


class CodedSize(NamedTuple):
    """The coded size in macroblocks: `columns` visible ones across, `width` including the atlas on
    their right, and `height`."""

    columns: int
    width: int
    height: int


class StreamLoad(NamedTuple):
    """The load that a stream puts on a decoder: coded size in macroblocks, the highest number of
    pictures per second, the bytes of the largest picture, and the most bytes in any two consecutive
    seconds."""

    width: int
    height: int
    fps: Fraction
    largest: int = 0
    busiest: int = 0


def _suffices(level: Level, load: StreamLoad) -> bool:
    """Whether a level allows a load: the limits of clause A.3.1 that can matter to direct films."""
    count = load.width * load.height
    side = isqrt(8 * level.size)
    return (
        count <= level.size
        and load.width <= side
        and load.height <= side
        and count * load.fps <= level.speed
        and load.largest * load.fps * level.compression <= 384 * level.speed
        # Any window of one second lies within two consecutive seconds, during which the buffer is
        # filled once.
        and 8 * load.busiest <= 1200 * level.rate
    )


def _least(load: StreamLoad) -> Level | None:
    return next((level for level in LEVELS if _suffices(level, load)), None)


def level_for(load: StreamLoad, size: tuple[int, int], most: int = LEVELS[-1].number) -> Level:
    """The lowest level that allows the load. Raises LevelError when there is none up to number
    `most`; the message names `size`, the requested size in pixels."""
    level = _least(load)
    if level is None:
        raise _too_much(*size, load.fps)
    if level.number > most:
        raise LevelError(
            f"{size[0]}x{size[1]} at {float(load.fps):g} frames per second needs level "
            f"{level.name} of H.264, more than the {most // 10}.{most % 10} that was asked for",
            remedy=f"take level {level.name}, or a smaller size or frame rate",
        )
    return level


def references_within(width: int, height: int, most: int) -> int:
    """The number of reference pictures, 1..16, that a decoder of level number `most` keeps for
    pictures of `width` x `height` pixels."""
    (buffer,) = (level.buffer for level in LEVELS if level.number == most)
    return max(1, min(16, buffer // (-(-width // 16) * -(-height // 16))))


def _too_much(width: int, height: int, fps: Fraction) -> LevelError:
    remedies = []
    largest = _largest(width, height, fps)
    if largest and largest != (width, height):
        remedies.append(f"at most {largest[0]}x{largest[1]}")
    if not remedies or _fits(width, height, Fraction(1)):
        remedies.append("fewer frames per second")
    return LevelError(
        f"{width}x{height} at {float(fps):g} frames per second is more than any level of H.264 "
        "allows",
        remedy=f"take {' or '.join(remedies)}",
    )


def _fits(width: int, height: int, fps: Fraction) -> bool:
    """Whether a level allows a picture of `width` x `height` pixels with its atlas."""
    columns, rows = -(-width // 16), -(-height // 16)
    return _least(StreamLoad(columns + _MIN_SPARE, rows, fps)) is not None


def _largest(width: int, height: int, fps: Fraction) -> tuple[int, int] | None:
    """The largest picture of about the same aspect ratio, at most `width` x `height`, that a level
    allows; None if there is none."""

    def scaled(wide: int) -> tuple[int, int]:
        return 2 * wide, max(2, height * 2 * wide // width // 2 * 2)

    # If a picture fits, so do all smaller ones: bisection applies.
    found = bisect_left(
        range(1, width // 2 + 1), True, key=lambda wide: not _fits(*scaled(wide), fps)
    )
    return scaled(found) if found else None


def coded_size(width: int, height: int, fps: Fraction, most: int = LEVELS[-1].number) -> CodedSize:
    """The coded size of a picture of `width` x `height` pixels. The atlas gets as many columns as
    the picture has, 16 to 32; or down to 4, if more columns would need a level above 5.2 that the
    picture itself doesn't need, or more than 4096 samples across. The level never exceeds number
    `most`; up to level 4.2 the atlas does not extend beyond 1920 samples, and may have no column.

    The atlas is never on the left: with hardware decoding libavcodec ignores cropping on that side
    (av_frame_apply_cropping), so players would show it.

    Raises LevelError for odd sides and for pictures that no such level allows.
    """
    if width % 2 or height % 2:
        raise LevelError(
            f"a video of {width}x{height} has an odd side, which 4:2:0 can't hold",
            remedy=f"ask for {width + width % 2}x{height + height % 2}",
        )
    columns, rows = -(-width // 16), -(-height // 16)

    def level(spare: int) -> Level | None:
        return _least(StreamLoad(columns + spare, rows, fps))

    needed = level_for(StreamLoad(columns + _MIN_SPARE, rows, fps), (width, height), most)
    most = min(most, max(_COMMON, needed.number))
    wanted = min(_MAX_SPARE, max(_USUAL_SPARE, columns))
    if most <= _OF_COMMON:
        wanted = min(wanted, max(0, _WIDEST_COMMON - columns))
    elif columns + _MIN_SPARE <= _WIDEST:
        wanted = min(wanted, _WIDEST - columns)
    spare = next(
        number
        for number in range(wanted, -1, -1)
        if number in (0, _MIN_SPARE) or ((asked := level(number)) and asked.number <= most)
    )
    return CodedSize(columns, columns + spare, rows)
