"""The layout: nothing overlaps, all is inside, blocks are alike."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import undoku.render.draw.line_breaks
from tests.support.amounts import few
from tests.support.films import assert_apart, make_film
from tests.support.made_fonts import forget_fonts
from undoku import Limits, Puzzle, SettingsError, search
from undoku.render.draw.canvas import Rect, bounding
from undoku.render.draw.fonts import Face
from undoku.render.draw.lettering import fitted_name, line_height, text_width
from undoku.render.draw.line_breaks import name_lines
from undoku.render.draw.sprites import BoxedText
from undoku.render.draw.unit_marks import strong_width
from undoku.render.film.film import Film
from undoku.render.layout.block_measures import USUAL_COUNTERS
from undoku.render.layout.page import Layout, arrange
from undoku.render.layout.panel_kind import PanelKind, Shape, Space
from undoku.render.panels.panel_registry import named, shown_panels
from undoku.render.panels.panel_registry import panels as known_panels
from undoku.render.settings.settings import FilmSettings, settings_of
from undoku.render.timeline.timeline import Phase
from undoku.solver.problem.puzzle import standard_geometry
from undoku.solver.problem.variants import (
    latin_geometry,
    with_diagonals,
    with_groups,
    with_windows,
)
from undoku.texts.counter_kinds import COUNTERS, CounterKind

even = st.integers(160, 1200).map(lambda half: 2 * half)


PANELS = known_panels()
DEFAULT_PANELS = [kind.name for kind in shown_panels(FilmSettings())]
OMITTED = [kind.name for kind in sorted(PANELS, key=lambda kind: kind.rank)[:4]]
panels = st.sets(st.sampled_from([kind.name for kind in PANELS])).map(sorted)


def laid_out(
    width: int,
    height: int,
    searches: int,
    size: int,
    title: bool = True,
    panels: Sequence[str] = DEFAULT_PANELS,
    legend: bool = False,
    counters: Sequence[CounterKind] = USUAL_COUNTERS,
    *,
    sentence: bool = False,
) -> Layout:
    try:
        return arrange(
            width,
            height,
            searches,
            size,
            title=title,
            panels=named(panels),
            legend=legend,
            counters=counters,
            sentence=sentence,
        )
    except SettingsError:
        assume(False)
        raise


sizes = st.integers(4, 25)


@given(even, even, st.integers(1, 6), sizes, st.booleans(), panels, st.booleans(), st.booleans())
def test_no_two_regions_overlap_and_all_are_inside(
    width: int,
    height: int,
    searches: int,
    size: int,
    title: bool,
    panels: list[str],
    legend: bool,
    story: bool,
) -> None:
    layout = laid_out(
        width,
        height,
        searches,
        size,
        title,
        panels,
        legend,
        sentence=story,
    )
    assert bool(layout.legend) == legend
    assert bool(layout.sentence) == (story and layout.footer is not None)
    assert layout.safe == Rect(0, 0, width, height)
    assert_apart(layout)


@given(even, even, st.integers(1, 6), st.sampled_from([4, 9, 16]))
def test_boards_are_alike_and_snap_to_the_grid_and_no_text_is_smaller_than_eleven_pixels(
    width: int, height: int, searches: int, size: int
) -> None:
    """All boards have one size, at least seven tenths of that without charts, and each corner is on
    the grid, or half of it."""
    layout = laid_out(width, height, searches, size)
    bare = laid_out(width, height, searches, size, panels=["board", "counters"])
    assert layout.blocks[0].cell >= bare.blocks[0].cell * 0.7
    text = layout.text
    texts = (text.title, text.name, text.status, text.number, text.label, text.footer)
    assert min(texts) >= 11
    assert len(layout.blocks) == searches
    assert (
        len({(block.cell, block.board.width, len(block.counters)) for block in layout.blocks}) == 1
    )
    for block in layout.blocks:
        assert block.board.x % (layout.grid // 2) == 0
        assert block.board.y % (layout.grid // 2) == 0
        assert block.cell % 2 == 0 or block.cell < 16
        assert block.board.width == block.board.height >= block.cell * size
        assert block.name.height >= line_height(Face.BOLD, text.name)


@given(
    even,
    even,
    st.integers(1, 6),
    sizes,
    panels,
    st.lists(st.sampled_from(COUNTERS), min_size=1, unique=True),
)
def test_charts_and_counters_have_room_for_what_they_show(
    width: int,
    height: int,
    searches: int,
    size: int,
    panels: list[str],
    counters: list[CounterKind],
) -> None:
    """A caption and three lines of chart, a pixel for each depth, a label above a number."""
    layout = laid_out(width, height, searches, size, panels=panels, counters=counters)
    label = line_height(Face.REGULAR, layout.text.label)
    number = line_height(Face.REGULAR, layout.text.number)
    for block in layout.blocks:
        for panel in ("depth", "tree"):
            if chart := block.panels.get(panel):
                assert chart.height >= label + 3 * layout.text.label
                assert chart.width >= text_width("backtracks", Face.REGULAR, layout.text.label)
        # Where there is room for two alone, a long number is shortened, but no label.
        for kind, counter in zip(layout.counters, block.counters, strict=False):
            assert counter.height >= label + number
            assert counter.width >= text_width(kind.label(), Face.REGULAR, layout.text.label)
            usual = kind.usual if len(block.counters) > 2 else min(kind.usual, "88.8M", key=len)
            assert counter.width >= text_width(usual, Face.REGULAR, layout.text.number)
        if heat := block.panels.get("heat"):
            assert min(heat.width, heat.height - label) >= 3 * size
        if why := block.panels.get("why"):
            assert why.height >= line_height(Face.REGULAR, layout.text.status)


MADE_UP = [
    PanelKind(f"{shape.name}-{number}", "", Space(shape, 2 + number), "", rank=10 * at + number)
    for at, shape in enumerate((Shape.TIMELINE, Shape.CHART, Shape.MAP, Shape.LINE))
    for number in range(3)
]
"""Panels that other packages might add: several of each shape."""


@given(
    even,
    even,
    st.integers(1, 6),
    sizes,
    st.lists(st.sampled_from(MADE_UP), unique=True, max_size=8),
    st.booleans(),
)
def test_panels_of_other_packages_have_room_too(
    width: int, height: int, searches: int, size: int, kinds: list[PanelKind], counters: bool
) -> None:
    """However many of each shape: none overlaps another, and each has what it needs."""
    try:
        layout = arrange(
            width, height, searches, size, panels=[*kinds, *named(["counters"] * counters)]
        )
    except SettingsError:
        assume(False)
    assert set(layout.panels) <= set(kinds)
    label = line_height(Face.REGULAR, layout.text.label)
    assert_apart(layout)
    for block in layout.blocks:
        assert set(block.panels) == {kind.name for kind in layout.panels}
        for kind in layout.panels:
            box = block.panels[kind.name]
            if kind.space.shape is Shape.LINE:
                assert box.height >= line_height(Face.REGULAR, layout.text.status)
            elif kind.space.shape is Shape.MAP:
                assert min(box.width, box.height - label) >= 3 * size
            else:
                assert box.height >= label + kind.space.lines * layout.text.label


@given(even, even, st.integers(1, 6), panels)
def test_only_what_was_requested_is_shown_and_the_last_in_order_goes_first(
    width: int, height: int, searches: int, panels: list[str]
) -> None:
    layout = laid_out(width, height, searches, 9, panels=panels)
    block = layout.blocks[0]
    shown = {name for name in OMITTED if name in block.panels}
    assert shown <= set(panels)
    wanted = [name for name in OMITTED if name in panels]
    missing = [name for name in wanted if name not in shown]
    assert missing == wanted[: len(missing)]
    assert not block.counters or "counters" in panels


@given(even, even, st.integers(1, 6))
def test_a_legend_costs_the_boards_no_more_than_a_line(
    width: int, height: int, searches: int
) -> None:
    """It stands below the boards, as wide as the bar of progress, high enough for its numbers."""
    layout = laid_out(width, height, searches, 9, legend=True)
    legend, line = layout.legend, line_height(Face.REGULAR, layout.text.label)
    assert legend and layout.progress
    assert line <= legend.height <= 1.6 * line + 4  # texts beside boards may be smaller
    assert (legend.x, legend.right) == (layout.progress.x, layout.progress.right)
    for block in layout.blocks:
        box = bounding(block.regions())
        assert box and box.bottom <= legend.y < layout.progress.y


@given(even, even, st.integers(1, 6))
def test_blocks_of_a_row_are_separate_and_centred(width: int, height: int, searches: int) -> None:
    """The space to the left of the first block and that to the right of the last one differ by less
    than two grid steps."""
    layout = laid_out(width, height, searches, 9)
    boxes = [bounding(block.regions()) for block in layout.blocks]
    rows: dict[int, list[Rect]] = {}
    for box in boxes:
        assert box is not None
        rows.setdefault(box.y, []).append(box)
    for row in rows.values():
        left, right = row[0].x, width - row[-1].right
        assert abs(left - right) <= 2 * layout.grid
        for first, second in pairwise(row):
            assert second.x - first.right >= layout.grid // 2


@pytest.mark.parametrize(
    ("width", "height", "searches", "cell"),
    [
        (1280, 720, 2, 48),
        (640, 360, 2, 24),
        (1080, 1080, 2, 48),
        (720, 1280, 2, 48),
        (1280, 720, 1, 64),
        (1920, 1080, 2, 64),
    ],
)
def test_cells_of_the_usual_sizes_are_whole_macroblocks_or_halves(
    width: int, height: int, searches: int, cell: int
) -> None:
    """What changes often then covers few 16-pixel blocks."""
    layout = arrange(width, height, searches, panels=shown_panels(FilmSettings()))
    assert layout.blocks[0].cell == cell
    assert cell % 8 == 0
    assert len(layout.blocks[0].counters) == 2
    assert set(layout.blocks[0].panels) == {"depth", "tree"}


def test_an_unknown_panel_is_refused() -> None:
    with pytest.raises(SettingsError, match="there is no panel 'bord'"):
        named(["board", "bord"])


@pytest.mark.parametrize(
    ("size", "remedy"),
    [
        ((1281, 720), "take 1282×720"),
        ((1280, 721), "take 1280×722"),
        ((0, 0), "take 160 to 8192"),
        ((100, 720), "take 160 to 8192"),
        ((100_000, 720), "take 160 to 8192"),
        ((320, 320), "too small for 6 boards of size 25"),
    ],
)
def test_an_impossible_size_is_refused(size: tuple[int, int], remedy: str) -> None:
    """An odd one with the next even one."""
    with pytest.raises(SettingsError, match=remedy):
        arrange(*size, 6, 25)


BOARDS = {
    "plain": standard_geometry(),
    "four": standard_geometry(4),
    "sixteen": standard_geometry(16),
    "crossed": with_diagonals(with_windows(standard_geometry())),
    "groups": with_groups(standard_geometry(6)),
    "latin": latin_geometry(7),
}


@few(6)
@given(
    st.sampled_from([(320, 180), (640, 360), (360, 640), (480, 480), (540, 676), (1920, 1080)]),
    st.integers(1, 6),
    st.sampled_from(sorted(BOARDS)),
    panels,
    st.sampled_from(["", "beside", "overlay"]),
    st.sampled_from(["", "A title"]),
    st.sampled_from([1, 30]),
)
def test_nothing_is_drawn_outside_its_region(
    size: tuple[int, int],
    searches: int,
    board: str,
    panels: list[str],
    heat: str,
    title: str,
    rate: int,
) -> None:
    """Whatever a film shows: every change of a frame lies in one region, a finished board's frame
    just around it. Name and status share their line as they need it."""
    puzzle = Puzzle((0,) * BOARDS[board].cells, BOARDS[board])
    names = ["mrv", "row-major", "mrv+singles", "random:1", "most", "spiral"][:searches]
    traces = [search(puzzle, name, Limits(max_nodes=40)) for name in names]
    values: dict[str, Any] = {"size": size, "panels": panels or ["board"], "title": title}
    try:
        made = Film(traces, settings_of({**values, "heat": heat, "steps_per_frame": rate}))
    except SettingsError:
        assume(False)
    regions = made.layout.regions()
    for block in made.layout.blocks:
        regions.append(block.board.inset(-strong_width(block.cell)))
        regions += filter(None, [bounding([block.name, block.status])])
    shots = [shot for shot in made.timeline.shots() if shot.phase is not Phase.CARD]
    whole, *frames = ([*frame.changes] for frame in made.draw(shots))
    for changes in [whole[1:], *frames]:
        for rect, _ in changes:
            assert any(region.contains(rect) for region in regions)


def test_one_search_has_the_rest_beside_a_board_as_high_as_the_picture() -> None:
    """Its counters in a small picture."""
    small = arrange(426, 238, 1, panels=shown_panels(FilmSettings()))
    assert small.blocks[0].board.height >= 0.7 * 238
    assert len(small.blocks[0].counters) == 2
    (block,) = arrange(1280, 720, 1, panels=shown_panels(FilmSettings())).blocks
    assert block.board.height >= 0.8 * 720


def test_a_film_of_exhaustive_searches_has_labels_of_twenty_pixels_at_720p() -> None:
    """Their solutions are beside the board, which does not get smaller."""
    panels = named(["board", "counters", "solutions"])
    layout = arrange(1280, 720, 2, panels=panels)
    assert "solutions" in layout.blocks[0].panels
    assert layout.text.label >= 20
    assert layout.text.number >= 31
    assert layout.blocks[0].cell == 48


# Names that don't fit are shortened so that they can still be told apart.


@given(st.text("abcdefg+-/:019", min_size=1, max_size=60), st.integers(20, 400))
def test_a_name_fits_and_keeps_both_its_ends(name: str, width: int) -> None:
    shown = fitted_name(name, Face.BOLD, 17, width)
    assert text_width(shown, Face.BOLD, 17) <= width
    if shown != name and len(shown) > 4:
        head, tail = shown.split("…")
        assert name.startswith(head)
        assert name.endswith(tail)


@given(
    st.lists(st.text("abcdefghij", min_size=1, max_size=9), min_size=1, max_size=8).map(" ".join),
    st.integers(30, 400),
    st.integers(1, 3),
)
def test_a_name_is_set_on_as_few_lines_as_it_needs_and_cut_last(
    name: str, width: int, most: int
) -> None:
    lines = name_lines(name, Face.BOLD, 17, width, most)
    assert 1 <= len(lines) <= most
    assert all(text_width(line, Face.BOLD, 17) <= width for line in lines)
    if len(lines) > 1:
        assert text_width(name, Face.BOLD, 17) > width
    if "…" not in "".join(lines) and all(lines):
        assert " ".join(lines) == name


def test_first_words_are_left_out_before_any_is_cut() -> None:
    width = text_width("…options", Face.BOLD, 12)
    names = "Fewest options first", "Fewest options at the end"
    shown = [name_lines(name, Face.BOLD, 12, width, 2) for name in names]
    assert shown == [("…options", "first"), ("…at the", "end")]
    assert name_lines(names[0], Face.BOLD, 12, 2 * width, 1) == ("…options first",)


def test_two_lines_are_about_equally_long() -> None:
    name = "Fewest options first, forced digits, pairs"
    assert name_lines(name, Face.BOLD, 24, 400) == (
        "Fewest options first,",
        "forced digits, pairs",
    )


def test_the_name_the_spec_and_the_colour_of_each_search_are_beside_its_board() -> None:
    made = make_film("row-major", "mrv+singles", width=1280, height=720)
    _, drawing = made.still(made.shot_of_step(30))
    lines = [drawn for drawn in drawing.drawn if isinstance(drawn, BoxedText)]
    pixels = made.still(made.shot_of_step(30))[0].pixels
    for number, block in enumerate(made.layout.blocks):
        box = block.name
        spot = pixels[box.y : box.bottom, box.x : box.x + 4].reshape(-1, 3)
        assert made.theme.search_colour(number) in set(map(tuple, spot.tolist()))
        inside = [
            line.text
            for line in lines
            if box.x <= line.rect.x < box.right and box.y <= line.rect.y < block.status.bottom
        ]
        assert (
            "".join(inside).replace(" ", "").startswith(made.labels[number].replace(" ", "")[:20])
        )
        assert made.headers[number].strategy in inside


def test_a_long_name_is_divided_without_trying_every_way(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of 50 words on three lines there are more than a thousand ways to divide each of a thousand
    ways to leave words out."""
    measured = 0

    def counted(text: str, face: Face, size: int) -> int:
        nonlocal measured
        measured += 1
        return text_width(text, face, size)

    monkeypatch.setattr(undoku.render.draw.line_breaks, "text_width", counted)
    forget_fonts()  # and with them the names that were divided before
    name = " ".join(f"w{number}" for number in range(50))
    lines = name_lines(name, Face.BOLD, 17, 300, 3)
    assert lines[0].startswith("…w") and lines[-1].endswith(" w49")
    assert all(text_width(line, Face.BOLD, 17) <= 300 for line in lines)
    assert measured < 6_000
