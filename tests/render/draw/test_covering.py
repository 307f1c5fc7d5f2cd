"""The rectangles that are copied for another thread, and that the flash meter reads."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from undoku.render.draw.canvas import Canvas, Change, Rect, covering
from undoku.render.draw.film_parts import snapshot_part

RECTS = st.lists(
    st.builds(Rect, *(st.integers(0, 20),) * 2, *(st.integers(1, 20),) * 2), min_size=1, max_size=8
)


@given(RECTS)
def test_every_changed_pixel_is_covered_and_none_of_the_largest_change_twice(
    rects: list[Rect],
) -> None:
    changed, covered = np.zeros((2, 40, 40), int)
    for rect in rects:
        changed[rect.y : rect.bottom, rect.x : rect.right] = 1
    found = covering([Change(rect) for rect in rects])
    for rect in found:
        covered[rect.y : rect.bottom, rect.x : rect.right] = 1
    assert np.array_equal(changed, covered)
    largest = max(found, key=lambda rect: rect.width * rect.height)
    assert not any(largest.contains(rect) for rect in found if rect is not largest)


def test_a_picture_that_is_drawn_over_is_copied_once_for_a_thread() -> None:
    """Where a layout changes, the whole picture was copied up to four times."""
    canvas = Canvas(64, 32)
    whole = Rect(0, 0, 64, 32)
    for colour in range(3):
        canvas.fill(whole, (colour, 0, 0))
        canvas.fill(Rect(8, 8, 16, 16), (0, colour, 0))
    copied = snapshot_part(canvas.frame(), np.zeros_like(canvas.pixels))
    assert sum(pixels.nbytes for _, pixels in copied.changed) == canvas.pixels.nbytes
    copied.place()
    assert np.array_equal(copied.part.pixels, canvas.pixels)
