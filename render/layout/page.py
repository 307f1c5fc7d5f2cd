"""Where everything stands: panels placed for any even size and one to six searches.

Everything snaps to a grid of 16 pixels (a macroblock of H.264), or of 8 or 4 in small pictures,
so that what changes covers few macroblocks. What does not fit is left out in the order of the
panels' ranks.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from render.drawing.canvas import Rect
from render.layout.block_placement import cut_into_blocks
from render.layout.blocks import USUAL_COUNTERS, Block, Form, TextSizes, best_form
from render.layout.panel_kind import PanelKind, Shape, by_shape
from render.playback.counter_kinds import CounterKind
from render.style.lettering import Face, line_height
from solver.errors import SettingsError

__all__ = ["Block", "Layout", "TextSizes", "arrange"]

SMALLEST = 160
LARGEST = 8192

_LEAST_SHARE = 0.75
"""Panels beside the board may make its cells smaller, but not below this share."""

_TEXT_SHARES = (1, 0.85, 0.68)
"""Of their usual size, what texts have where there are many boards."""

_LEAST_SHARE_OF_TEXTS = 0.85
"""Larger texts may make cells smaller, but not below this share."""


@dataclass(frozen=True, slots=True)
class Layout:
    """A picture's regions. `panels` are the kinds of panels that each block has beside its board
    and its counters. `title` and `legend`, the scale of what the boards' grounds tell, are None
    where there is none."""

    width: int
    height: int
    grid: int
    title: Rect | None
    blocks: tuple[Block, ...]
    panels: tuple[PanelKind, ...]
    progress: Rect
    footer: Rect
    text: TextSizes
    legend: Rect | None = None
    counters: tuple[CounterKind, ...] = USUAL_COUNTERS
    """What the first boxes of counters of each block show."""
    chart: Rect | None = None
    """Of the chart that all searches share, where the picture has one."""

    @property
    def needs_surveys(self) -> bool:
        """Whether a panel is shown whose scale depends on the whole search."""
        return self.legend is not None or any(kind.survey for kind in self.panels)

    def regions(self) -> list[Rect]:
        """All regions that something is drawn in; none overlaps another."""
        found = [self.progress, self.footer]
        found += [rect for rect in (self.title, self.legend, self.chart) if rect]
        for block in self.blocks:
            found += block.regions()
        return found


def arrange(
    width: int,
    height: int,
    searches: int,
    size: int = 9,
    *,
    title: bool = True,
    panels: Sequence[PanelKind] = (),
    legend: bool = False,
    counters: Sequence[CounterKind] = USUAL_COUNTERS,
) -> Layout:
    """Lay out a picture of `width` × `height` pixels (both even) for `searches` boards of
    `size` × `size` cells, with those of `panels` for which there is room; a board is always shown.
    Texts are as large as can be read on a phone, and smaller where boards would lose much by it.

    Raises SettingsError for a size that is odd, too small for the boards, or too large.
    """
    _check(width, height)
    short = min(width, height)
    grid = 16 if short >= 640 else 8 if short >= 320 else 4
    scale = min((width * height) ** 0.5 / 960, short / 560)
    text = _text_sizes(scale)
    margin = _up(short / 30, grid)
    gap = max(4, _up(short / 60, grid) // 2)
    top = margin
    title_box = None
    if title:
        title_box = Rect(
            margin, margin - gap // 2, width - 2 * margin, line_height(Face.BOLD, text.title)
        )
        top = _up(title_box.bottom + gap, grid)
    footer_height = line_height(Face.REGULAR, text.footer)
    footer = Rect(margin, height - margin // 2 - footer_height, width - 2 * margin, footer_height)
    bar = max(2, grid // 4)
    progress = Rect(margin, (footer.y - gap // 2 - bar) // 2 * 2, width - 2 * margin, bar)
    bottom = progress.y - gap
    legend_box = None
    if legend:
        line = line_height(Face.REGULAR, text.label) + 4
        legend_box = Rect(margin, bottom - line, width - 2 * margin, line)
        bottom = legend_box.y - gap
    area = Rect(margin, top, width - 2 * margin, bottom - top)
    form, text = _largest_texts(area, searches, size, scale, text, gap, panels, counters)
    if form is None:
        raise SettingsError(
            f"{width}×{height} is too small for {searches} boards of size {size}",
            remedy="take a larger picture or fewer searches",
        )
    blocks = cut_into_blocks(area, form, searches, size, text, gap, grid, counters)
    return Layout(
        width,
        height,
        grid,
        title_box,
        blocks,
        form.extras,
        progress,
        footer,
        text,
        legend_box,
        tuple(counters),
    )


def _check(width: int, height: int) -> None:
    if not (SMALLEST <= width <= LARGEST and SMALLEST <= height <= LARGEST):
        raise SettingsError(
            f"{width}×{height} is out of range",
            remedy=f"take {SMALLEST} to {LARGEST} pixels a side",
        )
    if width % 2 or height % 2:
        raise SettingsError(
            f"{width}×{height} has an odd side, which no player of H.264 shows",
            remedy=f"take {width + width % 2}×{height + height % 2}",
        )


def _largest_texts(
    area: Rect,
    searches: int,
    size: int,
    scale: float,
    text: TextSizes,
    gap: int,
    panels: Sequence[PanelKind],
    kinds: Sequence[CounterKind],
) -> tuple[Form | None, TextSizes]:
    """The form whose texts are largest, and their sizes: `text`, or smaller where it would cost the
    boards or their counters too much. Its title and footer stay as they are."""
    tried: list[tuple[Form, TextSizes]] = []
    for share in _TEXT_SHARES:
        smaller = _text_sizes(scale * share, text)
        form = _richest_form(area, searches, size, smaller, gap, panels, kinds)
        if form:
            tried.append((form, smaller))
    if not tried:
        return None, text
    plainest = tried[-1][0]
    for form, sizes in tried:
        if (
            form.cell >= plainest.cell * _LEAST_SHARE_OF_TEXTS
            and form.counters >= plainest.counters
        ):
            return form, sizes
    return tried[-1]


def _richest_form(
    area: Rect,
    searches: int,
    size: int,
    text: TextSizes,
    gap: int,
    panels: Sequence[PanelKind],
    kinds: Sequence[CounterKind],
) -> Form | None:
    """The form with most of the panels wanted, none of which costs the boards too much."""
    counters = bool(by_shape(panels, Shape.COUNTERS))
    bare = best_form(area, searches, size, text, gap, (), kinds, counters=counters)
    if bare is None:
        return best_form(area, searches, size, text, gap, (), kinds, counters=False)
    wanted = [kind for kind in panels if kind.space.shape not in (Shape.BOARD, Shape.COUNTERS)]
    for omitted in (None, *sorted(wanted, key=lambda kind: kind.rank)):
        if omitted:
            wanted.remove(omitted)
        form = best_form(area, searches, size, text, gap, tuple(wanted), kinds, counters=counters)
        if form and form.cell >= bare.cell * _LEAST_SHARE:
            return form
    return bare


def _text_sizes(scale: float, outside: TextSizes | None = None) -> TextSizes:
    """The sizes of texts where a picture is `scale` times as large as 1280×720; those of the title
    and the footer as `outside` has them."""

    def size(pixels: float, least: int) -> int:
        return max(least, round(pixels * scale))

    return TextSizes(
        title=outside.title if outside else size(30, 14),
        name=size(24, 12),
        status=size(20, 11),
        number=size(32, 13),
        label=size(20, 11),
        footer=outside.footer if outside else size(16, 11),
    )


def _up(pixels: float, grid: int) -> int:
    return -int(-pixels // grid) * grid
