"""The end card's chart: the totals of the searches as bars, drawn by matplotlib into pixels."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np

from render.drawing.canvas import Pixels
from render.drawing.cells import ramp
from render.style.lettering import Face, fitted, fitted_name, font_file, line_height, text_width
from render.style.theme import Colour, Theme

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
    from matplotlib.font_manager import FontProperties

__all__ = [
    "FAR_APART",
    "Bar",
    "CardChart",
    "chart_figure",
    "chart_pixels",
    "details_height",
    "fact_lines",
]

FAR_APART = 20
"""Totals that differ by more than this factor stand on a log axis: on a plain one the shortest bar
would be a speck."""

_DETAIL = 1.3
"""How far lines of facts are from each other, in sizes of their text."""

_ORIGIN = 0.7
"""Where a log axis begins, so that 1 is a bar and 0 is none."""


@dataclass(frozen=True, slots=True)
class Bar:
    """A search: its steps, what else was counted, fact by fact, and whether it was capped."""

    name: str
    steps: int
    facts: tuple[str, ...]
    capped: bool


@dataclass(frozen=True, slots=True)
class CardChart:
    """What is drawn: bars, the size in pixels, the sizes of text in pixels per em, the colours.

    Names and numbers are set in `text` pixels, details and the axis in `label`.
    """

    bars: tuple[Bar, ...]
    width: int
    height: int
    text: int
    label: int
    theme: Theme

    @property
    def far_apart(self) -> bool:
        """Whether the axis is a log axis."""
        steps = [bar.steps for bar in self.bars]
        return max(steps) > FAR_APART * max(1, min(steps))

    @property
    def foot(self) -> int:
        """The height of the axis: its ticks' numbers and its name below them. Where that leaves no
        room for the names, there is none."""
        foot = 2 * line_height(Face.REGULAR, self.label) + self.label
        return foot if self.height - foot >= 1.5 * self.text * len(self.bars) else 0

    @property
    def row(self) -> float:
        """The height of what belongs to one search."""
        return (self.height - self.foot) / len(self.bars)

    @property
    def numbers(self) -> list[str]:
        """What is written beside the bars; in little room a + says that a capped search would have
        gone on."""
        full = [f"{bar.steps:,}" + " (capped)" * bar.capped for bar in self.bars]
        if max(text_width(text, Face.REGULAR, self.text) for text in full) * 3 <= self.width:
            return full
        return [f"{bar.steps:,}" + "+" * bar.capped for bar in self.bars]

    @property
    def numbers_width(self) -> int:
        """The width of the longest of `numbers`."""
        return max(text_width(text, Face.REGULAR, self.text) for text in self.numbers)

    @property
    def roomy(self) -> bool:
        """Whether a name has room above its bar, and a line of facts has room below."""
        return self._spare >= 0

    @property
    def _spare(self) -> float:
        """The height that a row has beyond a name, a bar and a line of facts."""
        return self.row - (2 * self.text + 2.4 * self.label + max(6, self.text / 2))

    @property
    def details(self) -> list[list[str]]:
        """The lines below each bar: its facts, none of them broken, as many as there is room for.
        In height there is room for as many lines in every row."""
        room = self.width - self.label
        lines = [fact_lines(bar.facts, self.label, room) for bar in self.bars]
        most = 1 + max(0, int(self._spare / (_DETAIL * self.label)))
        return [each[:most] for each in lines]


def fact_lines(facts: Sequence[str], size: int, width: int) -> list[str]:
    """`facts` with commas between them, on as few lines of at most `width` pixels as hold them. A
    fact that is wider than that is shortened."""
    lines: list[str] = []
    for fact in facts:
        longer = f"{lines[-1]}, {fact}" if lines else fact
        if lines and text_width(longer, Face.REGULAR, size) <= width:
            lines[-1] = longer
        else:
            lines.append(fitted(fact, Face.REGULAR, size, width))
    return lines


def details_height(lines: int, size: int) -> float:
    """The height that so many lines of facts take below a bar."""
    return (1.6 + _DETAIL * (lines - 1)) * size


def chart_figure(chart: CardChart) -> Figure:
    """The figure, one point of it a pixel."""
    from matplotlib.figure import Figure  # takes a third of a second

    theme, text, label = chart.theme, chart.text, chart.label
    made = Figure(
        figsize=(chart.width / 72, chart.height / 72), dpi=72, facecolor=_hex(theme.ground)
    )
    left = label // 2  # half of a tick's number
    if not chart.roomy:
        left = max(text_width(bar.name, Face.BOLD, text) for bar in chart.bars) + text
        left = min(left, chart.width * 2 // 5)
    wide = chart.width - left - chart.numbers_width - text
    high = chart.height - chart.foot
    axes = made.add_axes(
        (left / chart.width, chart.foot / chart.height, wide / chart.width, high / chart.height)
    )
    axes.set_facecolor(_hex(theme.ground))
    # One unit upwards is one pixel, so that bars and texts keep clear of each other.
    axes.set_ylim(0, high)
    axes.set_yticks([])
    for spine in axes.spines.values():
        spine.set_visible(False)
    ticks = _scale(axes, chart, wide)
    details = chart.details
    above = below = chart.row * 0.15  # a name beside its bar may be as high as the row
    if chart.roomy:
        above = text * 1.45
        below = details_height(max(map(len, details)), label) + text * 0.75
    for place, (bar, number, lines) in enumerate(
        zip(chart.bars, chart.numbers, details, strict=True)
    ):
        _draw_bar(
            axes, chart, bar, number, lines, high - place * chart.row, above, below, left - text
        )
    if not chart.foot:
        axes.set_axis_off()
        return made
    # The marks cut through the bars: so many pieces, so many times as long.
    for tick in ticks:
        axes.axvline(tick, color=_hex(theme.ground), linewidth=1, antialiased=False, zorder=2)
    said = "steps"
    if chart.far_apart and len(ticks) > 1:
        said = f"steps: from one mark to the next, {ticks[1]:,} times as many"
    if text_width(said, Face.REGULAR, label) > chart.width - left:
        said = "steps"
    axes.set_xlabel(
        said, color=_hex(theme.muted), fontproperties=_font(Face.REGULAR, label),
        labelpad=label / 4, loc="left",
    )  # fmt: skip
    return made


def _scale(axes: Axes, chart: CardChart, wide: int) -> list[int]:
    """Set the scale, which begins with none and ends with the longest; returns its ticks."""
    theme = chart.theme
    longest = max(1, *(bar.steps for bar in chart.bars))
    if chart.far_apart:
        axes.set_xscale("log")
        axes.set_xlim(_ORIGIN, longest)
        ticks = _powers(longest, chart.label, wide)
    else:
        axes.set_xlim(0, longest)
        ticks = _rounds(longest, chart.label, wide)
    axes.set_xticks(ticks, [f"{tick:,}" for tick in ticks])
    axes.set_xticks([], minor=True)
    axes.tick_params(axis="x", length=0, pad=chart.label / 2)
    for tick in axes.get_xticklabels():
        tick.set(color=_hex(theme.muted), fontproperties=_font(Face.REGULAR, chart.label))
    return ticks


def _powers(longest: int, label: int, wide: int) -> list[int]:
    """Powers of ten whose numbers don't touch each other."""
    powers = int(math.log10(longest))
    each = wide / max(1, math.log10(longest / _ORIGIN))
    need = text_width(f"{10**powers:,}", Face.REGULAR, label) + label
    return [10**power for power in range(0, powers + 1, max(1, math.ceil(need / each)))]


def _rounds(longest: int, label: int, wide: int) -> list[int]:
    """Multiples of a round number whose numbers don't touch each other, 0 among them."""
    need = text_width(f"{longest:,}", Face.REGULAR, label) + 2 * label
    most = max(1, min(6, wide // need))
    exact = max(1.0, longest / most)
    ten = 10 ** int(math.log10(exact))
    step = next(factor * ten for factor in (1, 2, 5, 10) if factor * ten >= exact)
    ticks = list(range(0, longest + 1, step))
    return ticks if len(ticks) > 1 else []


def _draw_bar(
    axes: Axes,
    chart: CardChart,
    bar: Bar,
    number: str,
    lines: Sequence[str],
    top: float,
    above: float,
    below: float,
    name_width: int,
) -> None:
    theme, text, label = chart.theme, chart.text, chart.label
    ends = axes.get_xlim()
    thick = min(chart.row - above - below, 3.0 * text)
    start = top - above - thick
    plain: Any = {"linewidth": 0, "antialiased": False, "snap": True}
    axes.barh(start, ends[1] - ends[0], thick, ends[0], align="edge", color=_hex(theme.track),
              **plain)  # fmt: skip
    colour = theme.undoing if bar.capped else theme.accent
    end = max(bar.steps, ends[0])
    axes.barh(start, end - ends[0], thick, ends[0], align="edge", color=_hex(colour), **plain)
    if bar.capped:  # it would go on: the end is open
        axes.barh(start, (end - ends[0]), thick, ends[0], align="edge", fill=False, hatch="////",
                  edgecolor=_hex(theme.track), **plain)  # fmt: skip
    across = axes.get_yaxis_transform()
    middle = start + thick / 2
    axes.annotate(
        number, (1, middle), (text / 2, 0), xycoords=across, textcoords="offset points",
        va="center", color=_hex(theme.text), fontproperties=_font(Face.REGULAR, text),
    )  # fmt: skip
    if not chart.roomy:
        axes.annotate(
            fitted_name(bar.name, Face.BOLD, text, name_width), (0, middle), (-text / 2, 0),
            xycoords=across, textcoords="offset points", ha="right", va="center",
            color=_hex(theme.text), fontproperties=_font(Face.BOLD, text),
        )  # fmt: skip
        return
    room = chart.width - label
    axes.text(
        0, start + thick + text * 0.3, fitted_name(bar.name, Face.BOLD, text, room),
        transform=across, color=_hex(theme.text), fontproperties=_font(Face.BOLD, text),
    )  # fmt: skip
    for place, line in enumerate(lines):
        axes.text(
            0, start - label * (0.35 + _DETAIL * place), line, transform=across, va="top",
            color=_hex(theme.muted), fontproperties=_font(Face.REGULAR, label),
        )  # fmt: skip


@lru_cache(maxsize=8)
def _font(face: Face, size: int) -> FontProperties:
    from matplotlib.font_manager import FontProperties

    return FontProperties(fname=str(font_file(face)), size=size)


def _hex(colour: Colour) -> str:
    return "#{:02x}{:02x}{:02x}".format(*colour)


@lru_cache(maxsize=1)
def chart_pixels(chart: CardChart) -> Pixels:
    """The chart as (height, width, 3) pixels, read-only, in no other colours than the film's own,
    so that all of a film fit one palette."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg

    canvas = FigureCanvasAgg(chart_figure(chart))
    canvas.draw()  # type: ignore[no-untyped-call]
    drawn: Pixels = np.asarray(canvas.buffer_rgba())[..., :3]  # type: ignore[no-untyped-call]
    pixels = _in_colours(drawn, _colours(chart.theme))
    pixels.setflags(write=False)
    return pixels


def _colours(theme: Theme) -> Pixels:
    plain = [theme.track, theme.accent, theme.undoing, theme.line]
    inks = [ramp(ink, theme.ground) for ink in (theme.text, theme.muted)]
    return np.concatenate([np.array(plain, np.uint8), *inks])


def _in_colours(pixels: Pixels, colours: Pixels | Sequence[Colour]) -> Pixels:
    """Each pixel in the nearest of `colours`."""
    known = np.asarray(colours, np.int32)
    packed = pixels.astype(np.uint32) @ np.array([1 << 16, 1 << 8, 1], np.uint32)
    found, places = np.unique(packed, return_inverse=True)
    seen = np.stack([found >> 16, found >> 8 & 255, found & 255], 1).astype(np.int32)
    nearest = ((seen[:, None] - known[None]) ** 2).sum(2).argmin(1)
    chosen: Pixels = known[nearest].astype(np.uint8)
    return chosen[places.reshape(packed.shape)]
