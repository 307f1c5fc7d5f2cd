"""Chooses the form of all blocks of a picture: the largest texts and the most panels with which
boards are large enough. Panels that do not fit are left out in the order of their ranks."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import partial

from undoku.render.draw.canvas import Rect
from undoku.render.draw.fonts import Face
from undoku.render.draw.lettering import glyph_box
from undoku.render.layout.block_measures import TextSizes
from undoku.render.layout.blocks import Form, best_form
from undoku.render.layout.panel_kind import PanelKind, Shape, by_shape
from undoku.texts.counter_kinds import CounterKind

_MIN_CELL_SHARE = 0.75
"""Panels beside the board may make its cells smaller, but not below this share."""

_TEXT_SHARES = (1, 0.85, 0.76, 0.68)
"""The size of texts in pictures of many boards, as shares of their usual size."""

_FOOTER_SHARE = 0.017
"""The size of the footer's letters relative to the picture's width: they are six pixels high if a
phone shows the picture 360 pixels wide."""

_MAX_BOARDS_OF_SENTENCES = 2
"""The most boards whose sentences have larger letters than names."""

_MIN_CELL_SHARE_OF_TEXTS, _MIN_SHARE_OF_SMALL_CELL = 0.85, 0.95
"""Larger texts may make cells smaller, but not below this share; the second one is that of cells
that are small in any case."""

_SMALL_CELL = 40
"""The pixels below which cells are small."""


def text_sizes(
    scale: float, width: int, searches: int, outside: TextSizes | None = None
) -> TextSizes:
    """The sizes of texts in a picture `width` pixels wide that is `scale` times as large as
    1280×720; those of the title and the footer are taken from `outside`. Below few boards there
    is room for large sentences."""

    def size(pixels: float, least: int) -> int:
        return max(least, round(pixels * scale))

    return TextSizes(
        title=outside.title if outside else size(30, 14),
        name=size(24, 12),
        sentence=size(29, 14) if searches <= _MAX_BOARDS_OF_SENTENCES else size(24, 12),
        status=size(20, 11),
        number=size(32, 13),
        label=size(20, 11),
        footer=outside.footer if outside else max(size(16, 11), round(_FOOTER_SHARE * width)),
    )


def form_with_largest_texts(
    area: Rect,
    searches: int,
    size: int,
    scale: float,
    text: TextSizes,
    gap: int,
    panels: Sequence[PanelKind],
    kinds: Sequence[CounterKind],
    least: int,
) -> tuple[Form | None, TextSizes]:
    """The form whose texts are largest, and their sizes: `text`, or smaller if boards or counters
    would otherwise lose too much. Title and footer do not change. Cells have at least `least`
    pixels if possible."""
    smaller = [text_sizes(scale * share, area.width, searches, text) for share in _TEXT_SHARES]
    forms = [
        (_richest_form(area, searches, size, each, gap, panels, kinds, least), each)
        for each in smaller
    ]
    tried = [(form, each) for form, each in forms if form]
    if not tried:
        return None, text
    plainest = tried[-1][0]
    small = plainest.cell < _SMALL_CELL
    share = _MIN_SHARE_OF_SMALL_CELL if small else _MIN_CELL_SHARE_OF_TEXTS
    return next(
        (form, each)
        for form, each in tried
        if form.cell >= plainest.cell * share
        and form.contents.counters >= plainest.contents.counters
    )


def _richest_form(
    area: Rect,
    searches: int,
    size: int,
    text: TextSizes,
    gap: int,
    panels: Sequence[PanelKind],
    kinds: Sequence[CounterKind],
    least: int,
) -> Form | None:
    """The form with as many of the `panels` as possible without making boards too small."""
    form_of = partial(best_form, area, searches, size, text, gap, kinds=kinds, least=least)
    counters = bool(by_shape(panels, Shape.COUNTERS))
    bare = form_of((), counters=counters)
    if bare is None or bare.cell < least:
        alone = form_of((), counters=False)
        if bare is None or (alone and alone.cell > bare.cell):
            return alone
    wanted = [kind for kind in panels if kind.space.shape not in (Shape.BOARD, Shape.COUNTERS)]
    for omitted in (None, *sorted(wanted, key=lambda kind: kind.rank)):
        if omitted:
            wanted.remove(omitted)
        form = form_of(tuple(wanted), counters=counters)
        if form and form.cell >= max(bare.cell * _MIN_CELL_SHARE, min(least, bare.cell)):
            return form
    return bare


_SIDE = 16
"""The width and height of a macroblock in pixels."""

_TALLEST = "0"
"""A digit that is as wide and as high as any other, except for some faint pixels."""


def slight_shifts(pitch: int, before: int, after: int) -> range:
    """Shifts in pixels that are hardly visible, for digits that are `pitch` pixels wide: back by at
    most `before` (>= 0), and on by at most `after` (>= 0), where there is room."""
    most = max(1, pitch // 8)
    return range(-min(most, before), min(most, after) + 1)


def column_shift(last: int, pitch: int, size: int, shifts: Iterable[int]) -> int:
    """The slightest of these shifts to the right, in pixels, after which the last digit of a number
    shares no column of macroblocks with the digit before it; 0 if there is none. The last digit
    changes most often. Its macroblocks then have ten contents instead of a hundred.

    Digits are `pitch` pixels wide, in letters of `size` pixels per em; the last one begins at the
    column `last`."""
    left, _, right, _ = glyph_box(_TALLEST, Face.REGULAR, size)
    for shift in sorted(shifts, key=abs):
        begins, ends_before = last + left + shift, last - pitch + right - 1 + shift
        if ends_before // _SIDE < begins // _SIDE:
            return shift
    return 0


def row_shift(top: int, size: int, shifts: Iterable[int]) -> int:
    """The slightest of these shifts downwards, in pixels, after which digits are in as few rows of
    macroblocks as possible. They are in letters of `size` pixels per em, whose line begins at the
    row `top`."""
    _, upper, _, lower = glyph_box(_TALLEST, Face.REGULAR, size)

    def rows(shift: int) -> int:
        return (top + lower - 1 + shift) // _SIDE - (top + upper + shift) // _SIDE

    return min(sorted(shifts, key=abs), key=rows)
