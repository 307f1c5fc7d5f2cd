"""The layouts of stories: what a viewer must be able to see and read, at any size."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import combinations, product
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from tests.support.amounts import few
from undoku import SettingsError
from undoku.render.draw.canvas import Rect
from undoku.render.draw.fonts import Face
from undoku.render.draw.lettering import glyph_box, line_height, text_width
from undoku.render.layout.page import Layout, arrange
from undoku.render.layout.panel_kind import PanelKind
from undoku.render.layout.story_layout import StoryLayouts, story_layouts
from undoku.render.panels.panel_registry import named

WIDE = [(640, 360), (1280, 720)]
TALL = [(360, 640), (1080, 1920)]
SQUARE = [(360, 360), (720, 720)]
SIDES = [4, 9, 16, 25]
VERTICAL_APP = [Fraction(share) for share in ("4.45", "10.42", "11.11", "25")]
"""The margins that an app's own buttons cover."""

SOLUTIONS = named(["solutions"])

even = st.integers(80, 1100).map(lambda half: 2 * half)
margins = st.sampled_from([(), VERTICAL_APP, [Fraction(5)] * 4])
several = st.integers(1, 6)


def laid_out(
    width: int,
    height: int,
    searches: int,
    side: int = 9,
    margins: list[Fraction] | tuple[()] = (),
    panels: tuple[PanelKind, ...] = (),
) -> StoryLayouts:
    try:
        return of_film(width, height, searches, side, margins=margins, panels=panels)
    except SettingsError:
        assume(False)
        raise


def of_film(width: int, height: int, searches: int, side: int = 9, **more: Any) -> StoryLayouts:
    """The layouts of a film, in which of more than three searches two have names."""
    story = story_layouts(width, height, searches, side, **more)
    return story.naming(ends(searches)) if searches > 3 else story


def ends(searches: int) -> list[int]:
    """The first search and the last one: those between them are laid out as they are."""
    return sorted({0, searches - 1})


def all_of(story: StoryLayouts) -> Iterator[Layout]:
    """Each kind of layout of a story."""
    yield story.together
    for number in ends(len(story.together.blocks)):
        yield story.lit(number)
        yield story.laps(number)


def texts_and_boards(layout: Layout) -> list[Rect]:
    """All regions, without those that take turns with others: the speed of the clock with the
    sentence, the doors with bar and facts."""
    found = [box for box in (layout.sentence, layout.chart, layout.laps) if box]
    for block in layout.blocks:
        found += [block.name, block.board]
        found += [box for name, box in block.panels.items() if name != "doors"]
    return found


def x_height(size: int) -> int:
    _, top, _, bottom = glyph_box("x", Face.BOLD, size)
    return bottom - top


@few(6)
@given(even, even, several, st.integers(4, 25), margins, st.sampled_from([(), SOLUTIONS]))
def test_nothing_overlaps_and_all_is_within_the_safe_area(
    width: int,
    height: int,
    searches: int,
    side: int,
    margins: list[Fraction],
    panels: tuple[PanelKind, ...],
) -> None:
    for layout in all_of(laid_out(width, height, searches, side, margins, panels)):
        assert len(layout.blocks) == searches
        regions = texts_and_boards(layout)
        assert not any(one.overlaps(other) for one, other in combinations(regions, 2))
        for block in layout.blocks:
            ring = block.board.inset(-4)
            assert layout.safe.contains(ring) or block.cell < 16
            if doors := block.panels.get("doors"):
                own = {block.panels.get("bar"), block.panels.get("facts")}
                others = [each for each in regions if each not in own]
                assert not any(doors.overlaps(other) for other in others)
                regions.append(doors)
        assert all(layout.safe.contains(region) for region in regions)
        if layout.footer:
            assert layout.sentence and layout.sentence.contains(layout.footer)


@few(6)
@given(even, even, several, st.integers(4, 25))
def test_what_is_shown_has_room(width: int, height: int, searches: int, side: int) -> None:
    """Lines of text have their height, boards have one size of cells, bars can be seen."""
    for layout in all_of(laid_out(width, height, searches, side)):
        text = layout.text
        assert min(text.name, text.sentence, text.number, text.label) >= 11
        line = line_height(Face.BOLD, text.sentence)
        for block in layout.blocks:
            assert not block.name.width or block.name.height >= line_height(Face.BOLD, text.name)
            assert block.board.width == block.board.height >= block.cell * side
            assert block.cell >= (4 if block.name.width else 2)
            if block.centred and block.name.width:
                middle = block.board.x + block.board.right
                assert abs(block.name.x + block.name.right - middle) <= 1
            if facts := block.panels.get("facts"):
                assert facts.height >= line
                # Beside a name on three lines there is room for the number alone.
                least = "17,536" if block.name.height >= 3 * line else "17,536 steps"
                assert facts.width >= text_width(least, Face.BOLD, text.sentence)
            if bar := block.panels.get("bar"):
                assert bar.height >= 4
                assert bar.width > bar.height
        if layout.sentence:
            assert layout.sentence.height >= line


@pytest.mark.parametrize("side", [4, 9, 10, 16, 20, 25])
@pytest.mark.parametrize("size", [*WIDE, (854, 480), (1920, 1080)])
def test_two_boards_take_six_tenths_of_a_wide_pictures_height(
    size: tuple[int, int], side: int
) -> None:
    """Beside each other, always at the same places."""
    story = story_layouts(*size, 2, side)
    layout = story.together
    assert story.lit(0) is story.lit(1) is layout
    one, other = (block.board for block in layout.blocks)
    assert one.y == other.y
    assert one.height == other.height >= 0.6 * size[1]
    assert layout.text.name >= 0.0367 * size[0]
    assert layout.sentence
    assert layout.sentence.height >= 2 * line_height(Face.BOLD, layout.text.sentence)


@pytest.mark.parametrize(
    ("size", "searches"), [*product(WIDE + TALL + SQUARE, (1, 2)), *product(WIDE[1:], (3,))]
)
def test_a_phone_shows_letters_with_an_x_height_of_eight_pixels(
    size: tuple[int, int], searches: int
) -> None:
    """At a width of 390 pixels."""
    for layout in all_of(story_layouts(*size, searches)):
        text = layout.text
        assert min(text.sentence, text.number) >= 0.0367 * size[0]
        assert round(x_height(text.sentence) * 390 / size[0]) >= 8
        if searches < 3:
            assert text.name == text.sentence


@pytest.mark.parametrize("searches", [4, 5, 6])
@pytest.mark.parametrize("size", WIDE + TALL + SQUARE[1:])
def test_of_many_searches_two_have_names_in_such_letters_and_the_others_stay_where_they_are(
    size: tuple[int, int], searches: int
) -> None:
    """Beside these two, as small boards with bars."""
    story = story_layouts(*size, searches).naming([1, 2])
    places = set()
    for layout in (story.together, story.lit(1), story.lit(2), story.laps(1)):
        assert layout.text.sentence >= 0.0367 * size[0]
        named = [number for number, block in enumerate(layout.blocks) if block.name.width]
        assert named == [1, 2]
        others = [block for number, block in enumerate(layout.blocks) if number not in named]
        assert all(block.board.width >= 36 for block in others)
        assert all([*block.panels] == ["bar"] for block in others)
        places.add(tuple(block.board for block in others))
    assert len(places) == 1


@pytest.mark.parametrize("searches", [1, 2, 3])
@pytest.mark.parametrize("size", SQUARE[1:])
def test_a_square_picture_is_filled(size: tuple[int, int], searches: int) -> None:
    """At most 35 % of it are outside of boards, texts and charts, and before the laps its large
    board takes seven tenths of its height."""
    story = story_layouts(*size, searches)
    for layout in all_of(story):
        used = sum(box.width * box.height for box in texts_and_boards(layout))
        assert used >= 0.65 * size[0] * size[1]
    for number in range(searches):
        assert story.lit(number).blocks[number].board.height >= 0.7 * size[1]
    assert max(block.board.height for block in story.together.blocks) >= 0.7 * size[1]


@pytest.mark.parametrize("searches", [5, 6])
@pytest.mark.parametrize("size", SQUARE[1:])
def test_many_boards_of_a_square_picture_are_larger_than_their_texts(
    size: tuple[int, int], searches: int
) -> None:
    """Names have two lines above boards in three columns: a board takes a quarter of the height."""
    layout = story_layouts(*size, searches).together
    assert layout.blocks[0].board.height >= 0.25 * size[1]
    assert layout.text.name >= 0.0367 * size[0]


def test_small_pictures_with_margins_hold_four_boards() -> None:
    """As for platforms whose buttons cover a part of a tall picture."""
    margins = [Fraction(share) for share in (4, 10, 11, 25)]
    layout = story_layouts(270, 480, 4, margins=margins).together
    assert all(layout.safe.contains(block.board) for block in layout.blocks)
    assert all("bar" in block.panels for block in layout.blocks)


@pytest.mark.parametrize("margins", [(), VERTICAL_APP])
@pytest.mark.parametrize("searches", [1, 2])
@pytest.mark.parametrize("size", TALL)
def test_the_large_board_of_a_tall_picture_is_as_wide_as_the_safe_area(
    size: tuple[int, int], searches: int, margins: list[Fraction]
) -> None:
    """Up to the size of its cells."""
    story = story_layouts(*size, searches, margins=margins)
    for number in range(searches):
        layout = story.lit(number)
        board = layout.blocks[number].board
        assert board.width >= 0.88 * layout.safe.width
        assert all(block.board.width <= board.width for block in layout.blocks)


@pytest.mark.parametrize("side", SIDES)
@pytest.mark.parametrize("size", WIDE)
def test_three_boards_are_in_a_row_and_as_large_as_the_width_allows(
    size: tuple[int, int], side: int
) -> None:
    layout = story_layouts(*size, 3, side).together
    boards = [block.board for block in layout.blocks]
    assert len({(board.y, board.width) for board in boards}) == 1
    assert 3 * boards[0].width >= (0.83 if side < 25 else 0.8) * size[0]


@pytest.mark.parametrize("searches", range(2, 7))
@pytest.mark.parametrize("size", WIDE)
def test_the_board_that_goes_on_grows_and_the_others_shrink(
    size: tuple[int, int], searches: int
) -> None:
    """Of many searches those with names."""
    story = of_film(*size, searches)
    for number in ends(searches):
        laps = story.laps(number)
        for at, (before, after) in enumerate(zip(story.together.blocks, laps.blocks, strict=True)):
            if at == number:
                assert after.board.width > 1.1 * before.board.width
            elif before.name.width:
                assert after.board.width < 0.7 * before.board.width
            else:
                assert after.board == before.board


@few(6)
@given(even, even, st.integers(2, 6), st.sampled_from(SIDES), margins)
def test_the_board_that_goes_on_has_a_chart_and_a_lap_counter(
    width: int, height: int, searches: int, side: int, margins: list[Fraction]
) -> None:
    """The chart has the whole width and up to a fifth of the height, the counter two lines."""
    story = laid_out(width, height, searches, side, margins)
    for number in ends(searches):
        layout = story.laps(number)
        assume(layout.chart)
        assert layout.chart
        assert layout.chart.width == layout.inside.width
        assert 0.1 <= layout.chart.height / layout.safe.height <= 0.21
        assert layout.laps
        assert layout.laps.height >= 2 * line_height(Face.BOLD, layout.text.sentence)
        sizes = [block.board.width for block in layout.blocks]
        assert sizes[number] == max(sizes)
        assert sorted(sizes)[-2] < sizes[number]


@few(6)
@given(even, even, st.sampled_from(SIDES), margins)
def test_no_board_passes_another_on_its_way_to_the_laps(
    width: int, height: int, side: int, margins: list[Fraction]
) -> None:
    """What is on the left of a board or above it is not on its right or below it afterwards, unless
    both are also in this order in the other direction. More than two boards may fade instead."""
    story = laid_out(width, height, 2, side, margins)
    start = [block.board for block in story.together.blocks]
    assume(len({board.width for board in start}) == 1)
    for number in range(2):
        assert is_kept(*start, *(block.board for block in story.laps(number).blocks))


def is_kept(one: Rect, other: Rect, one_after: Rect, other_after: Rect) -> bool:
    """Whether two boards that move along straight lines at the same time stay apart: they are in
    the same order along one of the two directions all the time."""
    across = [
        (a.right <= b.x) - (b.right <= a.x) for a, b in ((one, other), (one_after, other_after))
    ]
    along = [
        (a.bottom <= b.y) - (b.bottom <= a.y) for a, b in ((one, other), (one_after, other_after))
    ]
    return across[0] * across[1] != -1 or along[0] * along[1] == 1


@pytest.mark.parametrize("searches", range(3, 7))
@pytest.mark.parametrize("size", [*WIDE, *TALL[1:], *SQUARE[1:]])
def test_the_lit_board_of_many_is_clearly_larger_than_the_others(
    size: tuple[int, int], searches: int
) -> None:
    """In wide pictures six tenths of the height, where two with names are equally large; a phone
    shows letters with an x-height of eight pixels."""
    story = of_film(*size, searches)
    for number in ends(searches):
        layout = story.lit(number)
        sizes = [block.board.width for block in layout.blocks]
        lit = sizes.pop(number)
        if searches > 3 and size in WIDE:
            assert sizes.pop(0 if number else -1) == lit
        assert lit >= 1.5 * max(sizes)
        assert lit >= (0.6 if size in WIDE else 0.55) * min(size)
        assert round(x_height(layout.text.sentence) * 390 / size[0], 1) >= 7.9
        assert layout.text.name == layout.text.sentence >= 0.0367 * size[0]


@pytest.mark.parametrize("searches", [1, 2, 3])
@pytest.mark.parametrize("size", [(1280, 720), (1920, 1080), (720, 720), (1080, 1080)])
def test_large_boards_of_usual_sizes_are_on_the_grid(size: tuple[int, int], searches: int) -> None:
    """So that what changes covers few macroblocks."""
    for layout in all_of(story_layouts(*size, searches)):
        block = max(layout.blocks, key=lambda block: block.cell)
        assert block.cell % (4 if searches == 2 else 2) == 0
        assert block.board.x % 4 == 0
        assert block.board.y % 2 == 0


@few(6)
@given(st.integers(80, 120), st.integers(1, 2))
def test_small_pictures_are_boards_bars_and_sentences(half: int, searches: int) -> None:
    """A sentence about a wrong digit has two lines, beside a single board up to four."""
    height = 2 * half
    layout = story_layouts(height * 16 // 9 // 2 * 2 + 2, height, searches).together
    assert layout.sentence
    line = line_height(Face.BOLD, layout.text.sentence)
    assert 2 * line <= layout.sentence.height <= (4 if searches == 1 else 2) * line
    for block in layout.blocks:
        assert block.board.height >= 0.48 * height
        assert "bar" in block.panels


@pytest.mark.parametrize("size", [(720, 720), (1080, 1920)])
@pytest.mark.parametrize("searches", [1, 2])
def test_solutions_have_a_box_where_there_is_room(size: tuple[int, int], searches: int) -> None:
    layout = story_layouts(*size, searches, panels=SOLUTIONS).lit(0)
    plain = story_layouts(*size, searches).lit(0)
    assert layout.blocks[0].cell >= plain.blocks[0].cell
    if size != (720, 720):
        box = layout.blocks[0].panels["solutions"]
        assert min(box.width, box.height) >= 3 * layout.text.label


@few(6)
@given(even, even, several, st.sampled_from(SIDES))
def test_whatever_has_room_for_boards_is_laid_out(
    width: int, height: int, searches: int, side: int
) -> None:
    try:
        arrange(width, height, searches, side, title=False)
    except SettingsError:
        return
    assert story_layouts(width, height, searches, side).together


@pytest.mark.parametrize(
    ("size", "remedy"),
    [
        ((1281, 720), "take 1282×720"),
        ((100, 720), "take 160 to 8192"),
        ((320, 320), "too small for 6 boards of size 25"),
    ],
)
def test_an_impossible_size_is_refused(size: tuple[int, int], remedy: str) -> None:
    with pytest.raises(SettingsError, match=remedy):
        story_layouts(*size, 6, 25)


def test_one_board_without_room_is_one_board() -> None:
    with pytest.raises(SettingsError, match="too small for 1 board of size 28"):
        arrange(160, 160, 1, 28)
