"""The levels of H.264, and what does not fit into any."""

from __future__ import annotations

import re
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from undoku.h264.bits import escape
from undoku.h264.levels import LevelError, StreamLoad, coded_size, level_for


@pytest.mark.parametrize(
    ("size", "fps", "remedy"),
    [
        ((16000, 16000), 60, "take at most 5936x5936"),
        ((8192, 4320), 60, "take at most 8176x4310"),
        ((1280, 720), 10_000, "take at most 828x464 or fewer frames per second"),
        ((2, 2), 10**9, "take fewer frames per second"),
    ],
)
def test_a_number_out_of_range_is_refused_with_the_valid_ones(
    size: tuple[int, int], fps: int, remedy: str
) -> None:
    """The message has the requested size and the largest possible one of about the same
    proportions, which is indeed possible."""
    with pytest.raises(LevelError) as caught:
        coded_size(*size, Fraction(fps))
    assert str(caught.value).startswith(f"{size[0]}x{size[1]} at {fps:g} frames per second is more")
    assert caught.value.remedy == remedy
    if found := re.search(r"(\d+)x(\d+)", remedy):
        width, height = map(int, found.groups())
        coded_size(width, height, Fraction(fps))
        with pytest.raises(LevelError):
            coded_size(width + 16, height + 16, Fraction(fps))


@pytest.mark.parametrize(
    ("size", "fps", "most", "number", "spare"),
    [
        ((1280, 720), 60, 62, 42, 32),
        ((1920, 1080), 60, 62, 51, 32),
        ((1080, 1920), 60, 62, 51, 32),
        ((2560, 1440), 60, 62, 52, 32),
        ((640, 360), 60, 62, 31, 32),
        ((160, 160), 30, 62, 31, 16),
        ((3840, 2160), 60, 62, 52, 16),
        ((7680, 4320), 60, 62, 61, 32),
        ((8192, 4304), 30, 62, 60, 5),
        # The atlas asks for no level above the highest allowed, and up to 4.2 for no more width.
        ((1920, 1080), 60, 42, 42, 0),
        ((1600, 900), 60, 42, 42, 20),
        ((1280, 720), 60, 42, 42, 32),
        ((1920, 1080), 60, 50, 50, 24),
        ((1920, 1080), 60, 51, 51, 32),
    ],
)
def test_the_level_is_the_least_that_suffices(
    size: tuple[int, int], fps: int, most: int, number: int, spare: int
) -> None:
    """Figures of table A-1 for common sizes; the atlas shrinks where it would cost a level."""
    coded = coded_size(*size, Fraction(fps), most)
    assert (coded.columns, coded.height) == (-(-size[0] // 16), -(-size[1] // 16))
    assert coded.width - coded.columns == spare
    load = StreamLoad(coded.width, coded.height, Fraction(fps))
    assert level_for(load, size, most).number == number


def test_large_pictures_raise_the_level() -> None:
    """MinCR bounds a picture's bytes, MaxBR those of a second."""
    small = StreamLoad(88, 45, Fraction(60))
    assert level_for(small, (1280, 720)).number == 40
    assert level_for(replace(small, largest=500_000), (1280, 720)).number == 41
    assert level_for(replace(small, busiest=4_000_000), (1280, 720)).number == 41
    assert level_for(replace(small, busiest=10_000_000), (1280, 720)).number == 50


@given(content=st.binary(max_size=60).map(lambda b: bytes(byte & 3 for byte in b)))
def test_no_nal_unit_holds_a_start_code(content: bytes) -> None:
    """Emulation prevention: no three bytes are 0, 0, 0..2, and the payload is read unchanged."""
    page = np.frombuffer(content + b"\x80", np.uint8)
    unit = np.zeros(200, np.uint8)
    unit[0] = 0x41
    size = escape(page, len(page), unit, 1)
    written = unit[1:size].tobytes()
    assert not re.search(rb"\0\0[\0-\2]", written)
    assert written.replace(b"\0\0\3", b"\0\0") == page.tobytes()
