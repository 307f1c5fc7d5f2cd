"""The planes are the exact BT.709 samples of the pixels, wherever a change lies."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from undoku.render.draw.canvas import Change, Pixels, Rect
from undoku.render.write.yuv import Planes


def reference(pixels: Pixels, full_chroma: bool) -> list[NDArray[np.int64]]:
    """Luma, Cb and Cr of the standard's formulas in exact integers, rounded half upwards."""
    r, g, b = (pixels[..., i].astype(object) for i in range(3))
    count = 1
    luma = (219 * (2126 * r + 7152 * g + 722 * b) * 2 + 2550000) // (2 * 2550000) + 16
    if not full_chroma:
        r, g, b = (c[::2, ::2] + c[::2, 1::2] + c[1::2, ::2] + c[1::2, 1::2] for c in (r, g, b))
        count = 4
    grey = 2126 * r + 7152 * g + 722 * b
    planes = [luma]
    for colour, span in ((b, 18556), (r, 15748)):
        # 128 + 224 (C - E'Y) / span, all times 255 count span / 10000
        divisor = 255 * count * span
        planes.append(
            (2 * (224 * (10000 * colour - grey) + 128 * divisor) + divisor) // (2 * divisor)
        )
    return [plane.astype(np.int64) for plane in planes]


def whole(pixels: Pixels) -> list[Change]:
    return [Change(Rect(0, 0, pixels.shape[1], pixels.shape[0]))]


@pytest.mark.parametrize("full_chroma", [False, True])
def test_random_pixels_become_the_exact_samples(full_chroma: bool) -> None:
    pixels = np.random.default_rng(1).integers(0, 256, (90, 120, 3), np.uint8)
    planes = Planes(120, 90, full_chroma=full_chroma)
    planes.update(pixels, whole(pixels))
    for found, right in zip(
        (planes.luma, planes.blue, planes.red), reference(pixels, full_chroma), strict=True
    ):
        np.testing.assert_array_equal(found, right)


@given(
    st.lists(
        st.tuples(st.integers(0, 29), st.integers(0, 19), st.integers(1, 30), st.integers(1, 20)),
        max_size=6,
    ),
    st.booleans(),
    st.integers(0, 2**32 - 1),
)
def test_changed_rectangles_alone_bring_the_planes_up_to_date(
    corners: list[tuple[int, int, int, int]], full_chroma: bool, seed: int
) -> None:
    """Odd, overlapping and one-pixel rectangles included; the rest of the planes is not touched."""
    random = np.random.default_rng(seed)
    pixels = random.integers(0, 256, (20, 30, 3), np.uint8)
    planes = Planes(30, 20, full_chroma=full_chroma)
    planes.update(pixels, whole(pixels))
    changes = []
    for x, y, width, height in corners:
        rect = Rect(x, y, min(width, 30 - x), min(height, 20 - y))
        pixels[rect.y : rect.bottom, rect.x : rect.right] = random.integers(
            0, 256, (rect.height, rect.width, 3), np.uint8
        )
        changes.append(Change(rect))
    planes.update(pixels, changes)
    fresh = Planes(30, 20, full_chroma=full_chroma)
    fresh.update(pixels, whole(pixels))
    np.testing.assert_array_equal(planes.bytes, fresh.bytes)


@pytest.mark.parametrize(
    ("colour", "samples"),
    [
        ((0, 0, 0), (16, 128, 128)),
        ((255, 255, 255), (235, 128, 128)),
        ((255, 0, 0), (63, 102, 240)),
        ((0, 255, 0), (173, 42, 26)),
        ((0, 0, 255), (32, 240, 118)),
    ],
)
@pytest.mark.parametrize("full_chroma", [False, True])
def test_the_corners_of_the_colour_cube_reach_the_ends_of_the_range(
    colour: tuple[int, int, int], samples: tuple[int, int, int], full_chroma: bool
) -> None:
    pixels: Pixels = np.full((2, 2, 3), colour, np.uint8)
    planes = Planes(2, 2, full_chroma=full_chroma)
    planes.update(pixels, whole(pixels))
    for plane, sample in zip((planes.luma, planes.blue, planes.red), samples, strict=True):
        assert (plane == sample).all()
