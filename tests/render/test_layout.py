"""The layout: nothing overlaps, all is inside, blocks are alike."""

from __future__ import annotations

from itertools import combinations

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from render.canvas import Rect
from render.layout import Layout, arrange
from render.lettering import Face, line_height
from solver import SettingsError

even = st.integers(160, 1200).map(lambda half: 2 * half)


def laid_out(width: int, height: int, searches: int, size: int, title: bool = True) -> Layout:
    try:
        return arrange(width, height, searches, size, title=title)
    except SettingsError:
        assume(False)
        raise


@given(even, even, st.integers(1, 6), st.sampled_from([4, 6, 9, 16, 25]), st.booleans())
def test_no_two_regions_overlap_and_all_are_inside(
    width: int, height: int, searches: int, size: int, title: bool
) -> None:
    layout = laid_out(width, height, searches, size, title)
    whole = Rect(0, 0, width, height)
    for region in layout.regions():
        assert whole.contains(region)
    for first, second in combinations(layout.regions(), 2):
        assert not first.overlaps(second)


@given(even, even, st.integers(1, 6), st.sampled_from([4, 9, 16]))
def test_boards_are_alike_and_snap_to_the_grid(
    width: int, height: int, searches: int, size: int
) -> None:
    """All boards have one size, and each corner is on the grid."""
    layout = laid_out(width, height, searches, size)
    assert len(layout.blocks) == searches
    assert (
        len({(block.cell, block.board.width, len(block.counters)) for block in layout.blocks}) == 1
    )
    for block in layout.blocks:
        assert block.board.x % layout.grid == 0
        assert block.board.y % layout.grid == 0
        assert block.cell % 2 == 0 or block.cell < 16
        assert block.board.width == block.board.height >= block.cell * size


@given(even, even, st.integers(1, 6))
def test_text_is_never_smaller_than_eleven_pixels(width: int, height: int, searches: int) -> None:
    layout = laid_out(width, height, searches, 9)
    text = layout.text
    sizes = (text.title, text.name, text.status, text.number, text.label, text.footer)
    assert min(sizes) >= 11
    for block in layout.blocks:
        assert block.name.height >= line_height(Face.BOLD, text.name)


@pytest.mark.parametrize(
    ("width", "height", "searches", "cell"),
    [
        (1280, 720, 2, 48),
        (640, 360, 2, 24),
        (1080, 1080, 2, 48),
        (720, 1280, 2, 48),
        (1280, 720, 1, 64),
        (1920, 1080, 2, 80),
    ],
)
def test_cells_of_the_usual_sizes_are_whole_macroblocks_or_halves(
    width: int, height: int, searches: int, cell: int
) -> None:
    """What changes often then covers few 16-pixel blocks."""
    layout = arrange(width, height, searches)
    assert layout.blocks[0].cell == cell
    assert cell % 8 == 0
    assert len(layout.blocks[0].counters) == 3


@pytest.mark.parametrize(("width", "height"), [(1281, 720), (1280, 721)])
def test_an_odd_size_is_refused_with_the_next_even_one(width: int, height: int) -> None:
    with pytest.raises(SettingsError, match=r"take 128[02]×72[02]"):
        arrange(width, height, 2)


@pytest.mark.parametrize(("width", "height"), [(0, 0), (100, 720), (100_000, 720)])
def test_a_size_out_of_range_is_refused(width: int, height: int) -> None:
    with pytest.raises(SettingsError, match="take 160 to 8192"):
        arrange(width, height, 1)


def test_a_picture_too_small_for_its_boards_is_refused() -> None:
    with pytest.raises(SettingsError, match="too small for 6 boards of size 25"):
        arrange(320, 320, 6, 25)
